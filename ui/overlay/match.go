package overlay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"

	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Static returns a Source over fixed items: those that begin with the query, those in
// which every word of it begins a word, those that hold every word; disabled ones last.
// Where there is none, those that hold the letters close together.
func Static(items []Item) func(string) []Item {
	for i, it := range items { // as they are drawn: marks are positions in what is seen
		items[i].Title = string(text.Sanitize(it.Title))
	}
	return func(query string) []Item {
		query = strings.TrimSpace(query)
		if query == "" {
			return items
		}
		found := holding(items, query)
		slices.SortStableFunc(found, func(a, b match) int {
			return cmp.Or(cmp.Compare(min(len(a.Disabled), 1), min(len(b.Disabled), 1)), cmp.Compare(a.rank, b.rank))
		})
		out := make([]Item, len(found))
		for i, m := range found {
			out[i] = m.Item
			out[i].Group = ""
		}
		return out
	}
}

// match is an item that was found; the lowest rank is the best.
type match struct {
	Item
	rank int
}

func holding(items []Item, query string) []match {
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = it.Title + "  " + it.Note + "  " + it.Key + "  " + it.Also
	}
	words := strings.Fields(strings.ToLower(query))
	var out []match
	for i, it := range items {
		if marks, rank := wordMarks(texts[i], it.Title, words); rank >= 0 {
			if whole := strings.Join(words, " "); begins(it.Title, whole) || begins(it.Also, whole) {
				rank = -1
			}
			it.Marks = marks
			out = append(out, match{it, rank})
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, m := range fuzzy.Find(query, texts) {
		if it := items[m.Index]; close(m.MatchedIndexes) {
			it.Marks = runeMarks(texts[m.Index], it.Title, m.MatchedIndexes)
			out = append(out, match{it, 0})
		}
	}
	return out
}

// begins reports whether a text begins with lower-case letters.
func begins(t, with string) bool { return strings.HasPrefix(strings.ToLower(t), with) }

// close reports whether letters stand together: in few pieces, or in little
// space. Letters scattered over a sentence are found in every sentence.
func close(at []int) bool {
	pieces := 1
	for i := 1; i < len(at); i++ {
		if at[i] != at[i-1]+1 {
			pieces++
		}
	}
	n := len(at)
	return pieces <= n/3 || at[n-1]-at[0] < 2*n+2
}

// wordMarks says where the words stand in title, the beginning of full. Rank 0
// says that each begins a word of full, 1 that each is in it, -1 that one is not.
func wordMarks(full, title string, words []string) (marks []int, rank int) {
	low := strings.ToLower(full)
	if len(low) != len(full) { // letters whose small form is longer: offsets would not fit
		low = full
	}
	for _, w := range words {
		at := strings.Index(" "+low, " "+w)
		if at < 0 {
			at, rank = strings.Index(low, w), 1
		}
		if at < 0 {
			return nil, -1
		}
		offsets := make([]int, 0, len(w))
		for i := range w {
			offsets = append(offsets, at+i)
		}
		marks = append(marks, runeMarks(full, title, offsets)...)
	}
	return marks, rank
}

// runeMarks turns byte offsets in full into rune positions within its prefix title.
func runeMarks(full, title string, offsets []int) []int {
	marks := make([]int, 0, len(offsets))
	for _, o := range offsets {
		if o < len(title) {
			marks = append(marks, len([]rune(full[:o])))
		}
	}
	return marks
}

// HoldAll keeps the items that hold all words, in their order.
func HoldAll(items []Item, q string) []Item {
	words := strings.Fields(strings.ToLower(q))
	if len(words) == 0 {
		return items
	}
	var out []Item
next:
	for _, it := range items {
		hay := strings.ToLower(it.Title + " " + it.Result + " " + it.Note + " " + it.Detail)
		for _, w := range words {
			if !strings.Contains(hay, w) {
				continue next
			}
		}
		it.Group = ""
		out = append(out, it)
	}
	return out
}

// NewChoice returns the list for a pane that asked for a choice.
func NewChoice(c intent.Choose) *List {
	l := &List{Heading: c.Title, Prompt: "type to search",
		Choose: func(it Item) intent.Intent { return c.Done(it.Value.(string)) }}
	items := make([]Item, 0, len(c.Options))
	for _, o := range c.Options {
		items = append(items, Item{Title: o.Title, Note: o.Note,
			Detail: o.Detail, Disabled: o.Disabled, Value: o.Value})
	}
	static := Static(items)
	l.Source = static
	if c.Free {
		l.Help = "type to search, or a value of your own · enter takes it · esc closes"
		l.Source = func(q string) []Item { // the typed text itself stands behind the matches
			items := static(q)
			if q == "" || slices.ContainsFunc(items, func(it Item) bool { return it.Value == q }) {
				return items
			}
			return append(slices.Clone(items), Item{Title: q, Note: "as typed", Value: q})
		}
	}
	l.Select(func(it Item) bool { return it.Value == c.Current })
	if c.Query != "" {
		l.SetQuery(c.Query)
	}
	return l
}
