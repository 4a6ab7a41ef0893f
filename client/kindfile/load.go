package kindfile

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"patchbay/catalog"
	"patchbay/catalog/source"
	"patchbay/client/ownfile"
	"patchbay/client/strictyaml"
	"patchbay/client/wholefile"
)

// Load adds the person's own connector files to a catalog, as source.Load does. What the
// files say is kept compiled at kept, so that a hundred of them cost nothing at a start
// while none has changed; a file with problems is read each time, to tell them.
func Load(c *catalog.Catalog, dir, kept string) strictyaml.Problems {
	state, any := stateOf(dir)
	if !any {
		return nil
	}
	if data, err := ownfile.Read(kept, maxKept); err == nil {
		head, body, _ := strings.Cut(string(data), "\n")
		if head == state+" "+sum(body) && c.Add(body) == nil {
			return nil
		}
	}
	problems := source.Load(c, dir)
	if len(problems) > 0 {
		return problems
	}
	body := string(catalog.Compile(c.Changed()))
	// That it cannot be kept makes the next start no worse than this one.
	_ = wholefile.Write(kept, []byte(state+" "+sum(body)+"\n"+body))
	return nil
}

// maxKept bounds the compiled form of all files.
const maxKept = 256 << 20

// stateOf tells which files a folder has, of which size and time, and what they extend.
func stateOf(dir string) (state string, any bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	b.WriteString(catalog.Version())
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".yaml" {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name())) // of what a link leads to
		if err != nil {
			return "", true
		}
		any = true
		fmt.Fprintf(&b, "\n%q %d %d", e.Name(), info.Size(), info.ModTime().UnixNano())
	}
	return sum(b.String()), any
}

func sum(text string) string {
	return fmt.Sprintf("%d-%08x", len(text), crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
}
