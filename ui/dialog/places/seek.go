package places

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/tree"
)

// GoTo opens the place of a hit in a connector: the one that is given, the known one of
// that name, or the nearest of the hit's kind. Workspaces that were not opened yet are
// listed for it.
func (f *Feature) GoTo(in intent.GoTo) intent.Intent {
	h, name := in.Hit, in.Connector.Name
	if in.Connector.Kind != "" {
		return f.goToIn(in.Connector, h)
	}
	if name != "" {
		return f.goToNamed(name, h)
	}
	if c := dialog.ConnectorsOf(f, h.Kind); len(c) > 0 {
		return f.goToIn(c[0], h)
	}
	ofKind := func(c client.Connector) bool { return c.Kind == h.Kind }
	return f.Seek("a connector of kind "+h.Kind, ofKind, func(missing error) intent.Intent {
		if c := dialog.ConnectorsOf(f, h.Kind); len(c) > 0 {
			return f.goToIn(c[0], h)
		}
		t := "No connector of kind " + h.Kind + " here: this is its documentation. a in the tree adds one"
		switch {
		case missing != nil:
			t = "No connector of kind " + h.Kind + " was found, and a workspace could not be listed: " +
				client.AsError(missing).Error() + ". R in the tree asks again; this is the documentation"
		case f.Tree().Waiting():
			t = "The workspaces are still being asked for: go there again once they are listed"
		case f.Tree().Problem() != "":
			t = "The workspaces could not be listed, R in the tree asks again; this is the documentation of " + h.Kind
		}
		return intent.All{f.Docs(h.Kind, h.Entity, h.Action), intent.Say{Text: t}}
	})
}

// goToNamed opens a place in the connector of a name, which may have to be listed first.
func (f *Feature) goToNamed(name string, h catalog.Hit) intent.Intent {
	called := func(c client.Connector) bool { return strings.EqualFold(c.Name, name) }
	return f.Seek("a connector called "+name, called, func(error) intent.Intent {
		list := f.Tree().Connectors()
		i := slices.IndexFunc(list, called)
		if i < 0 {
			return intent.Say{Text: "no connector is called " + name, Bad: true}
		}
		k, e, a, err := f.Catalog().Resolve(list[i].Kind, h.Entity, h.Action)
		if err != nil || h.Entity != "" && e == nil || h.Action != "" && a == nil {
			return intent.Say{Text: strings.Join([]string{name, "has no", h.Entity, h.Action}, " "), Bad: true}
		}
		h.Kind = k.Name
		return f.goToIn(list[i], h)
	})
}

func (f *Feature) goToIn(c client.Connector, h catalog.Hit) intent.Intent {
	if h.Entity == "" {
		return dialog.ToConnector(c)
	}
	p := profile.Place{Connector: c, Entity: h.Entity, Action: h.Action}
	if h.Action == "" {
		p.Action = f.firstAction(h.Kind, h.Entity)
	}
	return f.Open(p)
}

// firstAction is the action to show for an entity: the one that reads most.
func (f *Feature) firstAction(kind, entity string) string {
	k, err := f.Catalog().Kind(kind)
	if err != nil {
		return ""
	}
	e := k.Entity(entity)
	if e == nil || len(e.Actions) == 0 {
		return ""
	}
	for _, want := range []string{catalog.ActionList, catalog.ActionAPISearch, catalog.ActionGet} {
		if e.Action(want) != nil {
			return want
		}
	}
	return e.Actions[0].Name
}

// connectorsOf are the connectors of a workspace, or why they cannot be listed.
type connectorsOf struct {
	workspace  string
	connectors []client.Connector
	err        error
}

// Seek lists the workspaces that were not opened yet, one after the other, until
// one has a connector that suits, and puts what came into the tree. found is asked
// then, unless the person cancelled or went elsewhere meanwhile; missing tells
// what could not be listed.
func (f *Feature) Seek(what string, suits func(client.Connector) bool,
	found func(missing error) intent.Intent) intent.Intent {
	s, names, at := f.Session().Service, f.Tree().Unlisted(), f.standpoint()
	if len(names) == 0 || s == nil {
		return found(nil)
	}
	return intent.Task{Lane: intent.Asking, What: "looking for " + what, Limit: Timeout,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			var lists []connectorsOf
			for _, name := range names {
				list, err := s.Connectors(ctx, name)
				lists = append(lists, connectorsOf{name, list, err})
				if slices.ContainsFunc(list, suits) || ctx.Err() != nil {
					break
				}
			}
			canceled := errors.Is(ctx.Err(), context.Canceled)
			return func() intent.Intent {
				var missing error
				for _, l := range lists {
					if l.err == nil {
						f.Tree().Fill(l.workspace, l.connectors)
					} else if missing == nil {
						missing = l.err
					}
				}
				if canceled || at != f.standpoint() {
					return nil
				}
				return found(missing)
			}, nil
		}}
}

// standpoint says where the person is, to see whether that has changed.
type standpoint struct {
	connector, entity, action string
	top                       intent.Overlay
}

func (f *Feature) standpoint() standpoint {
	at := standpoint{top: f.Top()}
	if f.Request().HasAction() {
		p := f.here()
		at.connector, at.entity, at.action = p.Connector.Workspace+"/"+p.Connector.Name, p.Entity, p.Action
	}
	return at
}

