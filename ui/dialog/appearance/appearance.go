// Package appearance is the feature about how the screen is drawn and what it tells:
// the theme, with a live preview, ASCII or lines, motion, notifications on the desktop.
// It makes the styles that everything is drawn with. What a theme is stands in themes,
// what is made of it in ui/style. Like every feature it imports no other one, and not
// the root.
package appearance

import (
	"slices"
	"strings"

	"github.com/charmbracelet/colorprofile"

	"patchbay/themes"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
)

// Feature is how the screen is drawn. Use New.
type Feature struct {
	dialog.Host
	// Styles are those in use; they are replaced whole when something changes.
	Styles *style.Styles
	// Drawn is how themes are drawn.
	Drawn style.Options
	// Chosen is set once the person chose a theme, so that the terminal's background no
	// longer decides.
	Chosen bool

	// folder holds the person's own themes; may be empty.
	folder   string
	notifies bool
	dark     bool
	// colors is how many colours the terminal shows.
	colors colorprofile.Profile
}

// New returns the feature, which has no styles before Use; folder holds the person's
// own themes, and notifies is set where the terminal shows texts on the desktop.
func New(h dialog.Host, o style.Options, folder string, notifies bool) *Feature {
	kept := h.Settings()
	o.ASCII, o.Still = o.ASCII || kept.ASCII, o.Still || kept.Still
	return &Feature{Host: h, Drawn: o, folder: folder, notifies: notifies, dark: true, colors: colorprofile.TrueColor}
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "theme", After: "window.cycle", In: action.InAny, Keys: []string{"T"}, Label: "theme",
			Help: "Choose a theme, with a live preview", Do: f.open},
		{ID: "screen.ascii", After: "leave", In: action.InAny, Label: "ASCII",
			Help: "Draw with ASCII characters only, or with lines again",
			Do: f.toggle(&f.Drawn.ASCII, &f.Settings().ASCII, "Drawn with ASCII characters only",
				"Drawn with lines")},
		{ID: "screen.motion", In: action.InAny, Label: "motion",
			Help: "Keep the screen still while something runs, or let it move again",
			Do:   f.toggle(&f.Drawn.Still, &f.Settings().Still, "Nothing moves by itself", "Spinners move")},
		{ID: "screen.notify", In: action.InAny, Label: "notify",
			Help: "Tell on the desktop when a long run ends in another window, or stay quiet",
			Disabled: func() string {
				return action.Reason(!f.notifies, "this terminal shows nothing on the desktop")
			},
			Do: f.toggle(&f.Settings().Quiet, &f.Settings().Quiet, "No notifications on the desktop",
				"Long runs that end in another window are told on the desktop")},
		{ID: "screen.images", In: action.InAny, Label: "images",
			Help: "Let the terminal draw images by itself where it can, or draw them with blocks",
			Disabled: func() string {
				return action.Reason(!f.Drawn.Images, "this terminal is not known to draw images by itself")
			},
			Do: f.toggle(&f.Settings().Blocks, &f.Settings().Blocks, "Images are drawn with blocks",
				"The terminal draws images by itself")},
	}
}

// toggle changes what is so and what is kept of it, draws anew and says what it is now.
func (f *Feature) toggle(is, kept *bool, yes, no string) func() intent.Intent {
	return func() intent.Intent {
		*is = !*is
		*kept = *is
		f.restyle(f.Styles.Theme)
		said := no
		if *is {
			said = yes
		}
		return intent.All{intent.SaveSettings{}, intent.Say{Text: said, Log: intent.LogSetting}}
	}
}

// Use draws with the named theme, or the default for the terminal's background. An
// error says why it is the dark default instead.
func (f *Feature) Use(name string) error {
	f.Chosen = name != ""
	if name == "" {
		name = "patchbay-light"
		if f.dark {
			name = "patchbay-dark"
		}
	}
	t, err := themes.Load(name, f.folder)
	if err != nil {
		t, _ = themes.Load("patchbay-dark", "") // drawn without colours where even that is missing
	}
	f.restyle(t)
	return err
}

// restyle derives the styles of a theme for what the terminal can show.
func (f *Feature) restyle(t themes.Theme) {
	o := f.Drawn
	o.Images = o.Images && !f.Settings().Blocks
	f.Styles = style.New(t, o.For(f.colors))
}

// SetDark takes over whether the terminal's background is dark; the theme follows it
// until the person chose one.
func (f *Feature) SetDark(dark bool) {
	changed := f.dark != dark
	f.dark = dark
	if changed && !f.Chosen {
		_ = f.Use("") // the built-in themes are tested
	}
}

// SetColors takes over how many colours the terminal shows.
func (f *Feature) SetColors(p colorprofile.Profile) {
	f.colors = p
	f.restyle(f.Styles.Theme)
}

// open chooses a theme with a live preview.
func (f *Feature) open() intent.Intent {
	before, chosen := f.Styles.Theme.Name, f.Chosen
	var items []overlay.Item
	for _, n := range themes.All(f.folder) {
		it := overlay.Item{Title: n, Value: n}
		if t, err := themes.Load(n, f.folder); err != nil {
			it.Disabled = err.Error()
		} else {
			it.Note = t.Title
			it.Group = map[string]string{"dark": "Dark", "light": "Light"}[t.Mode]
		}
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(a, b overlay.Item) int { return strings.Compare(a.Group, b.Group) })
	l := &overlay.List{Heading: "Theme", Through: true, Source: overlay.Static(items),
		Help: "↑↓ preview · enter keeps · esc goes back"}
	show := func(name string) { _ = f.Use(name) } // those that do not load are not offered
	l.Moved = func(it overlay.Item) intent.Intent {
		if it.Disabled == "" {
			show(it.Value.(string))
		}
		return nil
	}
	l.Choose = func(it overlay.Item) intent.Intent {
		return intent.All{f.choose(it.Value.(string)), intent.Log{Text: "theme " + it.Title, Group: intent.LogSetting}}
	}
	l.Cancel = intent.Then{F: func() intent.Intent { show(before); f.Chosen = chosen; return nil }}
	return intent.Push{Overlay: l.Select(func(it overlay.Item) bool { return it.Value == before })}
}

// Commands implements dialog.Commander.
func (f *Feature) Commands() []dialog.Command {
	return []dialog.Command{{Name: "theme", About: "NAME", Help: "Use a theme",
		Complete: func(arg string) []string { return dialog.Like(themes.All(f.folder), arg) },
		Check:    f.noTheme, Do: f.choose}}
}

// noTheme says why the theme of that name cannot be chosen; "" when it can.
func (f *Feature) noTheme(name string) string {
	if !slices.Contains(themes.All(f.folder), name) {
		return "there is no theme " + name + "; tab completes their names"
	}
	if _, err := themes.Load(name, f.folder); err != nil {
		return err.Error()
	}
	return ""
}

// choose draws with the named theme from now on.
func (f *Feature) choose(name string) intent.Intent {
	_ = f.Use(name) // noTheme said so before
	f.Settings().Theme = name
	return intent.SaveSettings{}
}
