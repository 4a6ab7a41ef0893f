package sandbox

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/search"
)

// hit is a record with how much of the prompt it holds, and where in its text.
type hit struct {
	r     *data.Record
	score float64
	text  string
	at    int
}

// rank finds the records whose indexed text holds words of the prompt, the best first.
func rank(t *data.Table, index *catalog.Semantic, prompt string, keep *search.Matcher, limit int) []hit {
	words := strings.FieldsFunc(strings.ToLower(prompt), func(r rune) bool {
		return strings.ContainsRune(" \t\n.,;:?!\"'", r)
	})
	var hits []hit
	for _, r := range t.Rows {
		h := hit{r: r, text: indexed(r.Obj, index), at: -1}
		lower := strings.ToLower(h.text)
		said, times := 0, 0
		for _, w := range words {
			n := strings.Count(lower, w)
			said, times = said+min(n, 1), times+n
			if at := strings.Index(lower, w); at >= 0 && (h.at < 0 || at < h.at) {
				h.at = at
			}
		}
		if said > 0 && len(lower) == len(h.text) && keep.Match(r.JSON()) {
			// Most of the score is the share of the words, the rest how often they are said.
			share := float64(said) / float64(len(words))
			h.score = math.Round((0.8*share+0.2*float64(times)/float64(times+4))*1000) / 1000
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits[:min(limit, len(hits))]
}

// contextSize is how many characters stand around a hit where nobody says it.
const contextSize = 160

// context is the text around the first word that was found, in whole words.
func (h hit) context(size int) string {
	if size <= 0 {
		size = contextSize
	}
	text := []rune(h.text)
	at := len([]rune(h.text[:h.at]))
	from := max(at-size/3, 0)
	to := min(from+size, len(text))
	out := string(text[from:to])
	if _, rest, cut := strings.Cut(out, " "); from > 0 && cut {
		out = rest
	}
	if last := strings.LastIndexByte(out, ' '); to < len(text) && last > 0 {
		out = out[:last]
	}
	return out
}

// indexed is the text of a record that is searched: all that the indexed field holds,
// or the whole record where no field is named.
func indexed(o *rawjson.Map, index *catalog.Semantic) string {
	var parts []string
	if index == nil || !o.Has(index.Field) {
		texts(&parts, o)
	} else {
		texts(&parts, o.Value(index.Field))
	}
	return strings.Join(parts, ". ")
}

// texts collects the words that people wrote: those with a space.
func texts(into *[]string, v any) {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, " ") {
			*into = append(*into, v)
		}
	case []any:
		for _, one := range v {
			texts(into, one)
		}
	case *rawjson.Map:
		for _, one := range v.Vals {
			texts(into, one)
		}
	}
}

// hitEntity are the documented fields of a record that was found, which another record
// of the same key may tell: when the call of a transcript started.
func (op *operation) hitEntity(r *data.Record) *rawjson.Map {
	whole, index := r.Whole(), op.e.Semantic
	if index == nil || len(index.EntityFields) == 0 {
		return whole
	}
	o, other := &rawjson.Map{}, (*rawjson.Map)(nil)
	if key := catalog.FieldByName(op.e.Record, op.e.Key); key != nil {
		if ref := op.d.toldReference(op.e.Name, key); ref.entity != nil {
			if of := op.d.table(ref.entity.Name).Find(r.Obj.Text(op.e.Key)); of != nil {
				other = of.Obj
			}
		}
	}
	for _, name := range index.EntityFields {
		v, has := whole.Get(name)
		if !has {
			v = other.Value(name)
		}
		o.Set(name, v)
	}
	return o
}

// hitMetadata tells how well a record fits, where, and who said it.
func (op *operation) hitMetadata(h hit, size int) *rawjson.Map {
	o := rawjson.NewMap("score", h.score, "context", h.context(size))
	index := op.e.Semantic
	if index == nil || !slices.Contains(index.Metadata, "speakerName") {
		return o
	}
	var speaker *rawjson.Map
	if ref := op.d.namedReference(op.e, "user"); ref.entity != nil {
		if of := op.d.table(ref.entity.Name).Find(speakerAt(h.r.Obj.Value(index.Field), h.at)); of != nil {
			speaker = of.Obj
		}
	}
	name := strings.TrimSpace(speaker.Text("firstName") + " " + speaker.Text("lastName"))
	o.Set("speakerName", orNull(name))
	o.Set("speakerTitle", speaker.Value("title"))
	o.Set("speakerAffiliation", "Internal")
	return o
}

// speakerAt is who speaks the turn in which a place of the indexed text lies.
func speakerAt(turns any, at int) string {
	list, _ := turns.([]any)
	end, who := 0, ""
	for _, turn := range list {
		o, _ := turn.(*rawjson.Map)
		var parts []string
		texts(&parts, turn)
		end += len(strings.Join(parts, ". ")) + len(". ")
		who = o.Text("speakerId")
		if at < end {
			break
		}
	}
	return who
}
