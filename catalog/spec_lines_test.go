package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// specDir holds the transcription of the specification; its README.md tells the format.
const specDir = "../testdata/spec"

// specLine is one fact of the specification.
type specLine struct {
	file  string
	no    int
	words []string
}

func (l specLine) where() string { return fmt.Sprintf("%s:%d", l.file, l.no) }

// word is the nth word, empty when the line is shorter.
func (l specLine) word(n int) string {
	if n < len(l.words) {
		return l.words[n]
	}
	return ""
}

// option is the value of the word "name=value".
func (l specLine) option(name string) string {
	for _, w := range l.words {
		if value, ok := strings.CutPrefix(w, name+"="); ok {
			return value
		}
	}
	return ""
}

// plain are the words from the nth on that are not options.
func (l specLine) plain(from int) []string {
	var out []string
	for _, w := range l.words[min(from, len(l.words)):] {
		if !strings.Contains(w, "=") {
			out = append(out, w)
		}
	}
	return out
}

// splitWords splits at spaces outside double quotes and drops the quotes.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quoted, open := false, false
	for _, r := range line {
		switch {
		case r == '"':
			quoted, open = !quoted, true
		case (r == ' ' || r == '\t') && !quoted:
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quote is not closed")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}

func parseSpec(file, text string) ([]specLine, error) {
	var lines []specLine
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words, err := splitWords(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		lines = append(lines, specLine{file: file, no: i + 1, words: words})
	}
	return lines, nil
}

func readSpec(t testing.TB, name string) []specLine {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(specDir, name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := parseSpec(name+".txt", string(data))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// specKinds are the names of the kinds that have a file of their own.
func specKinds(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(specDir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".txt"); name != "platform" {
			names = append(names, name)
		}
	}
	return names
}

// attr is a told attribute of a field; optional ones may stand in the catalog but need not.
type attr struct {
	value    string
	optional bool
}

// wantField is what the specification tells of one field.
type wantField struct {
	kind     string
	attrs    map[string]attr
	optional bool
	where    string
}

// valueAttrs are the attributes written name=value, flagAttrs those written alone.
var (
	valueAttrs = []string{"const", "enum", "default", "min", "max", "max_items", "separator", "format"}
	flagAttrs  = []string{"null", "required", "injected", "one_of"}
)

// fieldOf reads a type and attributes from the nth word on.
func fieldOf(l specLine, from int) (*wantField, error) {
	f := &wantField{kind: l.word(from), attrs: map[string]attr{}, where: l.where(), optional: strings.HasSuffix(l.words[0], "?")}
	if !validType(f.kind) {
		return nil, fmt.Errorf("%s: %q is no type", l.where(), f.kind)
	}
	for _, w := range l.words[from+1:] {
		name, value, valued := strings.Cut(w, "=")
		name, optional := strings.CutSuffix(name, "?")
		known := slices.Contains(flagAttrs, name) && !valued || slices.Contains(valueAttrs, name) && (valued || optional)
		if !known {
			return nil, fmt.Errorf("%s: %q is no attribute", l.where(), w)
		}
		if _, twice := f.attrs[name]; twice {
			return nil, fmt.Errorf("%s: %s stands twice", l.where(), name)
		}
		if name == "separator" {
			value = strings.Replace(value, "comma", ",", 1)
		}
		f.attrs[name] = attr{value, optional}
	}
	return f, nil
}

func validType(t string) bool {
	if t == "?" {
		return true
	}
	if inner, ok := strings.CutPrefix(t, "array<"); ok {
		inner, ok = strings.CutSuffix(inner, ">")
		return ok && validType(inner)
	}
	for part := range strings.SplitSeq(t, "|") {
		if !slices.Contains([]string{"string", "integer", "number", "boolean", "object", "array", "any"}, part) {
			return false
		}
	}
	return true
}

// fieldPlace tells in which list of fields a line's field stands ("param orders
// list"), its path there and the word its type begins at; ok is false for lines
// that tell of no field.
func fieldPlace(l specLine) (place, path string, at int, ok bool) {
	switch l.words[0] {
	case "record":
		place = "record " + strings.Replace(l.word(1), ".", " ", 1)
		return place, l.word(2), 3, true
	case "search":
		return "search " + l.word(1), l.word(2), 3, true
	case "meta", "param", "param?":
		return strings.TrimSuffix(l.words[0], "?") + " " + l.word(1) + " " + l.word(2), l.word(3), 4, true
	}
	return "", "", 0, false
}

// wantFields sorts the field lines by place and path.
func wantFields(lines []specLine) (map[string]map[string]*wantField, error) {
	places := map[string]map[string]*wantField{}
	for _, l := range lines {
		place, path, at, ok := fieldPlace(l)
		if !ok {
			continue
		}
		f, err := fieldOf(l, at)
		if err != nil {
			return nil, err
		}
		if places[place] == nil {
			places[place] = map[string]*wantField{}
		}
		if first := places[place][path]; first != nil {
			return nil, fmt.Errorf("%s: %s %s stands already in %s", l.where(), place, path, first.where)
		}
		places[place][path] = f
	}
	return places, nil
}

// lineWords is the least and the largest number of words of the lines of a kind.
var lineWords = map[string][2]int{
	"kind": {2, 2}, "entity": {2, 2}, "action": {3, 3}, "record": {4, 9}, "search": {4, 9}, "meta": {5, 9},
	"param": {5, 11}, "param?": {5, 11}, "none": {3, 4}, "shape": {3, 3}, "rule": {5, 10}, "page": {4, 6},
	"order": {5, 5}, "note": {3, 7}, "note?": {3, 7}, "resolves": {5, 40}, "unknown": {2, 4}, "omitted": {4, 4},
}

func TestSpecificationLines(t *testing.T) {
	entities, actions := 0, 0
	kinds := specKinds(t)
	for _, kind := range kinds {
		lines := readSpec(t, kind)
		if lines[0].words[0] != "kind" || lines[0].word(1) != kind {
			t.Errorf("%s: the first line must be \"kind %s\"", lines[0].where(), kind)
		}
		checkForm(t, lines)
		if _, err := wantFields(lines); err != nil {
			t.Error(err)
		}
		e, a := checkReach(t, lines)
		entities, actions = entities+e, actions+a
	}
	if len(kinds) != 20 || entities != 218 || actions != 558 {
		t.Errorf("transcribed %d kinds, %d entities, %d actions; the documents have 20, 218, 558", len(kinds), entities, actions)
	}
}

// checkForm checks that lines are known, of the right length, and not repeated.
func checkForm(t *testing.T, lines []specLine) {
	t.Helper()
	seen := map[string]string{}
	for _, l := range lines {
		bounds, ok := lineWords[l.words[0]]
		if !ok {
			t.Errorf("%s: unknown kind of line %q", l.where(), l.words[0])
			continue
		}
		if n := len(l.words); n < bounds[0] || n > bounds[1] {
			t.Errorf("%s: %d words, want %d to %d", l.where(), n, bounds[0], bounds[1])
		}
		text := strings.Join(l.words, " ")
		if first := seen[text]; first != "" {
			t.Errorf("%s: stands already in %s", l.where(), first)
		}
		seen[text] = l.where()
	}
}

// checkReach checks that every line speaks of entities and actions of the file
// and that something is told of the params of every action.
func checkReach(t *testing.T, lines []specLine) (entities, actions int) {
	t.Helper()
	told := map[string]bool{}
	for _, l := range lines {
		switch l.words[0] {
		case "entity":
			entities++
			told[l.word(1)] = true
		case "action":
			actions++
			told[l.word(1)+" "+l.word(2)] = false
		case "param", "none", "shape", "unknown":
			key := l.word(1) + " " + l.word(2)
			if _, known := told[key]; known {
				told[key] = true
			}
			fallthrough
		default:
			checkNames(t, l, told)
		}
	}
	for key, ok := range told {
		if !ok {
			t.Errorf("%s: nothing is told of the params of %s", lines[0].file, key)
		}
	}
	return entities, actions
}

func checkNames(t *testing.T, l specLine, told map[string]bool) {
	t.Helper()
	entity, action, dotted := strings.Cut(l.word(1), ".")
	if l.words[0] == "kind" || entity == "credentials" || strings.Contains(entity, "=") {
		return
	}
	if _, ok := told[entity]; !ok {
		t.Errorf("%s: no entity %q above", l.where(), entity)
	}
	switch l.words[0] {
	case "meta", "param", "param?", "shape", "rule", "page", "order", "omitted", "resolves":
		action, dotted = l.word(2), true
	}
	if _, ok := told[entity+" "+action]; dotted && !ok {
		t.Errorf("%s: no action %q of %s above", l.where(), action, entity)
	}
}
