// Package places is the feature that goes to a place: to a hit of the search, back
// to the one before, and at the start to the last one. A place is an action of a
// connector, which may have to be listed first: this feature fills the tree. It
// imports no other feature and not the root.
package places

import (
	"encoding/json"
	"slices"

	"patchbay/catalog"
	"patchbay/client/profile"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
)

// Feature is the way to places.
type Feature struct {
	dialog.Host
	// Docs shows the documentation of a place that no connector has.
	Docs func(kind, entity, action string) intent.Intent
	// Leaving is called before a place that was left is shown again.
	Leaving func()

	trail   trail
	pending *pending
}

// pending is a place that waits for lists to arrive.
type pending struct {
	place  profile.Place
	params json.RawMessage
	run    bool
	// focus is the pane that gets the focus at the end.
	focus intent.Pane
	// byKind takes the first connector of the place's kind, whatever its name.
	byKind bool
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return f.visitActions()
}

// here is the place whose form is open.
func (f *Feature) here() profile.Place {
	c, e, a := f.Request().Place()
	return profile.Place{Connector: c, Entity: e, Action: a}
}

// Save keeps the place and what its form holds for the next start. Params of a
// session without a history are not kept, nor those of an action that may hold a
// secret.
func (f *Feature) Save() intent.Intent {
	if !f.Request().HasAction() || f.Document() != nil {
		return nil
	}
	p, s := f.here(), f.Settings()
	p.Connector.Raw = nil
	secret := func(p catalog.Field) bool { return p.Secret }
	if !f.Session().NoHistory && !slices.ContainsFunc(f.Request().Action().Params, secret) {
		p.Params = f.Request().Draft()
	}
	if s.Places == nil {
		s.Places = map[string]profile.Place{}
	}
	s.Places[f.Session().Name] = p
	return intent.SaveSettings{}
}

// Start forgets the places of another session and plans where this one begins:
// where the last one of the profile ended, else with the first call of the session,
// which is sent at once where run is set.
func (f *Feature) Start(run bool) {
	f.trail = trail{}
	if p, ok := f.Settings().Places[f.Session().Name]; ok && p.Connector.Workspace != "" {
		f.pending = &pending{place: p, focus: intent.Request, params: p.Params}
	} else if first := f.Session().First; first.Action != "" {
		f.pending = &pending{focus: intent.Response, run: run, byKind: true, params: first.Params, place: first}
	}
}

// Open goes to a place once the lists on its way are there.
func (f *Feature) Open(p profile.Place) intent.Intent {
	f.pending = &pending{place: p, focus: intent.Request}
	return f.resume()
}

// resume continues towards the pending place as far as the lists that are there allow.
func (f *Feature) resume() intent.Intent {
	p := f.pending
	if p == nil {
		return nil
	}
	if p.byKind {
		for _, c := range f.Tree().Connectors() {
			if c.Kind == p.place.Connector.Kind && c.Workspace == p.place.Connector.Workspace {
				p.place.Connector, p.byKind = c, false
			}
		}
	}
	if in := f.Tree().Reveal(p.place.Connector, p.place.Entity, p.place.Action); in != nil {
		return in
	}
	cur := f.Tree().Current()
	if cur == nil || cur.Action != p.place.Action || cur.Entity != p.place.Entity {
		if !f.Tree().Waiting() {
			f.pending = nil
		}
		return nil
	}
	f.pending = nil
	open := intent.OpenAction{Connector: cur.Connector, Entity: cur.Entity, Action: cur.Action, Params: p.params,
		Run: p.run}
	return intent.All{open, intent.Focus{Pane: p.focus}}
}
