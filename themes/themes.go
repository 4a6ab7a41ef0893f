package themes

import (
	"embed"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/ownfile"
	"patchbay/client/strictyaml"
)

//go:embed *.yaml
var files embed.FS

// Theme gives every role a colour as "#rrggbb".
type Theme struct {
	// Name is the file name without its ending; Title is for people.
	Name  string `yaml:"-"`
	Title string `yaml:"title"`
	// Base names the theme that gives the roles which the file leaves out; empty for none.
	Base string `yaml:"base"`
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
	return namesIn(files)
}

func namesIn(folder fs.FS) []string {
	names, _ := fs.Glob(folder, "*.yaml") // the pattern is a good one, and what cannot be read holds none
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".yaml")
	}
	slices.Sort(names)
	return names
}

// Load returns the built-in theme of that name, or the one in the file
// NAME.yaml of dir (the user's own themes; may be empty). The user's wins.
// Errors name the file, the role and the value that is wrong.
func Load(name, dir string) (Theme, error) { return load(name, dir, nil) }

// load is Load for a theme that those of the names before are based on.
func load(name, dir string, before []string) (Theme, error) {
	base := func(of string) (Theme, error) {
		if slices.Contains(before, of) || of == name && !slices.Contains(Names(), of) {
			return Theme{}, fmt.Errorf("theme %s is based on itself", of)
		}
		if of == name { // a person's own theme in the name of a built-in one
			return load(of, "", nil)
		}
		return load(of, dir, append(before, name))
	}
	if name != filepath.Base(name) || name == "" || name == "." {
		return Theme{}, fmt.Errorf("theme name %q: give a name without a path", name)
	}
	if dir != "" {
		file := filepath.Join(dir, name+".yaml")
		data, err := ownfile.Read(file, ownfile.Small)
		if err == nil {
			return parse(name, file, data, base)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return Theme{}, fmt.Errorf("theme %s cannot be read: %w", name, err)
		}
	}
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return Theme{}, fmt.Errorf("no theme %q: choose one of %s", name,
			strings.Join(append(UserNames(dir), Names()...), ", "))
	}
	return parse(name, name+".yaml", data, base)
}

// UserNames lists the themes in dir, without those that are not YAML files;
// none where dir is empty or missing.
func UserNames(dir string) []string {
	if dir == "" {
		return nil
	}
	return namesIn(os.DirFS(dir))
}

// All lists the built-in themes and then those of dir that have other names.
func All(dir string) []string {
	names := Names()
	return append(names, slices.DeleteFunc(UserNames(dir), func(n string) bool { return slices.Contains(names, n) })...)
}

// Parse reads a theme file. Every role must be there, or in the built-in theme that it
// is based on, and be a hex colour; syntax colours may be left out. Errors name the
// theme and every role that is missing or wrong, with its value.
func Parse(name string, data []byte) (Theme, error) {
	return parse(name, name, data, func(base string) (Theme, error) { return Load(base, "") })
}

// parse is Parse with what errors call the file, and what finds the theme it is based on.
func parse(name, file string, data []byte, base func(string) (Theme, error)) (Theme, error) {
	var t, own Theme
	f := strictyaml.Read(file, data)
	strictyaml.Read(file, data).Decode(&own) // what is wrong with it is told once, below
	if own.Base != "" {
		var err error
		if t, err = base(own.Base); err != nil {
			return Theme{}, fmt.Errorf("theme %s: base: %w", file, err)
		}
		if own.Background+own.Surface != "" {
			t.Overlay = ""
		}
	}
	t.Name, t.Title = name, ""
	f.Decode(&t)
	if t.Title == "" {
		t.Title = name
	}
	t.fallbacks()
	if f.Err() == nil || f.Root().IsMapping() { // else nothing was read
		t.check(f)
	}
	if f.Err() != nil {
		return Theme{}, fmt.Errorf("theme %s", strings.Join(f.Problems().Lines(), "; "))
	}
	return t, nil
}

// check reports the roles that are missing or wrong.
func (t Theme) check(f *strictyaml.File) {
	if t.Mode != "dark" && t.Mode != "light" {
		f.Bad("mode", "%q is not dark or light", t.Mode)
	}
	for i, r := range t.Roles() {
		_, err := Hex(r.Value)
		switch {
		case r.Value == "" && i >= required: // so is the role that it falls back to
		case r.Value == "":
			f.Bad("", "%s is missing, write %s: \"#rrggbb\" in quotes (a bare # begins a comment)", r.Name, r.Name)
		case err != nil:
			f.Bad(r.Name, "%s", err)
		}
	}
}

func (t *Theme) fallbacks() {
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&t.Key, t.Accent}, {&t.String, t.Success}, {&t.Number, t.Warning}, {&t.Keyword, t.Info},
		{&t.Punctuation, t.Muted},
	} {
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
		{"key", t.Key}, {"string", t.String}, {"number", t.Number}, {"keyword", t.Keyword},
		{"punctuation", t.Punctuation},
		{"overlay", t.Overlay},
	}
}

// Hex parses "#rrggbb". The error names the value.
func Hex(s string) (color.RGBA, error) {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "#"), 16, 32)
	if err != nil || len(s) != 7 || s[0] != '#' {
		return color.RGBA{}, fmt.Errorf("%q is not a colour: write it as #rrggbb", s)
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 0xff}, nil
}

// Contrast is the WCAG 2 contrast ratio of two colours, 1 to 21.
func Contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a)+0.05, luminance(b)+0.05
	return max(la/lb, lb/la)
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
