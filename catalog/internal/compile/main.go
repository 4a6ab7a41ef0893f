// Command compile turns the connector files into the embedded form that the
// catalog package reads, and checks files for those who write them:
//
//	go run ./catalog/internal/compile -check catalog/connectors/KIND.yaml
//
// It imports catalog and its source, nothing else of patchbay.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	flags := flag.NewFlagSet("compile", flag.ExitOnError)
	check := flags.Bool("check", false, "check the files named and write nothing")
	from := flags.String("from", "connectors", "folder with the connector files")
	to := flags.String("to", "catalog.bin", "file to write")
	_ = flags.Parse(args) // ExitOnError leaves nothing to return
	files := flags.Args()
	if len(files) == 0 {
		files, _ = filepath.Glob(filepath.Join(*from, "*.yaml")) // the pattern is constant
	}
	kinds, problems := source.Read(files)
	if len(problems) > 0 {
		fmt.Fprintln(os.Stderr, problems)
		return 1
	}
	if *check {
		for i, k := range kinds {
			fmt.Printf("%s: %s, %d entities, %d actions\n", files[i], k.Name, len(k.Entities), k.ActionCount())
		}
		return 0
	}
	if err := os.WriteFile(*to, catalog.Compile(kinds), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
