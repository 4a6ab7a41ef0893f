package request

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// jsonView opens the JSON view of a form and begins to edit it.
func jsonView(tb testing.TB) *Pane {
	tb.Helper()
	r := New(func() time.Time { return time.Unix(1_700_000_000, 0) })
	r.OpenFields([]catalog.Field{{Name: "query", Type: "string"}})
	r.ToggleJSON()
	r.Enter()
	if !r.Typing() {
		tb.Fatal("enter does not begin the editing of the JSON view")
	}
	return r
}

// press types text as a terminal would send it, one key for each rune.
func press(r *Pane, s string) {
	for _, c := range s {
		r.Key(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
}

func TestTextThatIsNoJSONGoesBackToTheEditorWithTheReason(t *testing.T) {
	r := jsonView(t)
	r.Key(tea.KeyPressMsg{Code: tea.KeyEscape})
	r.SetText(`{"query": "a",`)
	if got := r.Facts(0, true); !strings.HasPrefix(got, "not JSON") {
		t.Errorf("the title says %q", got)
	}
	reason, rest, _ := strings.Cut(r.Text(), "\n")
	if !strings.HasPrefix(reason, "// ") || !strings.Contains(reason, "line 1") || rest != `{"query": "a",` {
		t.Errorf("the editor gets\n%s", r.Text())
	}
	r.SetText(reason + "\n" + `{"query": "a"}`)
	if got := string(r.Params()); got != `{"query": "a"}` && got != `{"query":"a"}` {
		t.Errorf("the params are %s after the correction", got)
	}
}

func TestJSONViewKeepsLongLinesWhole(t *testing.T) {
	r := jsonView(t)
	long := strings.Repeat("日本 word ", 60)
	press(r, "}")
	r.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
	press(r, `"query": "`+long+`"`)
	r.Paste(strings.Repeat("x ", 200))
	if got := r.json.area.Len(); got != 1 {
		t.Errorf("a long line takes %d rows, so that up and down move within it", got)
	}
	if got := len(r.json.rows); got != strings.Count(r.json.area.Value(), "\n")+1 {
		t.Errorf("the view has %d rows for\n%s", got, r.json.area.Value())
	}
}

// Params of one long line, such as those of a program, are pasted and edited.
func TestJSONViewTakesALongLine(t *testing.T) {
	r := jsonView(t)
	r.Key(tea.KeyPressMsg{Code: tea.KeyLeft})
	r.Paste(`"query":"` + strings.Repeat("x", 1<<20) + `"`)
	press(r, " ")
	if got := len(r.Params()); got < 1<<20 {
		t.Errorf("the params have %d bytes", got)
	}
	if lines, at := r.Lines(80, 10, &style.Styles{}, true); at == nil || at.X >= 80 || len(lines) == 0 {
		t.Errorf("the cursor stands at %v", at)
	}
}

func BenchmarkJSONViewKey(b *testing.B) {
	r := jsonView(b)
	for b.Loop() {
		press(r, "a")
		r.Key(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
}

func TestTextFromTheEditorReplacesWhatIsBeingTyped(t *testing.T) {
	r := jsonView(t)
	press(r, "x")
	r.SetText("{\n \"query\": \"a\",\n \"b\": [\n 1,\n 2\n")
	if r.Typing() {
		t.Error("the text that gave way is still edited")
	}
	lines, _ := r.Lines(60, 20, testStyles(t), true)
	if got := string(text.Join(lines, "\n")); !strings.Contains(got, "query") {
		t.Errorf("the editor's text is not shown:\n%s", got)
	}
}