// Timeout bounds the listing of workspaces or connectors.
const Timeout = 45 * time.Second

// Workspaces lists the workspaces anew.
func (f *Feature) Workspaces() intent.Intent {
	f.Tree().Reload()
	s := f.Session().Service
	return intent.Task{Lane: intent.Asking, What: "asking for workspaces", Limit: Timeout,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			err := errors.New("no service is configured: p chooses a profile")
			var list []client.Workspace
			if s != nil {
				list, err = s.Workspaces(ctx)
			}
			return func() intent.Intent { return f.gotWorkspaces(list, err) }, nil
		}}
}

func (f *Feature) gotWorkspaces(list []client.Workspace, err error) intent.Intent {
	problem := ""
	if err != nil {
		problem = f.mended(err) + " " + f.key("tree.reload") + " asks again."
	}
	f.Tree().SetWorkspaces(list, problem)
	if local := f.Session().Local; len(local) > 0 {
		f.Tree().AddGroup(tree.LocalGroup, "called directly", local)
	}
	switch {
	case errors.Is(err, hosted.ErrChooseOrganization), errors.Is(err, hosted.ErrWrongOrganization):
		return intent.All{logged(problem), intent.Do{ID: "organization"}}
	case err != nil && len(f.Session().Local) > 0: // the tree has a row for it only
		return intent.All{logged(problem), intent.Say{Text: problem, Bad: true}}
	case err != nil:
		return logged(problem)
	case f.pending != nil:
		return f.resume()
	case len(list) == 1:
		return f.Tree().Open()
	}
	return nil
}

// Connectors lists the connectors of a workspace.
func (f *Feature) Connectors(workspace string) intent.Intent {
	s := f.Session().Service
	return intent.Task{Lane: intent.Asking, What: "asking for the connectors of " + workspace,
		Limit: Timeout,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			list, err := s.Connectors(ctx, workspace)
			return func() intent.Intent {
				if err == nil {
					f.Tree().SetConnectors(workspace, list, "")
					return intent.All{f.Tree().Complete(), f.resume()}
				}
				problem := f.mended(err)
				f.Tree().SetConnectors(workspace, list, problem)
				return intent.All{logged(problem), f.resume()}
			}, nil
		}}
}

// describer is a service that tells what the connectors are that the catalog does not know.
type describer interface {
	KindOf(ctx context.Context, c client.Connector, anew bool) (client.Connector, *catalog.Kind, []string, error)
}

// Kind opens the catalog's entry of a connector's kind; where there is none, the service
// is asked to describe it.
func (f *Feature) Kind(in intent.LoadKind) intent.Intent {
	c := in.Connector
	k, err := f.Catalog().Kind(cmp.Or(c.Kind, c.Type))
	if asks, can := f.Session().Service.(describer); can && !c.Local && (err != nil || k.Source == catalog.Live) {
		return f.describe(asks, c, in.Anew)
	}
	return dialog.Quiet(func() (func() intent.Intent, error) {
		k, err := f.Catalog().Kind(cmp.Or(c.Kind, c.Type))
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		return func() intent.Intent { f.Tree().SetKind(c, k, problem); return f.resume() }, nil
	})
}

// describe asks for the description of a connector, or takes the one that is kept.
func (f *Feature) describe(asks describer, c client.Connector, anew bool) intent.Intent {
	return intent.Task{Lane: intent.Asking, What: "asking what " + c.Name + " offers", Limit: Timeout,
		Do: func(ctx context.Context) (func() intent.Intent, error) {
			of, k, notes, err := asks.KindOf(ctx, c, anew)
			return func() intent.Intent { return f.described(of, k, notes, err, anew) }, nil
		}}
}

// described shows what came of asking, and where the place to go to lies in it.
func (f *Feature) described(c client.Connector, k *catalog.Kind, notes []string, err error, anew bool) intent.Intent {
	if err != nil && anew { // what was known stays
		return intent.All{intent.Say{Text: f.mended(err), Bad: true}, f.resume()}
	}
	if err != nil { // the tree has a row for it only
		f.Tree().SetKind(c, nil, f.mended(err))
		return intent.All{intent.Say{Text: f.mended(err), Bad: true}, f.resume()}
	}
	f.Tree().SetKind(c, k, "")
	all := intent.All{}
	for _, note := range notes {
		all = append(all, intent.Log{Text: "description of " + c.Name + ": " + note, Group: intent.LogNote})
	}
	if anew {
		all = append(all, intent.Say{Text: c.Name + " is described anew"})
	}
	return append(all, f.resume())
}

func logged(problem string) intent.Intent { return intent.Log{Text: problem, Group: intent.LogProblem} }

// mended is an error as a sentence, and what to do about it: by a key where one does it.
func (f *Feature) mended(err error) string {
	e := client.AsError(err)
	next := e.Next
	if key := f.key("signin"); e.Class == client.ClassAuth && key != "" && f.Table().ByID("signin").Why() == "" {
		next = key + " signs in."
	}
	return strings.TrimSpace(strings.TrimRight(e.Error(), ". ") + ". " + next)
}

// key is that of an action; "" where it has none.
func (f *Feature) key(id string) string { return strings.Join(f.Table().Keys(id), " ") }
