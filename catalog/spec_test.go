package catalog_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

// everyMismatch lifts the limit on the differences that a failing run prints.
var everyMismatch = flag.Bool("spec.all", false, "print every difference between specification and catalog")

const printedMismatches = 190

func loadKind(t testing.TB, name string) *catalog.Kind {
	t.Helper()
	file := "connectors/" + name + ".yaml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kind, problems := source.Parse(file, data)
	if kind == nil {
		t.Fatal(problems)
	}
	return kind
}

// TestCatalogTellsTheSpecification holds the catalog against the transcription:
// no fact missing, nothing told as documented that is not. It reads the catalog
// as the program does, so that the compiled form is held too.
func TestCatalogTellsTheSpecification(t *testing.T) {
	all := []mismatch{}
	platform, known := readSpec(t, "platform"), catalog.New()
	documented := specKinds(t)
	for _, summary := range known.Kinds() {
		kind, err := known.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		var lines []specLine
		if slices.Contains(documented, summary.Name) {
			lines = readSpec(t, summary.Name)
		}
		found, err := compareKind(kind, lines, platform)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if n := len(known.Kinds()); n < len(documented)+2 {
		t.Errorf("the catalog has %d kinds, want the %d of parts A and B, crm and meeting_notes", n, len(documented))
	}
	report(t, all)
}

func report(t *testing.T, all []mismatch) {
	t.Helper()
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b mismatch) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.place, b.place), cmp.Compare(a.path, b.path), cmp.Compare(a.String(), b.String()))
	})
	var out strings.Builder
	for i, m := range all {
		if i == printedMismatches && !*everyMismatch {
			fmt.Fprintf(&out, "and %d more (-spec.all prints them)\n", len(all)-i)
			break
		}
		fmt.Fprintln(&out, m)
	}
	t.Errorf("%d differences between specification and catalog\n%s", len(all), out.String())
}

// comparison compares one kind with its lines.
type comparison struct {
	kind     *catalog.Kind
	lines    []specLine
	platform []specLine
	want     map[string]map[string]*wantField
	out      []mismatch
}

func compareKind(kind *catalog.Kind, lines, platform []specLine) ([]mismatch, error) {
	want, err := wantFields(lines)
	if err != nil {
		return nil, err
	}
	c := &comparison{kind: kind, lines: lines, platform: platform, want: want}
	c.entities()
	for i := range kind.Entities {
		c.fields(&kind.Entities[i])
	}
	c.omitted()
	c.rules()
	c.pages()
	c.words()
	c.emptiness()
	c.credentials()
	c.states()
	c.limits()
	for i := range c.out {
		c.out[i].kind = kind.Name
	}
	return c.out, nil
}

func (c *comparison) bad(place, path, expected, found string, where ...string) {
	c.out = append(c.out, mismatch{place: place, path: path, expected: expected, found: found, where: strings.Join(where, " ")})
}

// having are the lines that begin with the words.
func having(lines []specLine, words ...string) []specLine {
	var out []specLine
	for _, l := range lines {
		if len(l.words) >= len(words) && slices.Equal(l.words[:len(words)], words) {
			out = append(out, l)
		}
	}
	return out
}

// entities compares the names of entities and actions.
func (c *comparison) entities() {
	want := map[string]specLine{}
	for _, l := range c.lines {
		if l.words[0] == "entity" || l.words[0] == "action" {
			want[strings.Join(l.words[1:], " ")] = l
		}
	}
	got := map[string]catalog.Source{}
	for _, e := range c.kind.Entities {
		got[e.Name] = e.Source
		for _, a := range e.Actions {
			got[e.Name+" "+a.Name] = a.Source
		}
	}
	for name, l := range want {
		if source, ok := got[name]; !ok || source != catalog.Documented {
			c.bad(l.words[0], name, "documented", fmt.Sprintf("present %t, source %q", ok, source), l.where())
		}
	}
	for name, source := range got {
		if _, ok := want[name]; !ok && source == catalog.Documented {
			c.bad("entity or action", name, "nothing told as documented", "documented")
		}
	}
}

