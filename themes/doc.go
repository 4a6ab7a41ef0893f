// Package themes holds the colour themes: small YAML files that give a hex
// colour to each of a dozen roles. It knows nothing of the program and
// nothing of terminals.
//
// It may import the leaf strictyaml, nothing else of patchbay.
package themes
