package definition

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

var fileRef = regexp.MustCompile(`\$ref["']?\s*:\s*["']?([^"'#\s{},]+\.(?:ya?ml|json))`)

// Beside gathers the files that a definition refers to, and those that they refer to, by
// their names below its folder: no other file is read, whatever the definition names. read
// reads one of them. lost are those that are not there, or lie elsewhere.
func Beside(data []byte, read func(name string) ([]byte, error)) (files fs.FS, lost []string) {
	found, size := map[string][]byte{}, len(data)
	seen := map[string]bool{}
	var follow func(folder string, data []byte)
	follow = func(folder string, data []byte) {
		for _, m := range fileRef.FindAllSubmatch(data, -1) {
			ref := string(m[1])
			name := path.Join(folder, strings.TrimPrefix(ref, "./"))
			if seen[name] {
				continue
			}
			seen[name] = true
			if strings.Contains(ref, "://") || path.IsAbs(ref) || !fs.ValidPath(name) || size > MaxSize {
				lost = append(lost, ref)
				continue
			}
			text, err := read(name)
			if err != nil {
				lost = append(lost, ref)
				continue
			}
			size += len(text)
			found[name] = text
			follow(path.Dir(name), text)
		}
	}
	follow(".", data)
	if len(found) == 0 {
		return nil, lost
	}
	return packed(found), lost
}

// packed are files in memory.
func packed(files map[string][]byte) fs.FS {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			panic(err) // memory takes what is written
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	r, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		panic(err)
	}
	return r
}
