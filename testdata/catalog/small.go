// Package small is the catalog that tests draw screens over: five kinds that
// show every shape, so that a screen does not change with the catalog of the
// program. It must not be imported outside tests.
package small

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"patchbay/catalog"
	"patchbay/catalog/source"
)

//go:embed *.yaml
var files embed.FS

// Catalog opens the catalog anew; a test may change what it gets.
func Catalog() *catalog.Catalog { return catalog.Open(compiled()) }

var compiled = sync.OnceValue(func() string {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		panic(err)
	}
	var kinds []*catalog.Kind
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		kind, problems := source.Parse(name, text)
		if len(problems) > 0 {
			panic(fmt.Sprint("the tests' catalog: ", problems))
		}
		kinds = append(kinds, kind)
	}
	return string(catalog.Compile(kinds))
})
