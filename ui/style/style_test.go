package style

import (
	"bytes"
	"image/color"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"patchbay/themes"
	"patchbay/ui/text"
)

func load(t *testing.T, name string) themes.Theme {
	t.Helper()
	th, err := themes.Load(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// drawn is the cell that a terminal with the profile shows for the style.
func drawn(t *testing.T, st Style, p colorprofile.Profile) uv.Style {
	t.Helper()
	var b bytes.Buffer
	w := colorprofile.Writer{Forward: &b, Profile: p}
	if _, err := w.WriteString(string(st.Render("x"))); err != nil {
		t.Fatal(err)
	}
	screen := uv.NewScreenBuffer(1, 1)
	uv.NewStyledString(b.String()).Draw(screen, screen.Bounds())
	c := screen.CellAt(0, 0)
	if c == nil || c.Content != "x" {
		t.Fatalf("the cell was not drawn: %q", b.String())
	}
	return c.Style
}

// roles are styles that a person has to tell apart at a glance.
func roles(s *Styles) map[string]Style {
	return map[string]Style{
		"text": s.Text, "muted": s.Muted, "accent": s.Accent, "error": s.Error, "selected": s.Selected,
		"selected elsewhere": s.SelectedBlur, "selected cell": s.SelectedCell, "match": s.Match,
	}
}

// states are told by words as well; colours are to tell them apart where there are any.
func states(s *Styles) map[string]Style {
	return map[string]Style{"success": s.Success, "warning": s.Warning, "error": s.Error, "info": s.Info, "text": s.Text}
}

func distinct(t *testing.T, list map[string]Style, p colorprofile.Profile) {
	t.Helper()
	seen := map[string]string{}
	for name, st := range list {
		d := drawn(t, st, p)
		k := d.String()
		if other, taken := seen[k]; taken {
			t.Errorf("%s and %s look the same: %q", name, other, k)
		}
		seen[k] = name
	}
}

func TestRolesStayApart(t *testing.T) {
	for _, name := range themes.Names() {
		th := load(t, name)
		for _, p := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			t.Run(name+"/"+p.String(), func(t *testing.T) {
				s := New(th, Options{}.For(p))
				distinct(t, roles(s), p)
				distinct(t, states(s), p)
			})
		}
	}
}

func TestWithoutColor(t *testing.T) {
	for _, p := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.TrueColor} {
		s := New(load(t, "patchbay-dark"), Options{NoColor: true})
		list := roles(s)
		delete(list, "accent") // words and keys carry it: see Key
		delete(list, "error")  // told by words and a mark
		delete(list, "match")  // like the selected cell, which stands in a reversed row
		distinct(t, list, p)
		for name, st := range roles(s) {
			if d := drawn(t, st, p); d.Fg != nil || d.Bg != nil {
				t.Errorf("%s has a colour: %v on %v", name, d.Fg, d.Bg)
			}
		}
		if d := drawn(t, s.Selected, p); d.Attrs&uv.AttrReverse == 0 {
			t.Error("the selected row is not reversed")
		}
		if d := drawn(t, s.SelectedBlur, p); d.Underline == ansi.UnderlineNone {
			t.Error("the selected row of another pane is not underlined")
		}
		if d := drawn(t, s.SelectedCell, p); d.Attrs&uv.AttrReverse != 0 {
			t.Error("the cell under the cursor is lost in its reversed row")
		}
		if d := drawn(t, s.TitleFocus, p); d.Attrs&uv.AttrReverse == 0 {
			t.Error("the title of the focused pane does not stand out")
		}
	}
}

func TestBasicColorsKeepTheTerminalsOwnText(t *testing.T) {
	for _, name := range []string{"patchbay-dark", "patchbay-light"} {
		s := New(load(t, name), Options{Basic: true})
		for _, st := range []Style{s.Text, s.Muted, s.Selected, s.SelectedBlur, s.Badge} {
			if d := drawn(t, st, colorprofile.ANSI); d.Fg != nil || d.Bg != nil {
				t.Errorf("%s: text has colours %v on %v", name, d.Fg, d.Bg)
			}
		}
		for role, st := range states(s) {
			d := drawn(t, st, colorprofile.ANSI)
			if c, ok := d.Fg.(ansi.BasicColor); role != "text" && (!ok || c < ansi.Red || c > ansi.Cyan) {
				t.Errorf("%s: %s is %v, want one of the plain colours", name, role, d.Fg)
			}
		}
	}
}

