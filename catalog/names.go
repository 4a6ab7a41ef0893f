package catalog

import (
	"fmt"
	"sort"
	"strings"
)

// nearest returns up to limit of the candidates that look most like word, best
// first; none when nothing is near.
func nearest(word string, candidates []string, limit int) []string {
	type scored struct {
		name string
		cost int
	}
	var found []scored
	lower := strings.ToLower(word)
	for _, c := range candidates {
		cost := nameCost(lower, strings.ToLower(c))
		if c != "" && cost <= max(2, len(lower)/3) {
			found = append(found, scored{c, cost})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cost < found[j].cost })
	var names []string
	for _, f := range found[:min(limit, len(found))] {
		names = append(names, f.name)
	}
	return names
}

// nameCost is the edit distance, with names that contain the word (or the other
// way round) counted as near.
func nameCost(a, b string) int {
	cost := editDistance(a, b)
	if len(a) >= 3 && len(b) >= 3 && (strings.Contains(b, a) || strings.Contains(a, b)) {
		return min(cost, 1)
	}
	return cost
}

func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// suggestion is the tail of an error text: which known name may be meant.
func suggestion(word string, candidates []string) string {
	near := nearest(word, candidates, 3)
	if len(near) == 0 {
		return ""
	}
	for i := range near {
		near[i] = fmt.Sprintf("%q", near[i])
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
