package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
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

func count(t testing.TB, text []byte) int {
	t.Helper()
	n, err := CountTokens(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What the three tools say up front must be a small part of the legacy text, or they
// would be for nothing.
func TestThreeToolsCostLess(t *testing.T) {
	three, one := 0, 0
	for _, k := range kinds(t) {
		tools, single := ToolsJSON(Tools(k)), ToolsJSON([]Tool{Single(k)})
		a, b := count(t, tools), count(t, single)
		t.Logf("%-24s three %6d bytes %5d tokens; one %7d bytes %6d tokens; %4.1f%%", k.Name, len(tools), a,
			len(single), b, 100*float64(a)/float64(b))
		three, one = three+a, one+b
	}
	t.Logf("all: three %d tokens, one %d", three, one)
	if three*4 > one {
		t.Errorf("the three tools take %d tokens, the one %d", three, one)
	}
}

func TestEverySectionCanBeRead(t *testing.T) {
	for _, k := range kinds(t) {
		d, ok := DocsOf(k, "id", "title", "")
		if !ok || len(d.Outline) < k.ActionCount() || len(d.Content) == 0 {
			t.Fatalf("%s: overview %v with %d sections", k.Name, ok, len(d.Outline))
		}
		for _, s := range d.Outline {
			section, ok := DocsOf(k, "id", "title", s.ID)
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
				d, _ := DocsOf(k, "", "", sectionID(e.Name, a.Name))
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
		d, ok := DocsOf(k, "", "", id)
		if ok || d.Section != nil || len(d.Outline) == 0 {
			t.Errorf("%s: %v, %d sections", id, ok, len(d.Outline))
		}
	}
}

// What is served is read back as it was, and schemas are JSON that names what is there.
func TestDocsRoundTrip(t *testing.T) {
	for _, k := range kinds(t) {
		d, _ := DocsOf(k, "an id", "a title", outline(k)[0].ID)
		back, err := ParseDocs(d.JSON().JSON())
		if err != nil {
			t.Fatal(err)
		}
		if back.Markdown() != d.Markdown() || !bytes.Equal(back.JSON().JSON(), d.JSON().JSON()) {
			t.Errorf("%s: the documents changed on the way", k.Name)
		}
		var tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]struct{ Enum []string }
				Required   []string
			}
		}
		if err := json.Unmarshal(ToolsJSON(Tools(k)), &tools); err != nil {
			t.Fatal(err)
		}
		x := tools[2]
		if x.Name != ExecuteTool || !slices.Equal(x.InputSchema.Required, []string{"entity", "action"}) ||
			!slices.Equal(x.InputSchema.Properties["entity"].Enum, k.EntityNames()) {
			t.Errorf("%s: execute is %+v", k.Name, x)
		}
	}
}

func TestMarkdownOfEveryBlock(t *testing.T) {
	d, err := ParseDocs([]byte(`{"metadata":{"id":"s:1","kind":"static","title":"A\nB","summary":"sum","warnings":["w1"]},
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

func TestCountTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "hello world": 2, `{"id":"ch_1","amount":7050}`: 12} {
		if got := count(t, []byte(text)); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
	long := bytes.Repeat([]byte("a word, and another "), 20_000)
	whole, err := vocabulary().Count(string(long))
	if err != nil {
		t.Fatal(err)
	}
	if got := count(t, long); got < whole || got > whole+len(long)/countStep+1 {
		t.Errorf("in parts it has %d tokens, whole %d", got, whole)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CountTokens(ctx, long); err == nil {
		t.Error("an ended context did not end it")
	}
}

func BenchmarkCountTokens(b *testing.B) {
	text := bytes.Repeat([]byte(`{"id":"ch_qlDhGwyNqkjWNiRo7WjNZctp","amount":7050,"currency":"usd"},`), 1000)
	count(b, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		count(b, text)
	}
}
