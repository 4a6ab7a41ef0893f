package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"patchbay/client/rawjson"
	"patchbay/themes"
	"patchbay/ui"
	"patchbay/ui/result"
)

// exploreFile opens the explorer on a saved response, an export, any JSON or NDJSON; "-" is stdin.
func exploreFile(ctx context.Context, a *app, flags explorerFlags, name string) error {
	if !a.onTerminal() {
		return config("the explorer needs a terminal").next("patchbay execute prints answers without one; patchbay help lists the rest.")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	doc, err := a.openDocument(ctx, name)
	if err != nil {
		return err
	}
	if !isTerminal(a.stdin) {
		// The data comes through stdin, so the keys must come from the terminal itself.
		in, _, err := tea.OpenTTY()
		if err != nil {
			return config("there is no terminal to read keys from: %v", err).next("Save the data to a file and open that.")
		}
		defer in.Close()
		a.stdin = in
	}
	deps, err := a.fileDeps(doc, flags)
	if err != nil {
		return err
	}
	return a.runExplorer(ctx, deps)
}

// fileDeps is what the explorer gets when it shows a file: no service, no profile.
func (a *app) fileDeps(doc *result.Document, flags explorerFlags) (ui.Deps, error) {
	c, _ := a.catalog()
	deps := ui.Deps{
		Catalog: c, Document: doc, Now: a.now, Version: version(), Editor: editor(a.env),
		Session:  ui.Session{Name: "file"},
		Profiles: a.profileNames,
		Open: func(ctx context.Context, name string) (ui.Session, error) {
			s, err := a.openSession(ctx, name)
			if err != nil {
				return ui.Session{}, err
			}
			return a.uiSession(s), nil
		},
	}
	a.onScreen(&deps, flags)
	a.remember(&deps)
	if flags.Theme != "" {
		if _, err := themes.Load(flags.Theme, deps.ThemeDir); err != nil {
			return deps, usage("%v", err).next("patchbay themes lists them.")
		}
		deps.Settings.Theme = flags.Theme
	}
	return deps, nil
}

// openDocument begins to read a file, or what a stream brings.
func (a *app) openDocument(ctx context.Context, name string) (*result.Document, error) {
	if name == "-" {
		if isTerminal(a.stdin) {
			return nil, usage("- reads stdin, which is the terminal").next("Pipe data into it: ... | patchbay open -")
		}
		return stream(ctx, "stdin", a.stdin), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("%s could not be opened: %v", name, err).next("Check the path; - reads stdin.")
	}
	a.closers = append(a.closers, f.Close)
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, usage("%s could not be read: %v", name, err).next("Check the path; - reads stdin.")
	case info.IsDir():
		return nil, usage("%s is a folder", name).next("Name a file in it.")
	case !info.Mode().IsRegular():
		return stream(ctx, filepath.Base(name), f), nil
	}
	return result.OpenDocument(ctx, filepath.Base(name), rawjson.NewFile(f, info.Size()), info.Size()), nil
}

// stream keeps what r brings while it is shown.
func stream(ctx context.Context, name string, r io.Reader) *result.Document {
	buffer := &rawjson.Buffer{}
	go func() {
		_, err := buffer.ReadFrom(r)
		buffer.Close(err)
	}()
	return result.OpenDocument(ctx, name, buffer, -1)
}
