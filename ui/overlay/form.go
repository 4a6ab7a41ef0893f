package overlay

import (
	"encoding/json"
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/request"
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
	Fields *request.Pane
	// Submit gets the values when nothing is wrong with them; Label names that.
	Submit func(v Values) intent.Intent
	Label  string

	problem  string
	unfilled bool // the problem is one of the fields and goes with it
	top      int  // rows above the fields
	begun    bool // it was shown, and its first field opened for typing
}

// Values are those of a form by the names of its fields; absent ones are missing.
type Values map[string]json.RawMessage

// Text is the value of a text field; "" when it is absent, its JSON when it is no text.
func (v Values) Text(name string) string {
	var s string
	if json.Unmarshal(v[name], &s) != nil {
		return string(v[name])
	}
	return s
}

// Texts are the members of an object as texts, by their names.
func (v Values) Texts(name string) map[string]string {
	var members Values
	_ = json.Unmarshal(v[name], &members) // an object or nothing
	return members.All()
}

// All are all values as texts, by their names.
func (v Values) All() map[string]string {
	out := make(map[string]string, len(v))
	for name := range v {
		out[name] = v.Text(name)
	}
	return out
}

// Title implements Overlay.
func (f *Form) Title() string { return f.Heading }

// Facts implements Overlay.
func (f *Form) Facts() string {
	facts, _, _ := strings.Cut(f.Fields.Facts(0, false), " · ")
	return facts + " · " + f.Fields.Mode()
}

// Hints implements Overlay.
func (f *Form) Hints() string {
	if f.Fields.Typing() {
		return "enter " + f.Label + " · tab next field · esc to the rows"
	}
	return "↑↓ fields · enter edits · ctrl+j " + f.Label + " · ctrl+x unset, null, rows · esc closes"
}

// Fail shows why what was asked failed; the values stay.
func (f *Form) Fail(why string) { f.problem, f.unfilled = why, false }

// Want implements Overlay.
func (f *Form) Want(w, h int) (int, int) {
	w = min(w, 100)
	return w, min(len(f.head(w, &style.Styles{}))+f.Fields.Wants()+4, h)
}

func (f *Form) head(w int, s *style.Styles) []text.Safe {
	var out []text.Safe
	add := func(t string, st style.Style) {
		for _, l := range text.Wrap(text.Sanitize(t), w) {
			out = append(out, st.Render(l))
		}
	}
	for _, p := range f.Explain {
		add(p, s.Muted)
	}
	problem := f.problem
	if f.unfilled {
		problem = f.Fields.Problem()
	}
	if problem != "" {
		add("! "+problem, s.Error)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// Key implements Overlay.
func (f *Form) Key(msg tea.KeyPressMsg) intent.Intent {
	switch name := msg.String(); {
	case name == "ctrl+j", name == "ctrl+enter", name == "f5", name == "ctrl+s",
		name == "enter" && f.Fields.Typing():
		return f.submit()
	case f.Fields.Typing():
		return f.own(f.Fields.Key(msg))
	}
	switch msg.String() {
	case "esc":
		return intent.Close{}
	case "enter", "i":
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
		return f.own(f.Fields.Menu())
	}
	return nil
}

// submit hands the values over; what is wrong with them is told, and typed into where it is.
func (f *Form) submit() intent.Intent {
	f.Fields.EndTyping()
	f.problem = f.Fields.ToProblem()
	if f.unfilled = f.problem != ""; f.unfilled {
		f.Fields.Type()
		return nil
	}
	return f.Submit(f.Fields.Values())
}

// own keeps what the fields ask of themselves here, also after a choice.
func (f *Form) own(in intent.Intent) intent.Intent {
	switch in := in.(type) {
	case intent.EditRow:
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
	if !f.Fields.Typing() {
		if in := f.own(f.Fields.Enter()); in != nil || !f.Fields.Typing() {
			return in
		}
	}
	return f.Fields.Paste(s)
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

// Fit implements Overlay.
func (f *Form) Fit(w, h int) {
	if !f.begun {
		f.begun = true
		f.Fields.Type()
	}
	f.top = min(len(f.head(w, &style.Styles{})), max(h-4, 0))
	f.Fields.Fit(w, max(h-f.top-2, 1))
}

// Draw implements Overlay.
func (f *Form) Draw(w, h int, s *style.Styles) ([]text.Safe, *image.Point) {
	lines, at := f.Fields.Lines(w, max(h-f.top-2, 1), s, true)
	out := append(f.head(w, s)[:f.top], lines...)
	for len(out) < h-1 {
		out = append(out, "")
	}
	status := f.Fields.Status(w, s)
	out = append(out[:min(len(out), max(h-len(status), 0))], status...)
	return out, moved(at, image.Pt(0, f.top))
}
