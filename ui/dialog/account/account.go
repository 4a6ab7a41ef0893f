// Package account is the feature about whose service is asked: the profiles, the
// organization that calls are made in, and signing in. Where profiles and credentials
// are kept is client/profile and client/secret. Like every feature it imports no other
// one, and not the root.
package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/signin"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is the menu of services, organizations and signing in.
type Feature struct {
	dialog.Host
	Accounts dialog.Accounts
	// Profiles lists the names of all; it may be nil.
	Profiles func() []string
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "profile", After: "tree.reload", In: action.InTree, Keys: []string{"p"}, Label: "profile",
			Help: "Switch to another profile", Do: f.open},
		{ID: "organization", After: "connector.delete", In: action.InAny, Label: "organization",
			Help: "Choose the organization that calls are made in", Do: f.openOrganizations,
			Disabled: func() string {
				return action.Reason(f.Session().Offers() == nil, "this service knows no organizations")
			}},
		{ID: "signin", In: action.InAny, Keys: []string{"I"}, Label: "sign in",
			Help: "Sign in to the service of the profile, or to another one",
			Do:   f.openSignIn, Disabled: func() string {
				return action.Reason(f.Accounts.Try == nil || f.Accounts.Keep == nil,
					"there is no place to keep a profile; patchbay login says more")
			}},
	}
}

// open is the menu of profiles, and of what else there is about them.
func (f *Feature) open() intent.Intent {
	s := f.Session()
	l := &overlay.List{Wide: true, Heading: "Profile: " + s.Name + "  " + s.BaseURL,
		Source: overlay.Static(f.items())}
	if f.Accounts.Forget != nil {
		l.Help = "↑↓ moves · enter chooses · ctrl+x forgets a profile · esc closes"
		l.OnItem = map[string]func(overlay.Item) intent.Intent{
			"ctrl+x": func(it overlay.Item) intent.Intent { return f.askForget(l, it) }}
	}
	return intent.Push{Overlay: l}
}

// items are the profiles, then what else can be done about them.
func (f *Feature) items() []overlay.Item {
	var items []overlay.Item
	var names []string
	if f.Profiles != nil {
		names = f.Profiles()
	}
	s := f.Session()
	for _, n := range names {
		it := overlay.Item{Group: "Profiles", Title: n, Value: intent.OpenProfile{Name: n}}
		if n == s.Name {
			it.Note = "in use: " + s.BaseURL
		}
		if n == s.Name && s.Organization != "" {
			it.Note += "  organization " + s.Organization
		}
		items = append(items, it)
	}
	for _, row := range [][3]string{
		{"organization", "Choose the organization", cmp.Or(s.Organization, "none chosen")},
		{"signin", "Sign in to a service", "client id and secret"},
		{"check.all", "Check everything", "settings, network, token, connectors"}} {
		items = append(items, overlay.Item{Group: "Account", Title: row[1], Note: row[2],
			Disabled: f.Table().ByID(row[0]).Why(), Value: intent.Do{ID: row[0]}})
	}
	return items
}

// askForget asks before the profile under the cursor of the menu is forgotten.
func (f *Feature) askForget(menu overlay.Overlay, it overlay.Item) intent.Intent {
	p, ok := it.Value.(intent.OpenProfile)
	switch {
	case !ok:
		return intent.Say{Text: "put the cursor on a profile first", Bad: true}
	case p.Name == f.Session().Name:
		return intent.Say{Text: "this profile is in use: choose another one first", Bad: true}
	}
	forget := dialog.Ask("forgetting profile "+it.Title, func(ctx context.Context) (func() intent.Intent, error) {
		err := f.Accounts.Forget(ctx, p.Name)
		return func() intent.Intent {
			return intent.All{intent.Close{Overlay: menu}, intent.Then{F: f.open},
				intent.Say{Text: "Profile " + p.Name + " is forgotten"}}
		}, err
	})
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Forget this profile?", Danger: true, Yes: "Forget it",
		No: "Keep it", Text: []string{"Profile " + it.Title +
			", the connectors that it keeps, and the credentials stored for it. " +
			"The service keeps all it has."}, Do: forget}}
}

// openOrganizations lists the organizations that the credentials reach; the
// chosen one goes with every further call.
func (f *Feature) openOrganizations() intent.Intent {
	p := f.Session().Offers()
	return dialog.Ask("asking for organizations", func(ctx context.Context) (func() intent.Intent, error) {
		list, err := p.Organizations(ctx)
		return func() intent.Intent { return f.chooseOrganization(list, f.useOrganization) }, err
	})
}

