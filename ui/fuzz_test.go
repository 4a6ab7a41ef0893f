package ui

import (
	"bytes"
	"net/http"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// Whatever a file or a service holds and a terminal sends: the explorer goes on, and
// its screens are as all screens are.
func FuzzExplorer(f *testing.F) {
	for _, body := range []string{`{"data":[{"id":1,"a":{"b":[1,null]}},{"id":"x"}],"meta":{}}`, `[{"id":1},{"n`, "A\nB", "", hostileBody[:500]} {
		f.Add([]byte(body), []byte("G\rjjv\x1b[B4/a\r\x1b5\x10re\r:\x1b[1;5D\x1bd"), true)
		f.Add([]byte(body), []byte("3\t\x1b[<0;9;9M\x1b[200~x\n\x1b[201~!a\r\x1b[<2;20;9MF\x1bEwsc\x1b[3;5~"), false)
	}
	f.Fuzz(func(t *testing.T, body, input []byte, file bool) {
		t.Chdir(t.TempDir())
		body, input = body[:min(len(body), 1<<12)], input[:min(len(input), 400)]
		p := play(t, fuzzed(t, body, file), 80, 24)
		if !file {
			p.keys("enter")
			p.call("payments", "customers", "list", `{"limit":2}`)
		}
		for _, msg := range decoded(input) {
			p.send(msg)
			if reachesOut(p.m) {
				p.keys("esc")
			}
			if wrong := unsound(p.m, p.m.View(), ansi.StringWidth); wrong != "" {
				t.Fatal(wrong)
			}
		}
	})
}

// fuzzed shows a body: that of a file, or of every answer of a service.
func fuzzed(t *testing.T, body []byte, file bool) Deps {
	if file {
		return Deps{Session: sharedSession(), Document: answer.OpenDocument(t.Context(), rawjson.Bytes(body), answer.Reading{Name: "x.json", Size: int64(len(body))})}
	}
	return Deps{Session: replies(func(_ int, r *http.Request) (*http.Response, error) {
		return reply(r, 200, "application/json", string(body)), nil
	})}
}

// decoded are the messages that Bubble Tea makes of what a terminal sends.
func decoded(input []byte) (out []tea.Msg) {
	var d uv.EventDecoder
	for len(input) > 0 {
		n, event := d.Decode(input)
		input = input[max(n, 1):]
		switch e := event.(type) {
		case uv.KeyPressEvent:
			out = append(out, tea.KeyPressMsg(e))
		case uv.KeyReleaseEvent:
			out = append(out, tea.KeyReleaseMsg(e))
		case uv.MouseClickEvent:
			out = append(out, tea.MouseClickMsg(e))
		case uv.MouseReleaseEvent:
			out = append(out, tea.MouseReleaseMsg(e))
		case uv.MouseMotionEvent:
			out = append(out, tea.MouseMotionMsg(e))
		case uv.MouseWheelEvent:
			out = append(out, tea.MouseWheelMsg(e))
		case uv.FocusEvent:
			out = append(out, tea.FocusMsg(e))
		case uv.BlurEvent:
			out = append(out, tea.BlurMsg(e))
		case uv.BackgroundColorEvent:
			out = append(out, tea.BackgroundColorMsg(e))
		case uv.ModeReportEvent:
			out = append(out, tea.ModeReportMsg(e))
		case uv.PasteStartEvent:
			pasted, rest, _ := bytes.Cut(input, []byte("\x1b[201~"))
			out, input = append(out, tea.PasteMsg{Content: string(pasted)}), rest
		case uv.MultiEvent, nil:
		default:
			out = append(out, e)
		}
	}
	return out
}
