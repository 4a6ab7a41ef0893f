// Command compile turns the connector files into the embedded form that the
// catalog package reads, and checks files for those who write them:
//
//	go run ./catalog/internal/compile -check catalog/connectors/payments.yaml
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"patchbay/catalog"
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
	kinds, ok := parse(files, *check)
	if !ok {
		return 1
	}
	if *check {
		return 0
	}
	if err := os.WriteFile(*to, catalog.Compile(kinds), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// parse reads the files and prints every problem; with report it also tells
// what a good file holds.
func parse(files []string, report bool) ([]*catalog.Kind, bool) {
	var kinds []*catalog.Kind
	ok := true
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return nil, false
		}
		kind, problems := catalog.ParseFile(file, data)
		for _, p := range problems {
			ok = false
			fmt.Fprintln(os.Stderr, p.Error())
		}
		if len(problems) > 0 {
			continue
		}
		kinds = append(kinds, kind)
		if report {
			fmt.Printf("%s: %s, %d entities, %d actions\n", file, kind.Name, len(kind.Entities), kind.ActionCount())
		}
	}
	return kinds, ok
}
