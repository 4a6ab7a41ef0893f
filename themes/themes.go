// Package themes holds the colour themes: small YAML files that give a hex
// colour to each of a dozen roles. It knows nothing of the program and
// nothing of terminals.
package themes

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"image/color"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed *.yaml
var files embed.FS

// Theme gives every role a colour as "#rrggbb".
type Theme struct {
	// Name is the file name without its ending; Title is for people.
	Name  string `yaml:"-"`
	Title string `yaml:"title"`
	// Mode is "dark" or "light": the background the theme is made for.
	Mode string `yaml:"mode"`
	// Roles. Background is what the contrast of all others is measured against;
	// Surface is that of chosen rows and fields; Selection that of the row under the cursor.
	Background string `yaml:"background"`
	Surface    string `yaml:"surface"`
	Selection  string `yaml:"selection"`
	Text       string `yaml:"text"`
	Muted      string `yaml:"muted"`
	Border     string `yaml:"border"`
	Accent     string `yaml:"accent"`
	Success    string `yaml:"success"`
	Warning    string `yaml:"warning"`
	Error      string `yaml:"error"`
	Info       string `yaml:"info"`
	// Syntax colours of JSON; each falls back to a role.
	Key         string `yaml:"key"`
	String      string `yaml:"string"`
	Number      string `yaml:"number"`
	Keyword     string `yaml:"keyword"`
	Punctuation string `yaml:"punctuation"`
	// Overlay is the background of what lies over the screen; found by overlay when left out.
	Overlay string `yaml:"overlay"`
}

// Names lists the built-in themes in alphabetical order.
func Names() []string {
	entries, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil
	}
	for i, e := range entries {
		entries[i] = strings.TrimSuffix(e, ".yaml")
	}
	slices.Sort(entries)
	return entries
}

// Load returns the built-in theme of that name, or the one in the file
// NAME.yaml of dir (the user's own themes; may be empty). The user's wins.
// Errors name the file, the role and the value that is wrong.
func Load(name, dir string) (Theme, error) {
	if name != filepath.Base(name) || name == "" || name == "." {
		return Theme{}, fmt.Errorf("theme name %q: give a name without a path", name)
	}
	if dir != "" {
		file := filepath.Join(dir, name+".yaml")
		data, err := os.ReadFile(file)
		if err == nil {
			return parse(name, file, data)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return Theme{}, fmt.Errorf("theme %s cannot be read: %w", name, err)
		}
	}
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return Theme{}, fmt.Errorf("no theme %q: choose one of %s", name, strings.Join(append(UserNames(dir), Names()...), ", "))
	}
	return parse(name, name+".yaml", data)
}

// UserNames lists the themes in dir, without those that are not YAML files;
// none where dir is empty or missing.
func UserNames(dir string) []string {
	if dir == "" {
		return nil
	}
	matches, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil
	}
	for i, m := range matches {
		matches[i] = strings.TrimSuffix(filepath.Base(m), ".yaml")
	}
	slices.Sort(matches)
	return matches
}

// Parse reads a theme file. Every role must be there and be a hex colour;
// syntax colours may be left out. Errors name the theme and every role that is
// missing or wrong, with its value.
func Parse(name string, data []byte) (Theme, error) { return parse(name, name, data) }

// parse is Parse with what errors call the file.
func parse(name, file string, data []byte) (Theme, error) {
	var t Theme
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&t); err != nil && !errors.Is(err, io.EOF) {
		return Theme{}, fmt.Errorf("theme %s is not a theme file: %s", file, oneLine(err))
	}
	t.Name = name
	if t.Title == "" {
		t.Title = name
	}
	t.fallbacks()
	if wrong := t.problems(); len(wrong) > 0 {
		return Theme{}, fmt.Errorf("theme %s: %s", file, strings.Join(wrong, "; "))
	}
	return t, nil
}

// problems are the roles that are missing or wrong.
func (t Theme) problems() []string {
	var out []string
	if t.Mode != "dark" && t.Mode != "light" {
		out = append(out, fmt.Sprintf("mode is %q, write dark or light", t.Mode))
	}
	for i, r := range t.Roles() {
		_, err := Hex(r.Value)
		switch {
		case r.Value == "" && i >= required: // so is the role that it falls back to
		case r.Value == "":
			out = append(out, r.Name+" is missing, write "+r.Name+`: "#rrggbb" in quotes (a bare # begins a comment)`)
		case err != nil:
			out = append(out, r.Name+" "+err.Error())
		}
	}
	return out
}

// oneLine writes an error of the YAML reader without its line breaks.
func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

func (t *Theme) fallbacks() {
	for _, f := range []struct {
		to   *string
		from string
	}{{&t.Key, t.Accent}, {&t.String, t.Success}, {&t.Number, t.Warning}, {&t.Keyword, t.Info}, {&t.Punctuation, t.Muted}} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	if t.Overlay == "" {
		t.Overlay = t.overlay()
	}
}

// readable is the contrast that words need.
const readable = 4.5

// overlay is the surface where all words are readable on it, else the
// background moved away from the text, where they are more readable still.
func (t Theme) overlay() string {
	surface, err := Hex(t.Surface)
	if err != nil {
		return t.Surface
	}
	fits := !slices.ContainsFunc(t.words(), func(r Role) bool {
		c, err := Hex(r.Value)
		return err == nil && Contrast(c, surface) < readable
	})
	bg, err := Hex(t.Background)
	if fits || err != nil {
		return t.Surface
	}
	move := func(v uint8) uint8 { return v - v/4 }
	if t.Mode == "light" {
		move = func(v uint8) uint8 { return v + (0xff-v)*3/4 }
	}
	return fmt.Sprintf("#%02x%02x%02x", move(bg.R), move(bg.G), move(bg.B))
}

// words are the roles that text is drawn in.
func (t Theme) words() []Role {
	return slices.DeleteFunc(t.Roles(), func(r Role) bool {
		return slices.Contains([]string{"background", "surface", "selection", "border", "overlay"}, r.Name)
	})
}

// Role is one named colour of a theme.
type Role struct{ Name, Value string }

// required is the number of roles that a file must give, the first of Roles.
const required = 11

// Roles lists all colours of the theme.
func (t Theme) Roles() []Role {
	return []Role{
		{"background", t.Background}, {"surface", t.Surface}, {"selection", t.Selection},
		{"text", t.Text}, {"muted", t.Muted}, {"border", t.Border}, {"accent", t.Accent},
		{"success", t.Success}, {"warning", t.Warning}, {"error", t.Error}, {"info", t.Info},
		{"key", t.Key}, {"string", t.String}, {"number", t.Number}, {"keyword", t.Keyword}, {"punctuation", t.Punctuation},
		{"overlay", t.Overlay},
	}
}

// Hex parses "#rrggbb". The error names the value.
func Hex(s string) (color.RGBA, error) {
	if len(s) != 7 || s[0] != '#' {
		return color.RGBA{}, fmt.Errorf("%q is not a colour: write it as #rrggbb", s)
	}
	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return color.RGBA{}, fmt.Errorf("%q is not a colour: write it as #rrggbb", s)
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}, nil
}

// Contrast is the WCAG 2 contrast ratio of two colours, 1 to 21.
func Contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	if la < lb {
		la, lb = lb, la
	}
	return (la + 0.05) / (lb + 0.05)
}

func luminance(c color.RGBA) float64 {
	lin := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}
