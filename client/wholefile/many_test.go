package wholefile_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/profile"
	"patchbay/client/saved"
	"patchbay/client/secret"
)

// eachWrites is how often each of many programs changes each file.
const eachWrites = 4

// nameOf is what a program adds to a file.
func nameOf(program string, i int) string { return program + "-" + strconv.Itoa(i) }

// writeAsOne is what the test program does as one of many: it adds to all files that
// programs share.
func writeAsOne(program string) {
	dir := os.Getenv(childDir)
	state, s, err := profile.OpenState(filepath.Join(dir, "ui.json"))
	for i := 0; i < eachWrites && err == nil; i++ {
		name := nameOf(program, i)
		if s.Columns == nil {
			s.Columns = map[string][]string{}
		}
		s.Columns[name] = []string{name}
		err = errors.Join(state.Save(s), addAs(dir, name))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// addAs adds a name to every file that is changed as it stands.
func addAs(dir, name string) error {
	f := secret.File{Path: filepath.Join(dir, "secrets.json")}
	_, err := f.Set(ctx, name, secret.New(name+"-value"))
	settings := profile.Settings{Path: filepath.Join(dir, "settings.yaml")}
	err = errors.Join(err, settings.Change(func(now *profile.Settings) error {
		now.Put(profile.Profile{Name: name, BaseURL: "https://x.example"})
		return nil
	}))
	err = errors.Join(err, trust(dir).Add(&saved.Call{Path: "/" + name, Content: []byte(name)}))
	seen := []client.Connector{{ID: name, Kind: "k", Name: name}}
	err = errors.Join(err, profile.KeepSeen(filepath.Join(dir, "connectors.json"), "https://x.example", seen))
	env := &client.Envelope{Status: 200, Body: client.Bytes(`["` + padding + `"]`)}
	_, added := runs(dir).Add(ctx, history.Run{Env: env, Op: client.Operation{Entity: "e", Action: name}})
	return errors.Join(err, added)
}

// Two and ten programs change the same files at once, from the first moment on: no
// change is lost.
func TestManyProgramsAtOnce(t *testing.T) {
	for _, programs := range []int{2, 10} {
		t.Run(strconv.Itoa(programs), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new")
			var begun []*exec.Cmd
			var all []string
			for p := range programs {
				c := exec.Command(os.Args[0])
				c.Env = append(os.Environ(), childOne+"=p"+strconv.Itoa(p), childDir+"="+dir)
				c.Stdout = os.Stderr
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				begun = append(begun, c)
				for i := range eachWrites {
					all = append(all, nameOf("p"+strconv.Itoa(p), i))
				}
			}
			for _, c := range begun {
				if err := c.Wait(); err != nil {
					t.Error(err)
				}
			}
			slices.Sort(all)
			for file, names := range inFiles(t, dir, all) {
				if slices.Sort(names); !slices.Equal(names, all) {
					t.Errorf("%s: %d of %d are there", file, len(names), len(all))
				}
			}
		})
	}
}

// inFiles are the names that stand in each file, of those that were added.
func inFiles(t *testing.T, dir string, all []string) map[string][]string {
	settings, err := profile.Load(filepath.Join(dir, "settings.yaml"))
	_, state, unread := profile.OpenState(filepath.Join(dir, "ui.json"))
	list, unfound := runs(dir).Find(ctx, history.Query{Limit: 1000})
	if err := errors.Join(err, unread, unfound, runs(dir).Close()); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{"settings": settings.Names(), "state": nil, "history": nil, "secrets": nil,
		"trusted files": nil, "connectors": nil}
	for name := range state.Columns {
		out["state"] = append(out["state"], name)
	}
	for _, e := range list {
		out["history"] = append(out["history"], e.Op.Action)
	}
	secrets := secret.File{Path: filepath.Join(dir, "secrets.json")}
	seen := profile.LoadSeen(filepath.Join(dir, "connectors.json"))["https://x.example"]
	for _, name := range all {
		if found, err := secrets.Get(ctx, name); err == nil && found.Value.Reveal() == name+"-value" {
			out["secrets"] = append(out["secrets"], name)
		}
		if trust(dir).Has(&saved.Call{Path: "/" + name, Content: []byte(name)}) {
			out["trusted files"] = append(out["trusted files"], name)
		}
		if seen[name].Name == name {
			out["connectors"] = append(out["connectors"], name)
		}
	}
	return out
}
