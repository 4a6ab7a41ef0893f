package themes

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// need is the contrast that each role keeps against the background.
func need(role string) float64 {
	switch role {
	case "background", "surface":
		return 1
	case "overlay":
		return 1.04
	case "selection":
		return 1.2
	case "border":
		return 2
	case "text":
		return 7
	}
	return 4.5
}

func ratio(t *testing.T, a, b string) float64 {
	t.Helper()
	ca, err := Hex(a)
	if err != nil {
		t.Fatal(err)
	}
	cb, err := Hex(b)
	if err != nil {
		t.Fatal(err)
	}
	return Contrast(ca, cb)
}

func TestEveryTheme(t *testing.T) {
	if n := len(Names()); n < 12 {
		t.Fatalf("%d themes, want at least 12: %v", n, Names())
	}
	titles := map[string]string{}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			th, err := Load(name, "")
			if err != nil {
				t.Fatal(err)
			}
			if other, taken := titles[th.Title]; taken {
				t.Errorf("title %q is also that of %s", th.Title, other)
			}
			titles[th.Title] = name
			checkContrast(t, th)
			checkMode(t, th)
		})
	}
}

func checkContrast(t *testing.T, th Theme) {
	t.Helper()
	high := strings.HasPrefix(th.Name, "high-contrast")
	for _, r := range th.Roles() {
		want := need(r.Name)
		if high && want == 4.5 {
			want = 7
		}
		if got := ratio(t, r.Value, th.Background); got < want {
			t.Errorf("%s %s has contrast %.2f on background %s, want %.1f", r.Name, r.Value, got, th.Background, want)
		}
	}
	for _, on := range []Role{{"selection", th.Selection}, {"surface", th.Surface}} {
		if got := ratio(t, th.Text, on.Value); got < 4.5 {
			t.Errorf("text %s has contrast %.2f on %s %s, want 4.5", th.Text, got, on.Name, on.Value)
		}
	}
	for _, r := range th.words() {
		want := need(r.Name)
		if r.Name == "text" {
			want = 6
		}
		if got := ratio(t, r.Value, th.Overlay); got < want {
			t.Errorf("%s %s has contrast %.2f on overlay %s, want %.1f", r.Name, r.Value, got, th.Overlay, want)
		}
	}
	if got := ratio(t, th.Selection, th.Overlay); got < 1.12 {
		t.Errorf("selection has contrast %.2f on overlay %s, want 1.12", got, th.Overlay)
	}
	if th.Accent == th.Text || th.Selection == th.Surface {
		t.Error("accent must differ from text, and selection from surface")
	}
	states := []string{th.Success, th.Warning, th.Error}
	slices.Sort(states)
	if len(slices.Compact(states)) != 3 {
		t.Errorf("success, warning and error must differ: %v", states)
	}
}

func checkMode(t *testing.T, th Theme) {
	t.Helper()
	light := ratio(t, th.Background, "#000000") > ratio(t, th.Background, "#ffffff")
	if light != (th.Mode == "light") {
		t.Errorf("mode is %s but the background is %s", th.Mode, th.Background)
	}
}

