package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patchbay/client/doctor"
)

// files looks at what is kept on this machine: each place that is read, whether or not
// anything is there, and what the terminal says of itself.
func (e *Examination) files() {
	if e.FoldersErr != nil {
		e.Emit(doctor.Finding{Step: "folders", Status: doctor.Warn, Detail: e.FoldersErr.Error(),
			Next: "Set HOME or XDG_CONFIG_HOME."})
		return
	}
	tell := func(subject string, status doctor.Status, detail, next string) {
		e.Emit(doctor.Finding{Step: "files", Subject: subject, Status: status, Detail: detail, Next: next})
	}
	config := e.Folders.Config
	tell("settings", doctor.Info, fileThere(e.Folders.Settings()), "")
	tell("keys", doctor.Info, fileThere(filepath.Join(config, "keys.yaml")), "")
	tell("themes", doctor.Info, filesThere(filepath.Join(config, "themes"), "*.yaml"), "")
	tell("kinds", doctor.Info, filesThere(filepath.Join(config, "catalog"), "*.yaml"), "")
	tell("screen", doctor.Info, fileThere(e.Folders.UIState()), "")
	tell("history and logs", doctor.Info, filesThere(e.Folders.State, "*"), "")
	for _, p := range e.Problems {
		tell("catalog", doctor.Warn, p.Error(), "Correct the file; the rest of the catalog works.")
	}
	tell("catalog", doctor.OK, fmt.Sprintf("%d kinds", len(e.Kinds().Kinds())), "")
	e.Emit(doctor.Finding{Step: "terminal", Status: doctor.Info, Detail: e.terminal()})
}

// fileThere is a path, and whether there is a file.
func fileThere(path string) string {
	if _, err := os.Stat(path); err != nil {
		return path + " (not there)"
	}
	return path
}

// filesThere is a folder with the names of the files in it.
func filesThere(folder, pattern string) string {
	found, _ := filepath.Glob(filepath.Join(folder, pattern)) // the patterns are good ones
	if len(found) == 0 {
		return folder + " (none)"
	}
	names := make([]string, len(found))
	for i, path := range found {
		names[i] = filepath.Base(path)
	}
	slices.Sort(names)
	return folder + ": " + strings.Join(names, ", ")
}

// terminal is what the environment says of the terminal.
func (e *Examination) terminal() string {
	var facts []string
	for _, name := range []string{"TERM", "COLORTERM", "TERM_PROGRAM", "NO_COLOR", "TMUX", "LANG"} {
		if v := e.Env[name]; v != "" {
			facts = append(facts, name+"="+v)
		}
	}
	if len(facts) == 0 {
		return "the environment says nothing of it"
	}
	return strings.Join(facts, ", ")
}
