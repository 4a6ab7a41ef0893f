package source

import (
	"path/filepath"
	"reflect"
	"testing"

	"patchbay/catalog"
)

// kindsOfFiles are all kinds of the embedded catalog.
func kindsOfFiles(t *testing.T) []*catalog.Kind {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "connectors", "*.yaml"))
	kinds, problems := Read(files)
	if err != nil || len(problems) > 0 || len(kinds) == 0 {
		t.Fatal(err, problems)
	}
	return kinds
}

func TestWrittenKindsReadBackEqual(t *testing.T) {
	for _, k := range kindsOfFiles(t) {
		text := Write(k)
		again, problems := Parse(k.Name+".yaml", text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", k.Name, problems[:min(3, len(problems))])
			continue
		}
		if reflect.DeepEqual(k, again) {
			continue
		}
		for i := range k.Entities {
			if i < len(again.Entities) && !reflect.DeepEqual(k.Entities[i], again.Entities[i]) {
				t.Errorf("%s.%s differs", k.Name, k.Entities[i].Name)
			}
		}
		t.Errorf("%s differs once written", k.Name)
	}
}
