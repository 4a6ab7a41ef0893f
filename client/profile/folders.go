package profile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/secret"
)

// Folders are where patchbay keeps files.
type Folders struct{ Config, State, Cache string }

// FoldersFrom finds the folders from an environment: the XDG variables, else
// the places that the XDG specification names below the home folder; on
// Windows (goos "windows") below APPDATA and LOCALAPPDATA.
func FoldersFrom(env map[string]string, goos string) (Folders, error) {
	home := env["HOME"]
	if goos == "windows" && home == "" {
		home = env["USERPROFILE"]
	}
	place := func(variable, windows string, below ...string) string {
		if dir := env[variable]; filepath.IsAbs(dir) {
			return filepath.Join(dir, "patchbay")
		}
		if dir := env[windows]; goos == "windows" && dir != "" {
			return filepath.Join(dir, "patchbay")
		}
		if home == "" {
			return ""
		}
		return filepath.Join(append(append([]string{home}, below...), "patchbay")...)
	}
	f := Folders{
		Config: place("XDG_CONFIG_HOME", "APPDATA", ".config"),
		State:  place("XDG_STATE_HOME", "LOCALAPPDATA", ".local", "state"),
		Cache:  place("XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"),
	}
	if f.Config == "" || f.State == "" || f.Cache == "" {
		return f, client.Misconfigured("no folder for settings is known: HOME is not set").
			Advise("Set HOME, or XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME.")
	}
	return f, nil
}

// Settings is the path of the settings file.
func (f Folders) Settings() string { return filepath.Join(f.Config, "settings.yaml") }

// Secrets is the path of the secrets file for machines without a keyring.
func (f Folders) Secrets() string { return filepath.Join(f.Config, "secrets.json") }

// Trusted is the path of the file that holds which files of working folders may run.
func (f Folders) Trusted() string { return filepath.Join(f.State, "trusted.json") }

// UIState is the path of what the screen remembers.
func (f Folders) UIState() string { return filepath.Join(f.State, "ui.json") }

// Import is what the service's own CLI has in its settings file.
type Import struct {
	Path           string
	ClientID       string
	ClientSecret   secret.Secret
	OrganizationID string
	Workspace      string
}

// FindImport looks for the settings of the service's own CLI below a home
// folder. nil where there are none that hold credentials.
func FindImport(home string) (*Import, error) {
	if home == "" {
		return nil, nil
	}
	path := filepath.Join(home, ".airbyte-agent", "settings.json")
	data, err := ownfile.Read(path, ownfile.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the settings of the service's own program: %w", err)
	}
	var file struct {
		Settings struct {
			Credentials struct {
				ClientID     string `json:"client_id"`
				ClientSecret string `json:"client_secret"`
			} `json:"credentials"`
			OrganizationID string `json:"organization_id"`
			Workspace      string `json:"workspace"`
		} `json:"settings"`
	}
	if json.Unmarshal(data, &file) != nil {
		// The decoder's own words could quote a credential.
		return nil, fmt.Errorf("read %s: it does not have the expected shape", path)
	}
	s := file.Settings
	if s.Credentials.ClientID == "" || s.Credentials.ClientSecret == "" {
		return nil, nil
	}
	return &Import{
		Path: path, ClientID: s.Credentials.ClientID, ClientSecret: secret.New(s.Credentials.ClientSecret),
		OrganizationID: s.OrganizationID, Workspace: s.Workspace,
	}, nil
}

// Kinds is where the compiled form of the person's own connector files is kept.
func (f Folders) Kinds() string { return filepath.Join(f.Cache, "kinds.bin") }
