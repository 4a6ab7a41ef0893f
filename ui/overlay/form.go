package overlay

import (
	"encoding/json"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Form asks for several values at once. What was typed stays while later steps
// lie over it, so that nothing is lost when one of them fails.
type Form struct {
	Heading string
	// Explain stands above the fields, one paragraph per element.
	Explain []string
	// Fields edits the values; made by Request.OpenFields.
	Fields *pane.Request
	// Submit gets the values when nothing is wrong with them; Label names that.
	Submit func(values json.RawMessage) intent.Intent
	Label  string

	problem  string
	unfilled bool // the problem is one of the fields and goes with it
	top      int  // rows above the fields at the last drawing
}

// Title implements Overlay.
func (f *Form) Title() string { return f.Heading }

// Facts implements Overlay.
func (f *Form) Facts() string {
	facts, _, _ := strings.Cut(f.Fields.Facts(), " · ")
	return facts
}

// Hints implements Overlay.
func (f *Form) Hints() string {
	if f.Fields.Editing() {
		return "enter done · tab next field · ctrl+j " + f.Label
	}
	return "↑↓ fields · enter edits · ctrl+j " + f.Label + " · ctrl+x unset, null, rows · esc closes"
}

// Fail shows why what was asked failed; the values stay.
func (f *Form) Fail(why string) { f.problem, f.unfilled = text.Sanitize(why), false }

// Want implements Overlay.
func (f *Form) Want(w, h int) (int, int) {
	w = min(w, 100)
	return w, min(len(f.head(w, nil))+f.Fields.Wants()+4, h)
}

func (f *Form) head(w int, s *style.Styles) []string {
	var out []string
	add := func(t string, st style.Style) {
		for _, l := range text.Wrap(t, w) {
			out = append(out, st.Render(l))
		}
	}
	var muted, bad style.Style
	if s != nil {
		muted, bad = s.Muted, s.Error
	}
	for _, p := range f.Explain {
		add(p, muted)
	}
	problem := f.problem
	if f.unfilled {
		problem = f.Fields.Problem()
	}
	if problem != "" {
		add("! "+problem, bad)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// Key implements Overlay.
func (f *Form) Key(msg tea.KeyPressMsg) intent.Intent {
	if name := msg.String(); name == "ctrl+j" || name == "ctrl+enter" || name == "f5" || name == "ctrl+s" {
		return f.submit()
	}
	if f.Fields.Editing() {
		return f.own(f.Fields.Key(msg))
	}
	switch msg.String() {
	case "esc":
		return intent.Close{}
	case "enter":
		return f.own(f.Fields.Enter())
	case "up":
		f.Fields.Move(0, -1)
	case "down":
		f.Fields.Move(0, 1)
	case "left":
		f.Fields.Move(-1, 0)
	case "right":
		f.Fields.Move(1, 0)
	case "tab":
		if !f.Fields.Tab(1) {
			f.Fields.Move(0, -1<<20)
		}
	case "shift+tab":
		f.Fields.Tab(-1)
	case "ctrl+x":
		return f.menu()
	default:
		if msg.Text != "" {
			return f.own(f.Fields.Key(msg))
		}
	}
	return nil
}

func (f *Form) menu() intent.Intent {
	opts := f.Fields.Menu()
	if len(opts) == 0 {
		return intent.Say{Text: "there is nothing to set on this row", Bad: true}
	}
	return intent.Choose{Title: "This field", Options: opts, Done: func(v string) intent.Intent { return f.own(f.Fields.Pick(v)) }}
}

func (f *Form) submit() intent.Intent {
	f.Fields.StopEditing()
	f.problem = f.Fields.Problem()
	if f.unfilled = f.problem != ""; f.unfilled {
		return nil
	}
	return f.Submit(f.Fields.Params())
}

// own keeps what the fields ask of themselves here, also after a choice.
func (f *Form) own(in intent.Intent) intent.Intent {
	switch in := in.(type) {
	case pane.EditRow:
		return f.own(f.Fields.ContinueRow(in))
	case intent.Choose:
		done := in.Done
		in.Done = func(v string) intent.Intent { return f.own(done(v)) }
		return in
	case intent.EditText:
		done := in.Done
		in.Done = func(v string) intent.Intent { return f.own(done(v)) }
		return in
	}
	return in
}

// Paste implements Overlay.
func (f *Form) Paste(s string) intent.Intent {
	if !f.Fields.Editing() {
		if in := f.own(f.Fields.Enter()); in != nil || !f.Fields.Editing() {
			return in
		}
	}
	return f.Fields.Paste(s, nil)
}

// Wheel implements Overlay.
func (f *Form) Wheel(d int) intent.Intent {
	f.Fields.Wheel(d)
	return nil
}

// TextField is the field that is typed into; nil while none is.
func (f *Form) TextField() *input.Field { return f.Fields.TextField() }

// Click implements Overlay.
func (f *Form) Click(x, y int, double bool) intent.Intent {
	if y < f.top {
		return nil
	}
	return f.own(f.Fields.Click(x, y-f.top, double))
}

// Draw implements Overlay.
func (f *Form) Draw(w, h int, s *style.Styles) ([]string, *image.Point) {
	out := f.head(w, s)
	if len(out) > h-4 {
		out = out[:max(h-4, 0)]
	}
	f.top = len(out)
	room := max(h-f.top-2, 1)
	f.Fields.Fit(w, room)
	lines, at := f.Fields.Lines(w, room, s, true)
	out = append(out, lines...)
	for len(out) < h-1 {
		out = append(out, "")
	}
	status := f.Fields.Status(w, s)
	out = append(out[:min(len(out), max(h-len(status), 0))], status...)
	if at != nil {
		p := at.Add(image.Pt(0, f.top))
		at = &p
	}
	return out, at
}
