package overlay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// Static returns a Source over fixed items: those in which every word of the
// query begins a word, those that hold every word, then those that hold the
// letters close together; disabled ones last.
func Static(items []Item) func(string) []Item {
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
	taken := make([]bool, len(items))
	var out []match
	for i, it := range items {
		if marks, rank := wordMarks(texts[i], it.Title, words); rank >= 0 {
			taken[i] = true
			it.Marks = marks
			out = append(out, match{it, rank})
		}
	}
	for _, m := range fuzzy.Find(query, texts) {
		if it := items[m.Index]; !taken[m.Index] && close(m.MatchedIndexes) {
			it.Marks = runeMarks(texts[m.Index], it.Title, m.MatchedIndexes)
			out = append(out, match{it, 2})
		}
	}
	return out
}

// close tells whether letters stand together: in few pieces, or in little
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

// wordMarks tells where the words stand in title, the beginning of full. Rank 0
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
