// Package commandline is the feature behind ":": actions by their ids, places by
// their names, and commands that take a value. Features give commands of their own
// as dialog.Commander. It imports no other feature and not the root.
package commandline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patchbay/client/profile"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is the command line. Use New.
type Feature struct {
	dialog.Host
	commands []dialog.Command // in the order in which they are suggested
	typed    []string         // oldest first, also before this start
}

// New returns the feature with its own commands and those of other features.
func New(h dialog.Host, others []dialog.Feature) *Feature {
	f := &Feature{Host: h, typed: h.Settings().Commands}
	f.commands = f.own()
	for _, o := range others {
		if c, ok := o.(dialog.Commander); ok {
			f.commands = append(f.commands, c.Commands()...)
		}
	}
	return f
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "command", After: "back", In: action.InAny, Keys: []string{":"}, Label: "command",
		Help: "Type a place, an action or a command: charges list, set limit 50", Do: f.open}}
}

func (f *Feature) open() intent.Intent {
	kind, first := f.Catalog().First()
	about := fmt.Sprintf("A place (%s, %s %[1]s list), an action, or a command with its value.", first.Entity, kind)
	p := overlay.NewPrompt("Command", about, "", func(v string) intent.Intent {
		v = f.meant(v)
		return intent.Then{F: func() intent.Intent { return intent.All{f.keep(v), f.run(v)} }}
	})
	p.History = f.typed
	p.Check = func(v string) string { return f.missing(f.meant(v)) }
	p.Complete = f.like
	p.Suggest = func(stem string) []overlay.Suggestion {
		var out []overlay.Suggestion
		like := f.like(stem)
		for _, v := range like[:min(len(like), shown)] {
			out = append(out, f.suggestion(v))
		}
		return out
	}
	return intent.Push{Overlay: p}
}

// keep remembers a command, also for the next start unless nothing of this
// session is to be kept.
func (f *Feature) keep(v string) intent.Intent {
	f.typed = profile.WithNewest(f.typed, strings.TrimSpace(v))
	if f.Session().NoHistory {
		return nil
	}
	f.Settings().Commands = f.typed
	return intent.SaveSettings{}
}

// command splits what was typed into a command and what it is about; ok is false
// when it names none.
func (f *Feature) command(v string) (c dialog.Command, arg string, ok bool) {
	name, arg, _ := strings.Cut(strings.TrimLeft(v, " "), " ")
	i := slices.IndexFunc(f.commands, func(c dialog.Command) bool { return c.Name == name })
	if i < 0 {
		return c, "", false
	}
	return f.commands[i], strings.TrimSpace(arg), true
}

// meant is what was typed, or the only completion of it where that can be run
// and what was typed cannot.
func (f *Feature) meant(v string) string {
	if f.missing(v) == "" {
		return v
	}
	if like := f.like(v); len(like) == 1 && f.missing(like[0]) == "" {
		return like[0]
	}
	return v
}

// missing says why what was typed cannot be run; "" when it can.
func (f *Feature) missing(v string) string {
	v = strings.TrimSpace(v)
	if a := f.Table().ByID(v); a != nil {
		return a.Why()
	}
	if c, arg, ok := f.command(v); ok {
		return c.Check(arg)
	}
	if f.noPlace(v) == "" {
		return ""
	}
	if like := f.like(v); len(like) > 0 {
		return "there is no " + v + "; tab takes " + like[0]
	}
	return "there is no command, action or place " + v
}

func (f *Feature) run(v string) intent.Intent {
	if id := strings.TrimSpace(v); f.Table().ByID(id) != nil {
		return intent.Do{ID: id}
	}
	if c, arg, ok := f.command(v); ok {
		return c.Do(arg)
	}
	return f.goTo(v)
}

// shown is how many suggestions stand below the line.
const shown = 8

// suggestion is a completion with what it does.
func (f *Feature) suggestion(v string) overlay.Suggestion {
	for _, c := range f.commands {
		if c.Name+" " == v {
			return overlay.Suggestion{Text: v + c.About, Note: c.Help}
		}
	}
	s := overlay.Suggestion{Text: v}
	if a := f.Table().ByID(v); a != nil {
		s.Note, s.Key = a.Help, strings.Join(f.Table().Keys(a.ID), " ")
		if why := a.Why(); why != "" {
			s.Note = "not now: " + why
		}
	} else if to, ok := f.place(strings.TrimPrefix(v, "go ")); ok {
		s.Note = f.doc(to.Hit)
	}
	return s
}