func TestContrastAfterReductionTo256(t *testing.T) {
	for _, name := range themes.Names() {
		th := load(t, name)
		bg, err := themes.Hex(th.Background) // the terminal's own, which is not reduced
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range th.Roles()[3:] {
			if r.Name == "overlay" {
				continue // a background
			}
			want := 3.5
			if strings.HasPrefix(name, "patchbay-") || strings.HasPrefix(name, "high-contrast-") {
				want = 4.4
			}
			switch r.Name {
			case "border":
				want = 1.7
			case "text":
				want = 6
			}
			if got := themes.Contrast(reduced(t, r.Value), bg); got < want {
				t.Errorf("%s: %s has contrast %.2f in 256 colours, want %.1f", name, r.Name, got, want)
			}
		}
	}
}

// TestHuesSurviveReductionTo256 keeps what is told by a hue from becoming grey:
// the nearest of the 256 colours is at times one.
func TestHuesSurviveReductionTo256(t *testing.T) {
	for _, name := range themes.Names() {
		th := load(t, name)
		for role, v := range map[string]string{"accent": th.Accent, "success": th.Success, "warning": th.Warning, "error": th.Error, "info": th.Info} {
			c := reduced(t, v)
			if max(c.R, c.G, c.B)-min(c.R, c.G, c.B) < 0x20 {
				t.Errorf("%s: %s %s becomes the grey %v", name, role, v, c)
			}
		}
	}
}

func reduced(t *testing.T, hex string) color.RGBA {
	t.Helper()
	c, err := themes.Hex(hex)
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := colorprofile.ANSI256.Convert(c).RGBA()
	return rgb(r, g, b)
}

