//go:build unix

package cli

import (
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"patchbay/client/download"
	"patchbay/client/export"
	"patchbay/client/saved"
	"patchbay/client/transport"
	"patchbay/testdata/hostile"
	"patchbay/ui/text"
)

// devices matches what Windows opens devices under.
var devices = regexp.MustCompile(`(?i)^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\..*)?$`)

func harmless(t *testing.T, from, name string) {
	t.Helper()
	bad := strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
	if bad || name != filepath.Base(name) || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || len(name) > 255-len(".part.json") ||
		strings.ContainsAny(name, `/\<>:"|?*`) || devices.MatchString(name) || strings.TrimRight(name, " .") != name {
		t.Errorf("%q is to be called %q", from, name)
	}
}

func TestNamesOfFilesFromData(t *testing.T) {
	for _, id := range hostile.Texts {
		for _, header := range []string{mime.FormatMediaType("attachment", map[string]string{"filename": id}),
			`attachment; filename="` + id + `"`, "attachment; filename=" + id} {
			if name := transport.FileName(http.Header{"Content-Disposition": {header}}); name != "" {
				harmless(t, header, name)
			}
		}
		if name := download.SafeName(download.Head{}, id, "text/csv"); name != "" {
			harmless(t, id, name)
		}
		call := &saved.Call{Name: id, Entity: "e", Action: "list"}
		harmless(t, id, call.FileName())
		folder := t.TempDir()
		if strings.TrimSpace(id) == "" || strings.Contains(id, "${") {
			continue
		}
		if path, err := saved.Save(folder, call, false); err == nil && filepath.Dir(path) != folder {
			t.Errorf("%q is saved as %s", id, path)
		}
	}
}

// recorder puts a program of a name before all others, which writes what it is given
// into files of the folder that is returned: its arguments, one a line, and its input.
func recorder(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nfor a; do printf '%s\\0' \"$a\"; done >'" + dir + "/args'\ncat >'" + dir + "/input'\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestProgramsGetDataAsOneArgumentOrInput(t *testing.T) {
	t.Chdir(t.TempDir())
	opener, tmux := recorder(t, openers["linux"][0]), recorder(t, "tmux")
	open := fileOpener()
	for _, id := range hostile.Texts {
		if strings.ContainsRune(id, 0) {
			continue // no argument and no name can hold it
		}
		if err := open(id); err != nil {
			t.Errorf("open %q: %v", id, err)
		}
		want, _ := filepath.Abs(id)
		if got := strings.TrimSuffix(read(t, opener+"/args"), "\x00"); got != want || strings.HasPrefix(got, "-") {
			t.Errorf("%q is opened as %q", id, got)
		}
		if err := loadBuffer(id); err != nil {
			t.Errorf("copy %q: %v", id, err)
		}
		if args, in := read(t, tmux+"/args"), read(t, tmux+"/input"); args != "load-buffer\x00-w\x00-\x00" || in != id {
			t.Errorf("%q is copied with %q and %q", id, args, in)
		}
		path := filepath.Join(".", "out.json")
		if err := export.ToFile(path, func(w io.Writer) error {
			_, err := w.Write([]byte(id))
			return err
		}); err != nil || read(t, path) != id {
			t.Errorf("write %q: %v", id, err)
		}
	}
	if left, _ := filepath.Glob("pwned*"); left != nil {
		t.Errorf("a command was run: %q", left)
	}
}

func TestNotificationsObeyNothing(t *testing.T) {
	for _, env := range []map[string]string{{"TERM": "foot"}, {"TERM": "xterm-kitty"}, {"TERM": "screen", "STY": "1"}} {
		for _, id := range hostile.Texts {
			got := notification(env)(text.Short(id, 120))
			inner := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(got, "\x1b]"), "\a"), "\x1b\\")
			if strings.ContainsFunc(inner, unicode.IsControl) {
				t.Errorf("%q becomes %q", id, got)
			}
		}
	}
}
