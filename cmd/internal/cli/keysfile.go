package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"patchbay/ui"
)

// ownKeys reads the person's own keys from keys.yaml beside the settings.
func (a *app) ownKeys(deps *ui.Deps) {
	path := filepath.Join(filepath.Dir(a.folders.Settings()), "keys.yaml")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		deps.Notices = append(deps.Notices, err.Error())
		return
	}
	keys, problems := ui.ParseKeys(path, data)
	deps.Keys = keys
	deps.Notices = append(deps.Notices, problems...)
}
