package response

import (
	"context"
	"strings"
	"testing"
	"time"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/themes"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

func styles(tb testing.TB) *style.Styles {
	tb.Helper()
	t, err := themes.Load("patchbay-dark", "")
	if err != nil {
		tb.Fatal(err)
	}
	return style.New(t, style.Options{})
}

// paneOf shows a document that has been read to its end.
func paneOf(tb testing.TB, body string) *Pane {
	tb.Helper()
	d := answer.OpenDocument(tb.Context(), rawjson.Bytes(body),
		answer.Reading{Name: "body.json", Size: int64(len(body))})
	d.WaitWhole(tb.Context())
	p := New(time.Now)
	p.Open(d.Page())
	p.Grow()
	p.Grow()
	return p
}

func drawn(p *Pane, s *style.Styles) string {
	p.Fit(80, 12)
	lines, _ := p.Lines(80, 12, s, true)
	return string(text.Join(lines, "\n"))
}

// A text may end anywhere: in each view the cursor goes to its end, opens and copies what is there.
func TestADocumentMayEndAnywhere(t *testing.T) {
	s := styles(t)
	for _, whole := range []string{
		`{"name":{"x":[1,{"deep":"text"}],"y":null}}`,
		`[{"id":1},{"name":"a","list":[true,{"k":1}]}]`,
		"{\"id\":1}\n{\"name\":{\"k\":2}}\n",
	} {
		for n := range len(whole) + 1 {
			p := paneOf(t, whole[:n])
			for _, view := range append(p.ViewNames(), "Record") {
				p.ShowView(view)
				p.Move(0, 1<<30)
				drawn(p, s)
				if t := p.tree(); t != nil {
					t.toggle()
				}
				drawn(p, s)
				for _, c := range p.Copies() {
					_, _ = c.Text(context.Background())
				}
				if c, ok := p.Cell(); ok {
					c.Text()
				}
			}
		}
	}
}

func TestAMemberWithoutItsValueIsMarkedAsCut(t *testing.T) {
	s := styles(t)
	for _, c := range []struct{ body, view string }{{`{"n`, "JSON"}, {`{"n":`, "JSON"}, {`[{"id":1},{"n`, "Record"}} {
		p := paneOf(t, c.body)
		p.ShowView(firstOf(p, c.view))
		p.Move(0, 1<<30)
		p.ShowView(c.view)
		if got := drawn(p, s); p.viewName() != c.view || !strings.Contains(got, cutMark) {
			t.Errorf("%s in %s (%s):\n%s", c.body, c.view, p.viewName(), got)
		}
	}
}

// firstOf is the view in which the cursor goes to the last record.
func firstOf(p *Pane, view string) string {
	if view == "Record" {
		return "Table"
	}
	return view
}
