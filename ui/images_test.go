package ui

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// watched notes what a program writes past its screen.
type watched struct {
	*Model
	raw []string
}

func (w *watched) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if raw, ok := msg.(tea.RawMsg); ok {
		w.raw = append(w.raw, fmt.Sprint(raw.Msg))
	}
	_, cmd := w.Model.Update(msg)
	return w, cmd
}

// noisy is a PNG that does not pack well, with words of the server's in it.
func noisy(w, h int) string {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i >> 3)
	}
	for x := range w {
		m.SetRGBA(x, 0, color.RGBA{255, 0, 0, 255})
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m)
	return b.String() + "\x1b_Ga=d\x1b\\ words of the server"
}

// pictured shows an image on a terminal that may draw it by itself.
func pictured(t *testing.T, able bool, colors colorprofile.Profile, body string) (*player, *watched) {
	t.Helper()
	p := play(t, Deps{Views: everyView, Images: able, Session: sends("image/png", "a.png", body, 0)}, 120, 36)
	w := &watched{Model: p.m}
	p.watch = w
	p.send(tea.ColorProfileMsg{Profile: colors})
	p.keys("enter")
	p.call("crm", "content_versions", "download", `{"id":"0685g00000abcdeAAA"}`)
	return p, w
}

var (
	piece = regexp.MustCompile("\x1b_G([^;\x1b]*)(?:;([A-Za-z0-9+/=]*))?\x1b\\\\")
	mark  = string(kitty.Placeholder)
)

func TestTheTerminalDrawsImagesByItself(t *testing.T) {
	p, w := pictured(t, true, colorprofile.TrueColor, noisy(600, 300))
	if len(w.raw) != 1 {
		t.Fatalf("%d writes", len(w.raw))
	}
	if rest := piece.ReplaceAllString(w.raw[0], ""); rest != "" {
		t.Fatalf("beside the protocol's sequences: %.100q", rest)
	}
	var file strings.Builder
	all := piece.FindAllStringSubmatch(w.raw[0], -1)
	for i, one := range all {
		want := fmt.Sprintf("q=2,m=%d", 1-i/(len(all)-1))
		if i == 0 {
			want = "a=T,U=1,q=2,f=100,i=5259969,c=72,r=18,m=1"
		}
		if one[1] != want || len(one[2]) > kitty.MaxChunkSize || i < len(all)-1 && len(one[2])%4 != 0 {
			t.Errorf("piece %d of %d: %s with %d bytes, want %s", i, len(all), one[1], len(one[2]), want)
		}
		file.WriteString(one[2])
	}
	raw, err := base64.StdEncoding.DecodeString(file.String())
	if err != nil || bytes.Contains(raw, []byte("words")) {
		t.Fatalf("%v: bytes of the server go to the terminal", err)
	}
	m, err := png.Decode(bytes.NewReader(raw))
	if err != nil || m.Bounds().Dx() > 72*cellWidth || m.Bounds().Dy() > 18*cellHeight {
		t.Fatalf("%v, %v", err, m.Bounds())
	}
	view := p.m.View().Content
	if n := strings.Count(view, mark); n != 72*18 || !strings.Contains(view, "\x1b[38;2;80;66;193m"+mark) {
		t.Errorf("%d placeholders", n)
	}
	p.screen() // measures the lines
	p.keys("j", "k")
	if len(w.raw) != 1 {
		t.Errorf("it is sent again: %d writes", len(w.raw))
	}
	p.send(tea.WindowSizeMsg{Width: 90, Height: 30})
	if len(w.raw) != 2 || !strings.HasPrefix(w.raw[1], "\x1b_Ga=d,d=I,i=5259969,q=2\x1b\\\x1b_Ga=T,U=1,q=2,f=100,i=5259970,") {
		t.Errorf("after another size: %.100q", w.raw[1:])
	}
	p.keys("ctrl+l")
	if len(w.raw) != 3 {
		t.Errorf("drawn anew: %d writes", len(w.raw))
	}
}

func TestBlocksStandInForImages(t *testing.T) {
	for name, tt := range map[string]struct {
		able   bool
		colors colorprofile.Profile
	}{"another terminal": {false, colorprofile.TrueColor}, "256 colours": {true, colorprofile.ANSI256}} {
		p, w := pictured(t, tt.able, tt.colors, noisy(60, 30))
		if view := p.m.View().Content; len(w.raw) > 0 || strings.Contains(view, mark) || !strings.Contains(view, "▀") {
			t.Errorf("%s: %.100q", name, w.raw)
		}
	}
	p, w := pictured(t, true, colorprofile.TrueColor, noisy(60, 30))
	for _, blocks := range []bool{true, false} { // the setting
		p.run(p.m.perform(p.m.actions.ByID("screen.images").Do()))
		view := ansi.Strip(p.m.View().Content)
		if p.m.deps.Settings.Blocks != blocks || strings.Contains(view, mark) == blocks || strings.Contains(view, "▀") != blocks {
			t.Errorf("blocks %v: %v, %d writes", blocks, p.m.deps.Settings.Blocks, len(w.raw))
		}
	}
}
