package commandline

import (
	"slices"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/profile"
	small "patchbay/testdata/catalog"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/request"
	"patchbay/ui/tree"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	settings profile.State
	session  dialog.Session
	request  *request.Pane
	tree     *tree.Pane
	table    *action.Table
}

func (d *desk) Settings() *profile.State  { return &d.settings }
func (d *desk) Session() dialog.Session   { return d.session }
func (d *desk) Request() *request.Pane    { return d.request }
func (d *desk) Tree() *tree.Pane          { return d.tree }
func (d *desk) Table() *action.Table      { return d.table }
func (d *desk) Catalog() *catalog.Catalog { return small.Catalog() }

// painter is a feature with a command.
type painter struct{ painted string }

func (p *painter) Actions() []action.Row { return nil }

func (p *painter) Commands() []dialog.Command {
	return []dialog.Command{{Name: "paint", About: "COLOUR", Help: "Paint it",
		Complete: func(arg string) []string { return dialog.Like([]string{"blue", "light blue", "black"}, arg) },
		Check:    func(arg string) string { return action.Reason(arg == "", "name the colour") },
		Do:       func(arg string) intent.Intent { p.painted = arg; return nil }}}
}

func newLine() (*Feature, *desk, *painter) {
	why := func() string { return "it rains" }
	d, p := &desk{request: request.New(time.Now), tree: tree.New()}, &painter{}
	d.table = action.NewTable([]action.Row{{ID: "walk", In: action.InAny, Keys: []string{"w"}, Help: "Go out", Disabled: why}}, nil)
	return New(d, []dialog.Feature{p}), d, p
}

func TestFeaturesGiveCommands(t *testing.T) {
	f, d, p := newLine()
	if got := f.like("paint bl"); !slices.Equal(got, []string{"paint blue", "paint black", "paint light blue"}) {
		t.Errorf("it is completed by %q", got)
	}
	if s := f.suggestion("paint "); s.Text != "paint COLOUR" || s.Note != "Paint it" {
		t.Errorf("it is suggested as %+v", s)
	}
	if why := f.missing("paint"); why != "name the colour" {
		t.Errorf("without a colour: %q", why)
	}
	f.keep("paint  red ")
	f.run("paint  red ")
	if p.painted != "red" || !slices.Equal(d.settings.Commands, []string{"paint  red"}) {
		t.Errorf("painted %q, kept %q", p.painted, d.settings.Commands)
	}
	d.session.NoHistory = true
	if f.keep("paint black"); len(d.settings.Commands) != 1 {
		t.Errorf("kept %q in a session that keeps nothing", d.settings.Commands)
	}
}

func TestActionsSayWhyNot(t *testing.T) {
	f, _, _ := newLine()
	if s := f.suggestion("walk"); s.Note != "not now: it rains" || s.Key != "w" || f.missing("walk") != "it rains" {
		t.Errorf("it is suggested as %+v", s)
	}
	if in := f.run("walk"); in != (intent.Do{ID: "walk"}) {
		t.Errorf("it does %v", in)
	}
}

func TestPlacesBySeveralNames(t *testing.T) {
	f, _, _ := newLine()
	for v, want := range map[string]catalog.Hit{
		"payments":                {Kind: "payments", What: catalog.WhatKind},
		"payments/customers":      {Kind: "payments", What: catalog.WhatEntity, Entity: "customers"},
		"payments>customers list": {Kind: "payments", What: catalog.WhatAction, Entity: "customers", Action: "list"},
	} {
		if got, ok := f.run(v).(intent.GoTo); !ok || got.Hit.Path() != want.Path() || got.Hit.What != want.What {
			t.Errorf("%q goes to %+v", v, got)
		}
	}
	if got := f.meant("customers list"); got != "payments customers list" {
		t.Errorf("the only one of that name is %q", got)
	}
	if why := f.noPlace("payments nothing"); why == "" {
		t.Error("there is no such place")
	}
}
