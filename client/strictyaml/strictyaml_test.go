package strictyaml

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

type sample struct {
	Name   string            `yaml:"name"`
	Size   int               `json:"size,omitempty"`
	Ratio  *float64          `yaml:"ratio"`
	On     bool              `yaml:"enabled"`
	Tags   []string          `yaml:"tags"`
	Places map[string]string `yaml:"places"`
	Hidden string            `yaml:"-"`
}

func TestDecode(t *testing.T) {
	var s sample
	f := Read("a.yaml", []byte("name: &n x\nsize: 3\nratio: 1.5\nenabled: true\ntags: [a, 5]\nplaces: {b: *n}\n"))
	f.Decode(&s)
	if err := f.Err(); err != nil {
		t.Fatal(err)
	}
	if *s.Ratio != 1.5 {
		t.Errorf("ratio is %v", *s.Ratio)
	}
	s.Ratio = nil
	want := sample{Name: "x", Size: 3, On: true, Tags: []string{"a", "5"}, Places: map[string]string{"b": "x"}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestAllProblemsAreReportedWithTheirLines(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"# nothing\n", nil},
		{"name: [", []string{"a.yaml:1: not valid YAML: did not find expected node content"}},
		{"name: a\n---\nname: b\n", []string{"a.yaml:2: the file holds more than one document: remove the second one (behind ---)"}},
		{"- a\n", []string{"a.yaml:1: expected keys and values, found a list"}},
		{"nmae: a\nsize: few\nenabled: perhaps\ntags: x\nHidden: y\n", []string{
			`a.yaml:1: unknown key "nmae"; did you mean "name"?`,
			`a.yaml:2: size: expected a number, found "few"`,
			`a.yaml:3: enabled: expected true or false, found "perhaps"`,
			"a.yaml:4: tags: expected a list, found a single value",
			`a.yaml:5: unknown key "Hidden"; known are name, size, ratio, enabled, tags, places`,
		}},
		{"name: a\nname: b\n", []string{"a.yaml:2: name: the key stands twice, first in line 1"}},
		{"name: [a]\ntags:\n  - {}\n", []string{
			"a.yaml:1: name: expected a single value, found a list",
			"a.yaml:3: tags[0]: expected a single value, found keys and values",
		}},
		{"name:\n", []string{`a.yaml:1: name: expected text, found nothing: write ""`}},
		{"<<: {name: a}\n", []string{"a.yaml:1: merge keys (<<) are not YAML 1.2: repeat the entries or use an alias for the whole value"}},
		{"[a]: b\n", []string{"a.yaml:1: a key must be plain text"}},
	} {
		f := Read("a.yaml", []byte(test.text))
		f.Decode(&sample{})
		if got := f.Problems().Lines(); !slices.Equal(got, test.want) {
			t.Errorf("%q:\n%s\nwant\n%s", test.text, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

func TestPortableFilesReadTheSameEverywhere(t *testing.T) {
	f := Read("a.yaml", []byte("on: x\nname: 12\n"))
	f.Portable = true
	f.Decode(&sample{})
	want := []string{
		`a.yaml:1: YAML readers may take the key on for something else: write "on"`,
		`a.yaml:2: name: expected text, found "12": write "12"`,
	}
	if got := f.Problems().Lines(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestJSONKeepsOrderAndNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"{b: 1.50, a: [null, true, x, 12345678901234567890]}": `{"b":1.50,"a":[null,true,"x",12345678901234567890]}`,
		"{a: 0x1F, b: .5, c: 2024-01-02, d: '<&>'}":           `{"a":31,"b":0.5,"c":"2024-01-02","d":"<&>"}`,
		"{a: .inf}":          "",
		"{a: !!binary aGk=}": "",
	} {
		if got := string(Read("a.yaml", []byte(text)).Root().JSON()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestHostileFilesEnd(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		before := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+before+",", 8) + "*" + before + "]\n"
	}
	for _, text := range []string{bomb, strings.Repeat("[", 500) + strings.Repeat("]", 500)} {
		f := Read("a.yaml", []byte(text))
		f.Root().JSON()
		if got := f.Problems(); len(got) != 1 || !strings.Contains(got[0].Reason, "nests or repeats too much") {
			t.Errorf("%.20q: %v", text, got)
		}
	}
	f := Read("a.yaml", []byte("a: &a 1\nb: *a\n"))
	f.NoAliases = true
	if f.Root().JSON() != nil || f.Problems()[0].Line != 2 {
		t.Errorf("an alias is read: %v", f.Problems())
	}
}

func TestBadFindsTheDeepestKnownLine(t *testing.T) {
	f := Read("a.yaml", []byte("places:\n  x: y\n"))
	f.Decode(&sample{})
	f.Bad("places.x.deeper[3]", "is wrong")
	if got := f.Err().Error(); got != "a.yaml:2: places.x.deeper[3]: is wrong" {
		t.Error(got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"customers", "invoices", "customer_id", "refunds"}
	for word, want := range map[string]string{"custmers": "customers", "invoice": "invoices", "zzz": "", "REFUND": "refunds"} {
		if got := strings.Join(Nearest(word, names, 1), ""); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("customer", names); got != `; did you mean "customers" or "customer_id"?` {
		t.Error(got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("name: x\ntags: [a]\n")
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := Read("a.yaml", []byte(text))
		file.Decode(&sample{})
		if root := file.Root(); root.Exists() {
			root.JSON()
		}
	})
}