func (f *Feature) chooseOrganization(list []client.Organization,
	choose func(client.Organization) intent.Intent) intent.Intent {
	items, empty := []overlay.Item(nil), "These credentials reach no organization."
	if len(list) > 0 {
		empty = "No organization has these words."
	}
	for _, o := range list {
		it := overlay.Item{Title: o.Name, Note: o.ID, Value: o}
		if o.ID == f.Session().Organization {
			it.Note += "  in use"
		}
		items = append(items, it)
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Which organization?", Source: overlay.Static(items),
		Empty:  empty,
		Help:   "calls carry the one you choose · enter chooses · esc closes",
		Choose: func(it overlay.Item) intent.Intent { return choose(it.Value.(client.Organization)) }}}
}

// useOrganization works in an organization from now on and remembers it.
func (f *Feature) useOrganization(o client.Organization) intent.Intent {
	s, keep := f.Session(), f.Accounts.KeepOrganization
	s.Offers().SetOrganization(o.ID)
	done := intent.All{intent.UseOrganization{ID: o.ID}, intent.LoadWorkspaces{},
		intent.Say{Text: "Organization " + o.Name, Log: intent.LogSetting}}
	if keep == nil || s.Sandbox {
		return done
	}
	return append(done, dialog.Quiet(func() (func() intent.Intent, error) {
		if err := keep(s.Name, o.ID); err != nil {
			return nil, fmt.Errorf("the choice could not be kept for the next start: %w", err)
		}
		return nil, nil
	}))
}

// openSignIn offers what the service's own program has, else asks for credentials.
func (f *Feature) openSignIn() intent.Intent {
	find := f.Accounts.FindImport
	if find == nil {
		return f.offer(nil)
	}
	return dialog.Quiet(func() (func() intent.Intent, error) {
		found, err := find()
		return func() intent.Intent {
			if err != nil {
				return intent.All{intent.Failed(err), f.offer(nil)}
			}
			return f.offer(found)
		}, nil
	})
}

// service is what is signed in to when nothing else is said: that of the profile in use.
func (f *Feature) service() profile.Preset {
	s := f.Session()
	if s.Sandbox || s.BaseURL == "" {
		return f.known()
	}
	in := profile.Preset{Name: s.Name, BaseURL: s.BaseURL}
	if s.Name == profile.EnvName { // the environment is no profile that could be kept
		in.Name = ""
	}
	return in
}

// known is the service that is known by itself, as the profile in use calls it where that
// is one of it.
func (f *Feature) known() profile.Preset {
	if len(f.Accounts.Presets) == 0 {
		return profile.Preset{}
	}
	p := f.Accounts.Presets[0]
	if s := f.Session(); s.BaseURL == p.BaseURL && s.Name != profile.EnvName {
		p.Name = s.Name
	}
	return p
}

// offer lets a person choose how to sign in, where there are several ways.
func (f *Feature) offer(found *profile.Import) intent.Intent {
	var items []overlay.Item
	if found != nil {
		l := session.Login{Profile: f.known().Name, BaseURL: f.known().BaseURL,
			ClientID: secret.New(found.ClientID), ClientSecret: found.ClientSecret,
			Organization: found.OrganizationID, Workspace: found.Workspace}
		items = append(items, overlay.Item{Title: "Take the credentials of the service's own program",
			Detail: found.Path, Value: f.try(nil, l)})
	}
	if f.Accounts.Browse != nil {
		items = append(items, overlay.Item{Title: "Sign in with your browser", Detail: "on a page of the service",
			Value: f.browse()})
	}
	if len(items) == 0 {
		return f.typeCredentials()
	}
	items = append(items, overlay.Item{Title: "Type client id and secret", Value: f.typeCredentials()})
	return intent.Push{Overlay: &overlay.List{Heading: "Sign in", Source: overlay.Static(items)}}
}

// typeCredentials asks for address, client id and secret; the secret is not shown.
func (f *Feature) typeCredentials() intent.Intent {
	form := f.signIn(catalog.Field{Name: "client_id", Type: "string", Required: true, Secret: true},
		catalog.Field{Name: "client_secret", Type: "string", Required: true, Secret: true})
	form.Heading, form.Label = "Sign in", "signs in"
	form.Explain = []string{"The service is asked for a token first; nothing is kept before that works. " +
		"The secret goes to the keyring, or to a file that only you can read."}
	form.Submit = func(v overlay.Values) intent.Intent {
		login := loginOf(v)
		login.ClientID, login.ClientSecret = secret.New(v.Text("client_id")), secret.New(v.Text("client_secret"))
		return f.try(form, login)
	}
	return intent.Push{Overlay: form}
}

