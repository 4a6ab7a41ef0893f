package licenses

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write licenses.txt anew from the modules of the build")

// known are the licences that let the program be passed on with their text, each by
// words that only it has.
var known = map[string]*regexp.Regexp{
	"MIT":          regexp.MustCompile(`The above copyright notice and this permission notice shall be included in all copies`),
	"Apache-2.0":   regexp.MustCompile(`Apache License,? Version 2\.0`),
	"BSD-3-Clause": regexp.MustCompile(`may be used to endorse or promote products derived from`),
	"BSD-2-Clause": regexp.MustCompile(`materials provided with the distribution\. THIS SOFTWARE`),
	"ISC":          regexp.MustCompile(`Permission to use, copy, modify, and(/or)? distribute this software for any purpose with`),
	"blessing":     regexp.MustCompile(`SQLite Is Public Domain`),
}

// binding are words of licences that ask for more than their text.
var binding = regexp.MustCompile(`(?i)GNU (\w+ )?General Public|Mozilla Public|Commons Clause|Server Side Public|` +
	`Business Source|Elastic License|non-?commercial use only|All advertising materials`)

var (
	licence = regexp.MustCompile(`(?i)^((un)?licen[cs]e|copying)`)
	// notice is a file that names others beside the licence: it is passed on, and read by nobody here.
	notice = regexp.MustCompile(`(?i)^(notice|patents|licen[cs]e-3rd-party)`)
	// outside is the licence of a picture that no program holds.
	outside = regexp.MustCompile(`^LICENSE-LOGO$`)
)

// linked is a package of the program.
type linked struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Dir string
		Main      bool
	}
}

// packages lists what the program is made of on a system.
func packages(system string) (list []linked, err error) {
	c := exec.Command("go", "list", "-deps", "-json=Dir,Standard,Module", "patchbay/cmd/patchbay")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH=amd64")
	var wrong bytes.Buffer
	c.Stderr = &wrong
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, wrong.String())
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p linked
		if err := d.Decode(&p); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// texts are what is passed on with a module: the licences and notices of its folder and
// of those between it and the packages that are linked, by their path in the module.
type texts map[string]string

// collect adds the files of a folder of a module.
func (t texts) collect(root, dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasSuffix(name, ".go") || outside.MatchString(name) ||
			!licence.MatchString(name) && !notice.MatchString(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		below, err := filepath.Rel(root, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		t[filepath.ToSlash(below)] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	return err
}

// gather adds the modules of packages and their texts.
func gather(modules map[string]texts, list []linked) error {
	for _, p := range list {
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		m := modules[p.Module.Path]
		if m == nil {
			m = texts{}
			modules[p.Module.Path] = m
		}
		for dir := p.Dir; ; dir = filepath.Dir(dir) {
			if err := m.collect(p.Module.Dir, dir); err != nil {
				return err
			}
			if len(dir) <= len(p.Module.Dir) {
				break
			}
		}
	}
	return nil
}

// spdx names the licences of a module, or says what is wrong with them.
func (t texts) spdx() (string, error) {
	found := map[string]bool{}
	for name, text := range t {
		if notice.MatchString(filepath.Base(name)) {
			continue
		}
		flat := strings.Join(strings.Fields(strings.ReplaceAll(text, "*", "")), " ")
		if word := binding.FindString(flat); word != "" {
			return "", fmt.Errorf("%s holds %q, which is not allowed", name, word)
		}
		read := false
		for id, words := range known {
			if words.MatchString(flat) {
				found[id] = true
				read = true
			}
		}
		if !read {
			return "", fmt.Errorf("%s is no licence that is known to be allowed", name)
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("it has no licence")
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " AND "), nil
}

// document writes the list and the texts; a text that several modules share stands once.
func document(modules map[string]texts) (string, error) {
	var b strings.Builder
	users := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(modules)) {
		id, err := modules[path].spdx()
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		fmt.Fprintf(&b, "%-40s %s\n", path, id)
		for _, name := range slices.Sorted(maps.Keys(modules[path])) {
			text := strings.TrimSpace(modules[path][name])
			users[text] = append(users[text], path+"/"+name)
		}
	}
	order := slices.SortedFunc(maps.Keys(users), func(x, y string) int { return cmp.Compare(users[x][0], users[y][0]) })
	for _, text := range order {
		fmt.Fprintf(&b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(users[text], "\n"), text)
	}
	return b.String(), nil
}

// Every module that is linked on any system has a licence that is allowed, and its text
// is part of the program. A system whose modules are not on this machine is left to
// those that build for it.
func TestEveryLinkedModuleMayBePassedOn(t *testing.T) {
	if _, err := os.Stat("../../../go.mod"); err != nil { // a kept result of this test is as old as that file
		t.Fatal(err)
	}
	modules := map[string]texts{}
	whole := true
	for _, system := range []string{"linux", "darwin", "windows"} {
		list, err := packages(system)
		if err != nil && (*update || system == runtime.GOOS) {
			t.Fatal(err)
		}
		if err != nil {
			whole = false
			t.Logf("%s is not looked at: %v", system, err)
		}
		if err := gather(modules, list); err != nil {
			t.Fatal(err)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	own, dir := texts{}, strings.TrimSpace(string(root))
	if err := own.collect(dir, dir); err != nil {
		t.Fatal(err)
	}
	if len(own) == 0 { // some systems keep it elsewhere
		whole = false
	} else {
		modules[Go] = own
	}
	for path, m := range modules {
		id, err := m.spdx()
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if Of()[path] != id && !*update {
			t.Errorf("%s is not in licenses.txt with %s: run go test ./cmd/internal/licenses -update", path, id)
		}
	}
	text, err := document(modules)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("licenses.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		Text = text
	}
	if whole && text != Text {
		t.Error("licenses.txt is not what the modules say: run go test ./cmd/internal/licenses -update")
	}
}

// A licence that asks for more, none at all, and one that nobody read are refused.
func TestOtherLicencesAreRefused(t *testing.T) {
	for _, m := range []texts{
		{}, {"NOTICE": "Licensed under the Apache License, Version 2.0"}, {"LICENSE": "All rights reserved."},
		{"LICENSE": "GNU GENERAL PUBLIC LICENSE Version 3"}, {"LICENSE": "Mozilla Public License, version 2.0"},
		{"LICENSE": known["MIT"].String(), "sub/LICENSE": "Ask the author."},
	} {
		if id, err := m.spdx(); err == nil {
			t.Errorf("%v is taken for %s", m, id)
		}
	}
	if id, err := (texts{"LICENSE": "The above copyright notice and this\npermission notice shall be " +
		"included in all copies"}).spdx(); id != "MIT" {
		t.Errorf("MIT is %q: %v", id, err)
	}
}
