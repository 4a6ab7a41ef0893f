// Package rules holds no code but tests: what every file of the program keeps to,
// in the words of the Go language and of CONTRIBUTING.md. They read the source and
// run nothing of it. It imports nothing of ours.
package rules
