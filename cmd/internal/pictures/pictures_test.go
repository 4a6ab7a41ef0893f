package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/themes"
)

const committed = "../../../testdata/pictures"

const regenerate = "run: go generate ./cmd/internal/pictures  (and look at the difference)"

// drawn are the pictures of the program, drawn once for all tests.
var drawn = sync.OnceValues(draw)

// TestPicturesAreTrue holds the committed pictures to what the program shows.
func TestPicturesAreTrue(t *testing.T) {
	pictures, err := drawn()
	if err != nil {
		t.Fatalf("%v\nthe scene in scenes.yaml no longer goes as written", err)
	}
	files, err := filepath.Glob(filepath.Join(committed, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(pictures) {
		t.Errorf("%d files for %d pictures; %s", len(files), len(pictures), regenerate)
	}
	var stale []string
	for name, got := range pictures {
		checkXML(t, got)
		if len(got) > 64<<10 {
			t.Errorf("%s has %d bytes, want at most 64 KiB", name, len(got))
		}
		want, err := os.ReadFile(filepath.Join(committed, name))
		if err != nil || !bytes.Equal(got, want) {
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		slices.Sort(stale)
		t.Errorf("%s: not what the program shows now; %s", strings.Join(stale, ", "), regenerate)
	}
}

// TestTheReadmeShowsEveryPicture holds links and files together.
func TestTheReadmeShowsEveryPicture(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, part := range strings.Split(string(readme), "(testdata/pictures/")[1:] {
		name, _, _ := strings.Cut(part, ")")
		shown[name] = true
		if _, err := os.Stat(filepath.Join(committed, name)); err != nil {
			t.Errorf("the README shows %s, which is not there", name)
		}
	}
	files, err := filepath.Glob(filepath.Join(committed, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !shown[filepath.Base(f)] {
			t.Errorf("the README does not show %s", filepath.Base(f))
		}
	}
}

func checkXML(t *testing.T, doc []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed XML: %v", err)
		}
	}
}

func picture(t *testing.T, w, h int, content string) string {
	t.Helper()
	theme, err := themes.Load(dark, "")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := render(tea.NewView(content), theme, scene{About: `a "b" <c>`, W: w, H: h})
	if err != nil {
		t.Fatal(err)
	}
	checkXML(t, doc)
	return string(doc)
}

func TestRender(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want, never   []string
	}{
		{"text is escaped", `<a href="x">&`, []string{"&lt;a href=&#34;x&#34;&gt;&amp;"}, []string{"<a "}},
		{"wide characters stand in their own cells", "a漢b",
			[]string{`x="0" y="13">a<`, `x="8.4" y="13" textLength="16.8"`, `x="25.2" y="13">b<`}, nil},
		{"a combining character stays with its letter", "e\u0301x", []string{">e\u0301x<"}, nil},
		{"a run ends before two spaces", "one two  three", []string{">one two<", `x="75.6"`, ">three<"}, nil},
		{"colours become a class", "\x1b[38;2;1;2;3mred\x1b[m", []string{".s0{fill:#010203}", `class="s0"`}, nil},
		{"bold, italic, underline, faint", "\x1b[1;2;3;4mx\x1b[m",
			[]string{"font-weight:700;font-style:italic;text-decoration:underline;opacity:.6"}, nil},
		{"backgrounds are one rectangle a run", "\x1b[48;2;9;9;9mab cd\x1b[m",
			[]string{`fill="#090909" d="M0 0h42v18h-42z"`}, nil},
		{"reversal swaps the theme's own colours", "\x1b[7mx\x1b[m", []string{`<path fill="#dce1e9"`, "fill:#14171c"},
			nil},
		{"lines that touch are one", "──╮\r\n  │", []string{"M0 9H16.8", "M21 18V36", "M21 18Q21 9 16.8 9"},
			[]string{">─<", ">│<"}},
		{"a crossing reaches all sides", "┼", []string{"M0 9H8.4", "M4.2 0V18"}, nil},
		{"corners are round", "╭", []string{"M4.2 18Q4.2 9 8.4 9"}, nil},
		{"heavy lines are heavy", "━", []string{`stroke-width="2.4"`}, nil},
		{"faint lines are faint", "\x1b[2m─\x1b[m", []string{`stroke-opacity=".6"`}, nil},
		{"nothing", "", nil, []string{"<text x=\"0\""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := picture(t, 14, 2, c.content)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("lacks %q:\n%s", w, got)
				}
			}
			for _, n := range c.never {
				if strings.Contains(got, n) {
					t.Errorf("has %q:\n%s", n, got)
				}
			}
		})
	}
}

func TestCursorIsDrawn(t *testing.T) {
	theme, err := themes.Load(dark, "")
	if err != nil {
		t.Fatal(err)
	}
	v := tea.NewView("ab")
	v.Cursor = tea.NewCursor(1, 0)
	if got, err := render(v, theme, scene{W: 2, H: 1}); err != nil || !strings.Contains(string(got), "M8.4 1h2v16h-2z") {
		t.Errorf("no cursor in %s", got)
	}
}

func TestWriteRemovesOldPictures(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "gone.svg")
	if err := os.WriteFile(old, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	pictures, err := drawn()
	if err != nil {
		t.Fatal(err)
	}
	if err := write(dir, pictures); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Error("the picture of a scene that is gone is still there")
	}
	for _, s := range planned().Scenes {
		if _, err := os.Stat(filepath.Join(dir, s.Name+".svg")); err != nil {
			t.Error(err)
		}
	}
}

func TestAScreenThatWentAnotherWayIsNoticed(t *testing.T) {
	s := planned().Scenes[1]
	s.Shows = []string{"no such words"}
	if _, err := s.draw(); err == nil || !strings.Contains(err.Error(), "no such words") {
		t.Errorf("got %v", err)
	}
	s.Place = place{"no_such_kind", "a", "b"}
	if _, err := s.draw(); err == nil || !strings.Contains(err.Error(), "no_such_kind") {
		t.Errorf("got %v", err)
	}
}
