package cli

import (
	"fmt"
	"sort"
	"strings"
)

// didYouMean names the candidates that look like word: `; did you mean "list"?`,
// or nothing when none does.
func didYouMean(word string, candidates []string, prefix string) string {
	near := nearest(word, candidates)
	for i := range near {
		near[i] = fmt.Sprintf("%q", prefix+near[i])
	}
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// nearest returns up to three candidates that are a few letters away from word
// or start like it, best first.
func nearest(word string, candidates []string) []string {
	type scored struct {
		name string
		cost int
	}
	var found []scored
	word = strings.ToLower(word)
	for _, c := range candidates {
		lower := strings.ToLower(c)
		cost := distance(word, lower)
		if len(word) > 1 && strings.HasPrefix(lower, word) {
			cost = 1
		}
		if cost <= max(1, len(word)/3) {
			found = append(found, scored{c, cost})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cost < found[j].cost })
	var out []string
	for _, f := range found[:min(3, len(found))] {
		out = append(out, f.name)
	}
	return out
}

// distance counts the letters to insert, delete, change or swap to make b of a.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
