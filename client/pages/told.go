package pages

import (
	"fmt"
	"slices"
	"strings"
)

// Told is a verdict with all the pages that it was given for.
type Told struct {
	Verdict
	// Also are the other pages, from 0, that show the same.
	Also []int
}

// Tell gathers verdicts of one name, so that twenty short pages are told of
// once. What harms comes before what is merely odd.
func Tell(list []Verdict) []Told {
	var out []Told
	at := map[Name]int{}
	for _, v := range list {
		i, known := at[v.Name]
		switch {
		case !known:
			at[v.Name] = len(out)
			out = append(out, Told{Verdict: v})
		case v.Page != out[i].Page && !slices.Contains(out[i].Also, v.Page):
			out[i].Also = append(out[i].Also, v.Page)
		}
	}
	slices.SortStableFunc(out, func(a, b Told) int {
		switch {
		case a.Note == b.Note:
			return 0
		case a.Note:
			return 1
		}
		return -1
	})
	return out
}

// mostNumbers is how many page numbers are told one by one.
const mostNumbers = 8

// Sentence begins with the name of the verdict and says of which pages it
// speaks. It may hold text of the server.
func (t Told) Sentence() string {
	out := t.Text
	if here := fmt.Sprintf("page %d", t.Page+1); !strings.Contains(out, here) {
		out += ", on " + here
	}
	if len(t.Also) == 0 {
		return out
	}
	numbers := make([]string, 0, mostNumbers)
	for _, p := range t.Also[:min(len(t.Also), mostNumbers)] {
		numbers = append(numbers, fmt.Sprint(p+1))
	}
	out += "; also page " + strings.Join(numbers, ", ")
	if n := len(t.Also) - mostNumbers; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

// SaysMore tells whether the server said that there is more without saying how
// to ask for it.
func SaysMore(told []Told) bool {
	return slices.ContainsFunc(told, func(t Told) bool {
		return t.Name == FlagNoCursor || (t.Name == NoPagesPossible || t.Name == EmptyInMiddle) && !t.Note
	})
}
