package described

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
)

func marina(docs string) *catalog.Kind {
	k, _ := Kind(Told{Type: "marina", Docs: json.RawMessage(docs), Describe: json.RawMessage(
		`{"entities":[{"name":"boats","primary_key":"id","actions":[{"name":"list","parameters":{"type":"object",
		"properties":{"state":{"type":"string","enum":["afloat"],"default":"afloat"},"n":{"type":"integer","minimum":1}}}},"dock"],
		"schema":{"properties":{"id":{"type":"string"}}},"searchable_fields":["id"]}]}`)})
	return k
}

// What is kept comes back as it was, for its service alone, the newest first.
func TestKeep(t *testing.T) {
	s, k := Store{Dir: filepath.Join(t.TempDir(), "described")}, marina("{}")
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	for i, version := range []string{"1", "2", "../3", "4"} {
		k.Doc = "version " + version
		if err := s.Keep("https://a.example", version, day.AddDate(0, 0, i), k); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Load("https://a.example", "Marina")
	if !reflect.DeepEqual(got, k) {
		t.Errorf("got %+v\nwant %+v", got, k)
	}
	if s.Load("https://b.example", "marina") != nil || s.Load("https://a.example", "other") != nil {
		t.Error("the description of one service or type is given for another")
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "*"))
	if len(files) != mostVersions {
		t.Errorf("%q", files)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f, info.Mode(), err)
		}
	}
	c := catalog.New()
	s.Lend(c)
	lent, _, a, err := c.Resolve("marina", "boats", "dock")
	if err != nil || a == nil || lent.Doc != k.Doc {
		t.Errorf("%v %v", a, err)
	}
	if hits := c.Search("boats dock", 1); len(hits) != 1 || hits[0].Kind != "marina" {
		t.Errorf("%+v", hits)
	}
}

// A damaged file tells nothing, and an empty folder keeps nothing.
func TestDamagedDescriptions(t *testing.T) {
	s := Store{Dir: t.TempDir()}
	if err := s.Keep("x", "1", time.Now(), marina("{}")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(s.Dir, "*"))
	data, err := os.ReadFile(files[0])
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	for _, damaged := range []string{"", "{}", string(data[:len(data)/2]), strings.ToUpper(string(data)), "\x00\n\x00"} {
		if err := os.WriteFile(files[0], []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if k := s.Load("x", "marina"); k != nil {
			t.Errorf("%.40q gives %+v", damaged, k)
		}
		s.Lend(catalog.New())
	}
	if err := (Store{}).Keep("x", "1", time.Now(), marina("{}")); err != nil || (Store{}).Load("x", "marina") != nil {
		t.Error("something is kept nowhere", err)
	}
}

func TestCompare(t *testing.T) {
	known := marina("{}")
	if got := Compare(known, marina("{}")); got != nil {
		t.Errorf("%v", got)
	}
	live, _ := Kind(Told{Type: "marina", Describe: json.RawMessage(`{"entities":[{"name":"boats","actions":[
		{"name":"list","parameters":{"properties":{"state":{},"pier":{}}}},"sink"]},{"name":"crews"}]}`)})
	var got []string
	for _, d := range Compare(known, live) {
		got = append(got, d.String())
	}
	want := "boats list n: only the catalog; boats list pier: only the service; boats dock: only the catalog; " +
		"boats sink: only the service; crews: only the service"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("\n got %s\nwant %s", text, want)
	}
	names, _ := Kind(Told{Type: "marina", Describe: json.RawMessage(`{"entities":["boats"]}`)})
	if got := Compare(known, names); got != nil {
		t.Errorf("a description of names alone differs: %v", got)
	}
}
