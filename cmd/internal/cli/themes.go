package cli

import (
	"context"
	"flag"

	"patchbay/themes"
)

func themesCommand() command {
	return command{name: "themes", summary: "List the themes.", setup: func(fs *flag.FlagSet) runner {
		format := listFormat(fs)
		return func(_ context.Context, a *app, _ []string) error { return a.listThemes(*format) }
	}}
}

type themeJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Mode  string `json:"mode"`
	Own   bool   `json:"own"`
}

func (a *app) listThemes(format string) error {
	dir := ""
	if a.foldersErr == nil {
		dir = a.folders.Themes()
	}
	var list []themeJSON
	l := listing{head: []string{"NAME", "TITLE", "MODE", ""}}
	add := func(name, dir, note string) {
		t, err := themes.Load(name, dir)
		if err != nil {
			a.say("%v", err)
			return
		}
		list = append(list, themeJSON{name, t.Title, t.Mode, note != ""})
		l.rows = append(l.rows, []string{name, t.Title, t.Mode, note})
	}
	for _, name := range themes.Names() {
		add(name, "", "")
	}
	for _, name := range themes.UserNames(dir) {
		add(name, dir, "your own")
	}
	l.value = list
	return a.print(l, format)
}
