package skill

import (
	"bytes"
	"strings"
	"testing"

	"patchbay/catalog"
)

func kinds(t testing.TB) []*catalog.Kind {
	t.Helper()
	c := catalog.New()
	var out []*catalog.Kind
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k)
	}
	return out
}

func TestEverySectionCanBeRead(t *testing.T) {
	for _, k := range kinds(t) {
		d, ok := Of(k, "id", "title", "")
		if !ok || len(d.Outline) < k.ActionCount() || len(d.Content) == 0 {
			t.Fatalf("%s: overview %v with %d sections", k.Name, ok, len(d.Outline))
		}
		for _, s := range d.Outline {
			section, ok := Of(k, "id", "title", s.ID)
			if !ok || section.Section == nil || *section.Section != s.ID || len(section.Content) < 2 {
				t.Errorf("%s: section %s: %v", k.Name, s.ID, ok)
			}
		}
	}
}

// A model that reads the section of an action finds every param in it.
func TestSectionsNameEveryParam(t *testing.T) {
	for _, k := range kinds(t) {
		for i := range k.Entities {
			e := &k.Entities[i]
			for _, a := range e.Actions {
				d, _ := Of(k, "", "", sectionID(e.Name, a.Name))
				text := d.Markdown()
				for _, p := range a.Params {
					if !strings.Contains(text, "| "+strings.ReplaceAll(p.Name, "|", `\|`)+" |") {
						t.Errorf("%s %s %s does not name %s", k.Name, e.Name, a.Name, p.Name)
					}
				}
			}
		}
	}
}

func TestUnknownSection(t *testing.T) {
	k := kinds(t)[0]
	for _, id := range []string{"nope", "actions.x.y", "actions." + k.Entities[0].Name, "entity:" + k.Entities[0].Name} {
		d, ok := Of(k, "", "", id)
		if ok || d.Section != nil || len(d.Outline) == 0 {
			t.Errorf("%s: %v, %d sections", id, ok, len(d.Outline))
		}
	}
}

func TestMarkdownOfEveryBlock(t *testing.T) {
	d, err := Parse([]byte(`{"metadata":{"id":"s:1","kind":"static","title":"A\nB","summary":"sum","warnings":["w1"]},
		"outline":[{"id":"one","title":"One","summary":"first"},{"id":"two","title":"Two","available":false}],
		"section_id":null,"content":[
		{"type":"heading","level":9,"text":"Deep"},{"type":"paragraph","text":" words "},
		{"type":"list","items":["a","b\nc"]},{"type":"code","language":"go","code":"x := ` + "````" + `\n"},
		{"type":"table","headers":["h|1"],"rows":[["a\\b","c|d"],[]]},{"type":"table"},
		{"type":"video","url":"x"},{"type":"list","items":7}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := "# A B\n\nSkill ID: s:1\n\nKind: static\n\nSummary: sum\n\nWarnings:\n- w1\n\n## Deep\n\nwords\n\n" +
		"- a\n- b c\n\n`````go\nx := ````\n`````\n\n| h\\|1 |  |\n|---|---|\n| a\\\\b | c\\|d |\n|  |  |\n\n\n" +
		"```json\n{\"type\":\"video\",\"url\":\"x\"}\n```\n\n```json\n{\"type\":\"list\",\"items\":7}\n```\n" +
		"\n## Outline\n\n- `one` One - first\n- `two` Two (not available)\n"
	if got := d.Markdown(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, k := range kinds(t) {
		d, _ := Of(k, "an id", "a title", outline(k)[0].ID)
		back, err := Parse(d.JSON().JSON())
		if err != nil {
			t.Fatal(err)
		}
		if back.Markdown() != d.Markdown() || !bytes.Equal(back.JSON().JSON(), d.JSON().JSON()) {
			t.Errorf("%s: the documents changed on the way", k.Name)
		}
	}
}