func TestSchemaHoldsEveryFile(t *testing.T) {
	raw, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("schema.json")
	for _, name := range Names() {
		if err := schema.Validate(readYAML(t, name+".yaml")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := readYAML(t, Names()[0]+".yaml")
	bad["text"] = "white"
	if schema.Validate(bad) == nil {
		t.Error("the schema takes a colour by name, the loader does not")
	}
	described := doc.(map[string]any)["properties"].(map[string]any)
	for _, r := range (Theme{}).Roles() {
		p, ok := described[r.Name].(map[string]any)
		if !ok || p["description"] == nil {
			t.Errorf("the schema does not describe %s", r.Name)
		}
	}
}

func readYAML(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

const small = `mode: dark
background: "#000000"
surface: "#111111"
selection: "#222222"
text: "#ffffff"
muted: "#aaaaaa"
border: "#777777"
accent: "#00ffff"
success: "#00ff00"
warning: "#ffff00"
error: "#ff8888"
info: "#ff88ff"
`

func TestSyntaxColoursFallBack(t *testing.T) {
	th, err := Parse("mine", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{th.Name, th.Title, th.Key, th.String, th.Number, th.Keyword, th.Punctuation}
	want := []string{"mine", "mine", "#00ffff", "#00ff00", "#ffff00", "#ff88ff", "#aaaaaa"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What lies over the screen is the surface where words are readable on it, and
// beyond the background otherwise; a theme may say.
func TestOverlayFallsBack(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"", "", "#111111"},
		{`surface: "#111111"`, `surface: "#777777"`, "#000000"},
		{`"#000000"`, `"#202020"` + "\noverlay: \"#123456\"", "#123456"},
	} {
		th, err := Parse("mine", []byte(strings.Replace(small, c.from, c.to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if th.Overlay != c.want {
			t.Errorf("%q gives %s, want %s", c.to, th.Overlay, c.want)
		}
	}
	light := strings.NewReplacer("mode: dark", "mode: light", "#000000", "#f0f0f0", "#111111", "#777777").Replace(small)
	if th, err := Parse("mine", []byte(light)); err != nil || th.Overlay != "#fbfbfb" {
		t.Errorf("a light theme gives %s, %v", th.Overlay, err)
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		want           []string
	}{
		{"colour by name", `"#ffffff"`, "white", []string{"text", `"white"`, "#rrggbb"}},
		{"bare hex is a comment", `"#00ffff"`, "#00ffff", []string{"accent is missing", "quotes"}},
		{"too short", `"#aaaaaa"`, `"#aaa"`, []string{"muted", `"#aaa"`}},
		{"not hex", `"#777777"`, `"#77777g"`, []string{"border", `"#77777g"`}},
		{"role left out", "error: \"#ff8888\"\n", "", []string{"error is missing"}},
		{"mode", "mode: dark", "mode: dusk", []string{"mode", `"dusk"`, "light"}},
		{"unknown role", "text:", "texte:", []string{`unknown key "texte"; did you mean "text"?`, "text is missing"}},
		{"two at once", `"#ff88ff"`, `"#ff88fz"` + "\nkey: blue", []string{"info", `"#ff88fz"`, "key", `"blue"`}},
		{"a list", small, "- a\n", []string{"mine:1: expected keys and values, found a list"}},
		{"empty", small, "", []string{"mode", "background is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("mine", []byte(strings.Replace(small, c.from, c.to, 1)))
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range append(c.want, "mine") {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q lacks %q", err, w)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error has line breaks: %q", err)
			}
		})
	}
}

func TestUserThemesWin(t *testing.T) {
	dir := t.TempDir()
	write := func(name, s string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("nord.yaml", small)
	write("broken.yaml", strings.Replace(small, `"#ffffff"`, "white", 1))
	write("notes.txt", "")
	if th, err := Load("nord", dir); err != nil || th.Text != "#ffffff" {
		t.Errorf("got %v, %v; the user's file wins", th.Text, err)
	}
	if _, err := Load("broken", dir); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "broken.yaml")) || !strings.Contains(err.Error(), `:5: text: "white"`) {
		t.Errorf("error %v must name file, role and value", err)
	}
	if got := UserNames(dir); !slices.Equal(got, []string{"broken", "nord"}) {
		t.Errorf("user themes are %v", got)
	}
	if got := UserNames(""); got != nil {
		t.Errorf("no folder gives %v", got)
	}
	for _, name := range []string{"", ".", "../nord", "a/b", "nowhere"} {
		if _, err := Load(name, dir); err == nil {
			t.Errorf("Load(%q) must fail", name)
		}
	}
}

func TestContrast(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#000000", 21}, {"#777777", "#777777", 1}, {"#767676", "#ffffff", 4.54}} {
		if got := ratio(t, c.a, c.b); got < c.want-0.01 || got > c.want+0.01 {
			t.Errorf("contrast of %s and %s is %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	for _, name := range Names() {
		if data, err := files.ReadFile(name + ".yaml"); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		th, err := Parse("mine", data)
		if err != nil {
			return
		}
		for _, r := range th.Roles() {
			if _, err := Hex(r.Value); err != nil {
				t.Errorf("Parse let %s through: %v", r.Name, err)
			}
		}
	})
}

func TestOwnThemesInherit(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("mine", "base: patchbay-dark\naccent: \"#ff8800\"\n")
	write("yours", "base: mine\ntitle: Yours\nbackground: \"#000000\"\n")
	write("nord", "base: nord\ntext: \"#ffffff\"\n")
	write("round", "base: again\n")
	write("again", "base: round\n")
	write("wrong", "base: patchbay-dark\n\nerror: red\n")
	write("none", "base: nothing\n")
	dark, err := Load("patchbay-dark", "")
	if err != nil {
		t.Fatal(err)
	}
	mine, err := Load("mine", dir)
	if err != nil || mine.Accent != "#ff8800" || mine.Text != dark.Text || mine.Mode != "dark" || mine.Title != "mine" {
		t.Errorf("mine: %+v, %v", mine, err)
	}
	yours, err := Load("yours", dir)
	if err != nil || yours.Accent != "#ff8800" || yours.Background != "#000000" || yours.Title != "Yours" {
		t.Errorf("yours: %+v, %v", yours, err)
	}
	if own, err := Load("nord", dir); err != nil || own.Text != "#ffffff" || own.Accent != "#88c0d0" {
		t.Errorf("nord: %+v, %v", own, err)
	}
	for name, want := range map[string]string{"round": "based on itself", "none": `no theme "nothing"`,
		"wrong": `wrong.yaml:3: error: "red" is not a colour`} {
		if _, err := Load(name, dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