// fields compares records, searchable fields, params and meta of an entity.
func (c *comparison) fields(e *catalog.Entity) {
	c.record(e)
	c.compare("search "+e.Name, e.Search)
	for i := range e.Actions {
		a := &e.Actions[i]
		if len(having(c.lines, "shape", e.Name, a.Name)) > 0 {
			c.commonShape(e, a)
			continue
		}
		params := map[string]*foundField{}
		flatten(a.Params, "", params)
		foldRules(a, params)
		place := "param " + e.Name + " " + a.Name
		c.out = append(c.out, compareFields(place, c.wantParams(e.Name, a.Name), params)...)
		c.compare("meta "+e.Name+" "+a.Name, a.Meta)
	}
}

func (c *comparison) compare(place string, fields []catalog.Field) {
	got := map[string]*foundField{}
	flatten(fields, "", got)
	c.out = append(c.out, compareFields(place, c.want[place], got)...)
}

// record compares the entity's record with the lines that hold for the whole
// entity, and what each action answers with the lines of that action.
func (c *comparison) record(e *catalog.Entity) {
	whole := "record " + e.Name
	if c.want[whole] != nil || !c.anyActionRecord(e) {
		c.compare(whole, e.Record)
	}
	for i := range e.Actions {
		a := &e.Actions[i]
		place := whole + " " + a.Name
		fields := map[string]*foundField{}
		flatten(e.RecordOf(a), "", fields)
		switch {
		case c.want[place] != nil:
			c.dropOmitted(e.Name, a.Name, place, fields)
			c.out = append(c.out, compareFields(place, c.want[place], fields)...)
		case a.Record != nil:
			c.out = append(c.out, onlySurplus(compareFields(place, c.want[whole], fields))...)
		case c.anyActionRecord(e) && (a.Name == catalog.ActionList || a.Name == catalog.ActionGet) && c.want[whole] == nil:
			c.out = append(c.out, compareFields(place, nil, fields)...)
		}
	}
}

// onlySurplus keeps what the catalog tells beyond the lines: an action's own
// record may hold fewer fields than the entity's.
func onlySurplus(all []mismatch) []mismatch {
	return slices.DeleteFunc(all, func(m mismatch) bool { return m.found == "nothing" })
}

func (c *comparison) anyActionRecord(e *catalog.Entity) bool {
	for _, a := range e.Actions {
		if c.want["record "+e.Name+" "+a.Name] != nil {
			return true
		}
	}
	return false
}

// dropOmitted takes out the fields that the action leaves out and no line gives it.
func (c *comparison) dropOmitted(entity, action, place string, fields map[string]*foundField) {
	for path, f := range fields {
		if slices.Contains(f.field.Omitted, action) && c.want[place][path] == nil {
			delete(fields, path)
		}
	}
}

// commonShape compares params and meta of a search with the common request and envelope.
func (c *comparison) commonShape(e *catalog.Entity, a *catalog.Action) {
	place := e.Name + " " + a.Name
	params, meta := map[string]*wantField{}, map[string]*wantField{}
	for _, l := range having(c.platform, "search-param") {
		params[l.word(1)] = c.platformField(l)
	}
	for _, l := range having(c.platform, "envelope") {
		if name, ok := strings.CutPrefix(l.word(1), "meta."); ok {
			meta[name] = c.platformField(l)
		}
	}
	gotParams, gotMeta := map[string]*foundField{}, map[string]*foundField{}
	flatten(a.Params, "", gotParams)
	flatten(a.Meta, "", gotMeta)
	c.out = append(c.out, compareFields("param "+place, params, gotParams)...)
	c.out = append(c.out, compareFields("meta "+place, meta, gotMeta)...)
	if !a.HostedOnly {
		c.bad("action", place, "hosted only", "also local")
	}
}

func (c *comparison) platformField(l specLine) *wantField {
	f, err := fieldOf(l, 2)
	if err != nil {
		c.bad(l.word(0), l.word(1), "a field", err.Error(), l.where())
		return &wantField{kind: "?"}
	}
	return f
}
