package cli

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"patchbay/themes"
	"patchbay/ui"
	"patchbay/ui/result"
)

// exploreFile opens the explorer on a saved response, an export, any JSON or NDJSON; "-" is stdin.
func exploreFile(ctx context.Context, a *app, flags explorerFlags, name, as string) error {
	if !a.onTerminal() {
		return config("the explorer needs a terminal").next("patchbay execute prints answers without one; patchbay help lists the rest.")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	records, err := a.recordsAs(as)
	if err != nil {
		return err
	}
	doc, err := a.openDocument(ctx, name, records)
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
		Catalog: c, Document: doc, Now: a.now, Version: version(), Redactor: a.redactor, Editor: editor(a.env),
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
