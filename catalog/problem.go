package catalog

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one thing that is wrong in a catalog file.
type Problem struct {
	// File is the name of the file as it was given, Line the 1-based line of the
	// place that is wrong; 0 when the file as a whole is meant.
	File string
	Line int
	// Path leads to the place: "entities.customers.actions.list.params.limit".
	Path string
	// Reason says what is wrong and, where it is not obvious, what to write instead.
	Reason string
}

// Error writes the problem as "file:line: path: reason".
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	b.WriteString(p.Reason)
	return b.String()
}

func sortProblems(problems []Problem) {
	sort.SliceStable(problems, func(i, j int) bool {
		if problems[i].File != problems[j].File {
			return problems[i].File < problems[j].File
		}
		return problems[i].Line < problems[j].Line
	})
}
