package transport

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The name that a server suggests is that of a file in the folder that a person chose,
// whatever the server says.
func FuzzFileName(f *testing.F) {
	for _, s := range []string{`attachment; filename="a.pdf"`, `a; filename="..\\..\\x"`, `a; filename*=UTF-8''%2e%2e%2fx`,
		`a; filename=con.txt`, `a; filename="-rf"`, `a; filename=" . "`, `a; filename="a\u202eb"`, `a;filename="x` + strings.Repeat("é", 200) + `"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		name := FileName(http.Header{"Content-Disposition": {header}})
		if name == "" {
			return
		}
		if !filepath.IsLocal(name) || filepath.Base(name) != name || len(name) > 255 || !utf8.ValidString(name) ||
			strings.ContainsAny(name, `/\:*?"<>|`) || strings.ContainsFunc(name, unicode.IsControl) ||
			name[0] == '-' || name[0] == '.' || device(name) || strings.Trim(name, " .") != name {
			t.Fatalf("%q names the file %q", header, name)
		}
	})
}