// browse asks for the address of the service on whose page a person signs in.
func (f *Feature) browse() intent.Intent {
	form := f.signIn()
	form.Heading, form.Label = "Sign in with your browser", "opens the page"
	form.Explain = []string{"The browser comes back to this machine. What is kept then is the client id and secret " +
		"that the service gives you."}
	form.Submit = func(v overlay.Values) intent.Intent { return f.visit(form, loginOf(v)) }
	return intent.Push{Overlay: form}
}

// signIn is a form for a service and a profile, with what else is asked for between them.
func (f *Feature) signIn(between ...catalog.Field) *overlay.Form {
	fields := []catalog.Field{{Name: "service", Type: "string", Required: true, Doc: "Address of the service."}}
	fields = append(fields, between...)
	fields = append(fields, catalog.Field{Name: "profile", Type: "string", Required: true,
		Doc: "What to call these credentials here."})
	form := &overlay.Form{Fields: dialog.Fields(f, fields)}
	form.Fields.Fill("/service", f.service().BaseURL)
	form.Fields.Fill("/profile", cmp.Or(f.service().Name, "default"))
	return form
}

// loginOf is where a person wants to sign in, and as which profile.
func loginOf(v overlay.Values) session.Login {
	return session.Login{Profile: v.Text("profile"), BaseURL: strings.TrimRight(v.Text("service"), "/")}
}

// visit waits until the person comes back from their browser.
func (f *Feature) visit(form *overlay.Form, l session.Login) intent.Intent {
	page := &overlay.Reader{Heading: "Sign in on this page", CopyWhat: "the address"}
	shut := intent.Close{Overlay: page}
	task := dialog.Ask("waiting for your browser", func(ctx context.Context) (func() intent.Intent, error) {
		signed, list, err := f.Accounts.Browse(ctx, l, func(address string) {
			intent.Post(ctx, func() intent.Intent {
				page.CopyText = address
				page.Body = []overlay.Line{{Text: address, Tone: overlay.Accent}, {},
					{Text: "Your browser opens it, where there is one. ctrl+c stops waiting."}}
				return intent.Push{Overlay: page}
			})
		})
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, ctx.Err()
		}
		return func() intent.Intent {
			if err != nil {
				return intent.All{shut, dialog.Failed(form, err)}
			}
			return intent.All{shut, f.tried(form, signed, list)}
		}, nil
	})
	task.Limit += signin.Patience
	task.Stopped = func() intent.Intent { return intent.All{shut, intent.Say{Text: "The sign-in was stopped"}} }
	return task
}

// try asks for a token, then for the organization, then keeps the profile. The form
// is nil where the credentials were not typed.
func (f *Feature) try(form *overlay.Form, l session.Login) intent.Intent {
	return intent.All{intent.Say{Text: "asking " + l.BaseURL + " for a token…"},
		dialog.Ask("asking for a token", func(ctx context.Context) (func() intent.Intent, error) {
			list, err := f.Accounts.Try(ctx, l)
			return func() intent.Intent {
				if err != nil {
					return dialog.Failed(form, err)
				}
				return f.tried(form, l, list)
			}, nil
		})}
}

// tried continues with the organizations that the credentials reach.
func (f *Feature) tried(form *overlay.Form, l session.Login, list []client.Organization) intent.Intent {
	if len(list) == 0 {
		return f.keep(form, l)
	}
	in := func(o client.Organization) intent.Intent {
		l.Organization = o.ID
		return f.keep(form, l)
	}
	for _, o := range list {
		if o.ID == l.Organization || len(list) == 1 {
			return in(o)
		}
	}
	return f.chooseOrganization(list, in)
}

func (f *Feature) keep(form *overlay.Form, l session.Login) intent.Intent {
	return dialog.Ask("keeping the profile", func(ctx context.Context) (func() intent.Intent, error) {
		where, err := f.Accounts.Keep(ctx, l)
		return func() intent.Intent {
			if err != nil {
				return dialog.Failed(form, err)
			}
			done := intent.All{intent.OpenProfile{Name: l.Profile},
				intent.Say{Text: "Signed in; the credentials are in " + where}}
			if form != nil {
				done = append(intent.All{intent.Close{Overlay: form}}, done...)
			}
			return done
		}, nil
	})
}
