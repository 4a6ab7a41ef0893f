package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"patchbay/ui"
)

// readKeys reads the person's own keys from keys.yaml beside the settings.
func (a *app) readKeys() (keys map[string][]string, problems []string) {
	if a.foldersErr != nil {
		return nil, nil
	}
	path := a.keysFile()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []string{err.Error()}
	}
	return ui.ParseKeys(path, data)
}

func (a *app) keysFile() string {
	return filepath.Join(filepath.Dir(a.folders.Settings()), "keys.yaml")
}

// keyProblems tells what is wrong with the person's own keys; nil when nothing is.
func (a *app) keyProblems(list []string) error {
	if len(list) == 0 {
		return nil
	}
	for _, p := range list {
		a.say("%s", p)
	}
	return config("not everything in %s is right", a.keysFile()).next("The explorer starts all the same and uses what is right.")
}
