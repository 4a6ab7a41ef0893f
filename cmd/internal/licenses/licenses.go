// Package licenses holds the licences of everything that is linked into the program:
// who passes the program on must pass their texts on as well. Its test reads them from
// the modules of the build, and lets none in that is not known to allow that.
package licenses

import (
	_ "embed" // the texts are part of the program
	"strings"
)

// Text is the list of modules with their licences, then the text of each.
//
//go:embed licenses.txt
var Text string

// Go is the name by which the list calls the standard library.
const Go = "Go"

// listEnd is the line between the list and the texts.
const listEnd = "\n\n"

// Of returns the licences of each module, as SPDX writes them.
func Of() map[string]string {
	list, _, _ := strings.Cut(Text, listEnd)
	of := map[string]string{}
	for line := range strings.Lines(list) {
		if module, spdx, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			of[module] = strings.TrimSpace(spdx)
		}
	}
	return of
}