// like are the completions of what was typed.
func (f *Feature) like(stem string) []string {
	stem = strings.TrimLeft(stem, " ")
	if c, arg, ok := f.command(stem); ok && strings.Contains(stem, " ") {
		if c.Complete == nil {
			return nil
		}
		return prefixed(c.Name+" ", c.Complete(arg))
	}
	var out []string
	for _, c := range f.commands {
		if strings.HasPrefix(c.Name, stem) {
			out = append(out, c.Name+" ")
		}
	}
	if stem != "" {
		out = append(out, f.placesLike(stem)...)
	}
	ids := make([]string, len(f.Table().Rows))
	for i := range ids {
		ids[i] = f.Table().Rows[i].ID
	}
	out = append(out, dialog.Like(ids, stem)...)
	if len(out) == 0 {
		return f.placesElsewhere(stem)
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(begins(a, stem), begins(b, stem)) })
	return out
}

// begins is 0 for names that begin with what was typed, 1 for others.
func begins(name, typed string) int {
	if strings.HasPrefix(name, typed) {
		return 0
	}
	return 1
}

func prefixed(prefix string, list []string) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = prefix + v
	}
	return out
}

// own are the commands on places and panes.
func (f *Feature) own() []dialog.Command {
	return []dialog.Command{
		{Name: "go", About: "KIND ENTITY ACTION", Help: "Open a connector, an entity or an action",
			Complete: f.placesLike, Check: f.noPlace, Do: f.goTo},
		{Name: "set", About: "PARAM VALUE", Help: "Give a param of the request a value",
			Complete: func(arg string) []string { return dialog.Like(f.params(), arg) }, Check: f.noParam, Do: f.set},
		{Name: "view", About: "NAME", Help: "Show another view of the answer",
			Complete: func(arg string) []string { return dialog.Like(f.views(), arg) }, Check: f.noView,
			Do: func(arg string) intent.Intent {
				f.Response().ShowView(f.viewNamed(arg))
				return intent.All{intent.Focus{Pane: intent.Response}, f.Response().Examine()}
			}},
		{Name: "filter", About: "TEXT", Help: "Keep the rows with this text; nothing shows all",
			Check: func(string) string {
				if !f.Response().HasAnswer() {
					return "there is no answer to filter; r runs the request"
				}
				return f.Response().NoLine()
			},
			Do: func(arg string) intent.Intent {
				return intent.All{intent.Focus{Pane: intent.Response}, f.Response().Find(arg)}
			}},
	}
}

func (f *Feature) params() []string {
	if !f.Request().HasAction() {
		return nil
	}
	var names []string
	for _, p := range f.Request().Action().Params {
		if !p.Injected {
			names = append(names, p.Name+" ")
		}
	}
	return names
}

func (f *Feature) noParam(arg string) string {
	if !f.Request().HasAction() {
		return "no action is open; go opens one"
	}
	name, value, _ := strings.Cut(arg, " ")
	if name == "" {
		return "name the param and its value: set limit 50"
	}
	return f.Request().NoSet(name, strings.TrimSpace(value))
}

func (f *Feature) set(arg string) intent.Intent {
	name, value, _ := strings.Cut(arg, " ")
	if err := f.Request().Set(name, strings.TrimSpace(value)); err != nil {
		return intent.Failed(err)
	}
	return intent.Say{Text: name + " is set; r runs the request"}
}

func (f *Feature) views() []string {
	var names []string
	for _, n := range f.Response().ViewNames() {
		names = append(names, strings.ToLower(n))
	}
	return names
}

// viewNamed is the view that is called arg in whatever case; "" when none is.
func (f *Feature) viewNamed(arg string) string {
	for _, n := range f.Response().ViewNames() {
		if strings.EqualFold(n, arg) {
			return n
		}
	}
	return ""
}

func (f *Feature) noView(arg string) string {
	if f.viewNamed(arg) != "" {
		return ""
	}
	if names := f.views(); len(names) > 0 {
		return "there is no view " + arg + " of this answer; there are " + strings.Join(names, ", ")
	}
	return "there is no answer to show; r runs the request"
}