func rgb(r, g, b uint32) color.RGBA {
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

func TestFor(t *testing.T) {
	for p, want := range map[colorprofile.Profile]Options{
		colorprofile.Unknown:   {},
		colorprofile.NoTTY:     {NoColor: true},
		colorprofile.ASCII:     {NoColor: true},
		colorprofile.ANSI:      {Basic: true},
		colorprofile.ANSI256:   {},
		colorprofile.TrueColor: {},
	} {
		if got := (Options{}).For(p); got != want {
			t.Errorf("%v gives %+v, want %+v", p, got, want)
		}
	}
}

func TestTerminalColours(t *testing.T) {
	th := load(t, "nord")
	for _, c := range []struct {
		o    Options
		want bool
	}{{Options{}, true}, {Options{ASCII: true}, true}, {Options{NoColor: true}, false}, {Options{Basic: true}, false}} {
		fg, bg := New(th, c.o).Terminal()
		if (fg != nil) != c.want || (bg != nil) != c.want {
			t.Errorf("%+v gives %v on %v", c.o, fg, bg)
		}
		if c.want && (fg != lipgloss.Color(th.Text) || bg != lipgloss.Color(th.Background)) {
			t.Errorf("%v on %v are not the theme's", fg, bg)
		}
	}
	if fg, bg := New(themes.Theme{}, Options{}).Terminal(); fg != nil || bg != nil {
		t.Error("without a theme the terminal keeps its colours")
	}
}

func TestFrames(t *testing.T) {
	th := load(t, "patchbay-dark")
	for _, c := range []struct {
		o       Options
		focused bool
		want    text.Safe
	}{
		{Options{}, false, "╭─│"}, {Options{}, true, "╭─│"},
		{Options{NoColor: true}, false, "╭─│"}, {Options{NoColor: true}, true, "┏━┃"},
		{Options{ASCII: true}, false, "+-|"}, {Options{ASCII: true}, true, "+=|"},
		{Options{ASCII: true, NoColor: true}, true, "+=|"},
	} {
		f := New(th, c.o).FrameFor(c.focused)
		if got := f.TopLeft + f.Top + f.Side; got != c.want {
			t.Errorf("%+v focused %v draws %q, want %q", c.o, c.focused, got, c.want)
		}
	}
	s := New(th, Options{ASCII: true})
	for _, part := range []text.Safe{s.Cursor, s.FrameFor(false).Top, s.FrameFor(false).Side, s.FrameFor(true).Top} {
		if part[0] > 0x7e {
			t.Errorf("%q is not ASCII", part)
		}
	}
}

func TestHighlightKeepsTheText(t *testing.T) {
	s := New(load(t, "patchbay-dark"), Options{})
	for _, line := range []text.Safe{`  "a": {"b": [1, -2.5e3, true, null, "x\"y"]},`, `curl -H 'A: b' "$TOKEN" # why`, "é 漢字 \"open", "", text.Repeat("x", longest+1)} {
		if got := ansi.Strip(string(s.JSON(line))); got != string(line) {
			t.Errorf("JSON(%q) shows %q", line, got)
		}
		if got := ansi.Strip(string(s.Code(line))); got != string(line) {
			t.Errorf("Code(%q) shows %q", line, got)
		}
	}
	if s.JSON(`"a": 1`) == s.JSON(`"a" , 1`) {
		t.Error("a key and a string look the same")
	}
}

// lettered writes which ink it is around the text.
var lettered = (&Styles{JSONKey: Style{"k<", ">"}, JSONString: Style{"s<", ">"}, JSONNumber: Style{"n<", ">"},
	JSONKeyword: Style{"w<", ">"}, JSONPunct: Style{"p<", ">"}, Text: Style{"t<", ">"}, Muted: Style{"c<", ">"}}).newCode()

func TestCodeTokens(t *testing.T) {
	s := &Styles{code: lettered}
	for _, c := range []struct{ line, want text.Safe }{
		{`curl -X POST --data-binary @-`, `w<curl> k<-X> t<POST> k<--data-binary> t<@>t<->`},
		{`  -H "A: b" \`, `  k<-H> s<"A: b"> p<\>`},
		{`https://a.example/b # why`, `t<https>p<:>t</>t</>t<a>t<.>t<example>t</>t<b> c<# why>`},
		{`x := f(1.5) // two`, `t<x> p<:=> t<f>p<(>n<1.5>p<)> c<// two>`},
		{`a="$TOKEN" $B ${C}d $`, `t<a>p<=>s<"$TOKEN"> k<$B> k<${C}>t<d> t<$>`},
		{`'open`, `s<'open>`},
		{"`raw` é漢", "s<`raw`> t<é漢>"},
		{`from x import y2`, `w<from> t<x> w<import> t<y2>`},
		{`a-b --c`, `t<a>t<->t<b> k<--c>`},
	} {
		if got := s.Code(c.line); got != c.want {
			t.Errorf("Code(%s)\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func TestJSONTokens(t *testing.T) {
	s := &Styles{code: lettered}
	for _, c := range []struct{ line, want text.Safe }{
		{`"a": 1,`, `k<"a">p<:> n<1>p<,>`},
		{`{"a" : [true,null]}`, `p<{>k<"a"> p<:> p<[>w<true>p<,>w<null>p<]}>`},
		{`"q\"x": "y"`, `k<"q\"x">p<:> s<"y">`},
		{`ope": "n`, `t<ope>s<": ">t<n>`},
		{`-1.5e+3 false`, `n<-1.5e+3> w<false>`},
		{`nothing`, `t<nothing>`},
		{`"\`, `s<"\>`},
		{`é漢 1`, `t<é漢> n<1>`},
	} {
		if got := s.JSON(c.line); got != c.want {
			t.Errorf("JSON(%s)\n got %s\nwant %s", c.line, got, c.want)
		}
	}
}

func FuzzHighlight(f *testing.F) {
	f.Add(`{"a": [1, -2.5e3, true, null, "x\"y"]}`)
	f.Add(`nul tru "`)
	f.Add(`curl -H "A: ${T" $x 'y # --z`)
	s := &Styles{}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) {
			return // such text does not come here: ui/text shows it as symbols
		}
		if got := s.JSON(text.Safe(line)); got != text.Safe(line) {
			t.Errorf("JSON(%q) shows %q", line, got)
		}
		if got := s.Code(text.Safe(line)); got != text.Safe(line) {
			t.Errorf("Code(%q) shows %q", line, got)
		}
	})
}

// The benchmarks are lines that were not seen before.
func BenchmarkJSON(b *testing.B) {
	th, err := themes.Load("patchbay-dark", "")
	if err != nil {
		b.Fatal(err)
	}
	s := New(th, Options{})
	for i := range b.N {
		s.JSON(text.Sprintf(`  "shipping": {"name": "Ada", "phone": null, "postal_code": %d, "active": true},`, i))
	}
}

func BenchmarkCode(b *testing.B) {
	s := &Styles{}
	for i := range b.N {
		s.Code(text.Sprintf(`  -H "Authorization: Bearer $PLATFORM_TOKEN" --data-binary '{"entity":"customers%d"}' # the call`, i))
	}
}
