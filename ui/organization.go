package ui

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/text"
)

// asksOrganization tells whether an error wants the organization to be chosen.
func asksOrganization(err error) bool { return errors.Is(err, hosted.ErrChooseOrganization) }

func (m *Model) noOrganizations() string {
	return reason(m.platform() == nil, "this service knows no organizations")
}

// openOrganizations lists the organizations that the credentials reach; the
// chosen one goes with every further call.
func (m *Model) openOrganizations() tea.Cmd {
	p := m.platform()
	if p == nil {
		return m.say(m.noOrganizations(), true)
	}
	return m.ask("asking for organizations", platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		list, err := p.Organizations(ctx)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.say(troubled(err), true)
			}
			return m.chooseOrganization(list, then2(m.useOrganization))
		}
	})
}

// then2 makes a choice of an organization into an intent.
func then2(f func(client.Organization) tea.Cmd) func(client.Organization) intent.Intent {
	return func(o client.Organization) intent.Intent { return then(func() tea.Cmd { return f(o) }) }
}

func (m *Model) chooseOrganization(list []client.Organization, choose func(client.Organization) intent.Intent) tea.Cmd {
	items, empty := []overlay.Item(nil), "These credentials reach no organization."
	if len(list) > 0 {
		empty = "No organization has these words."
	}
	for _, o := range list {
		it := overlay.Item{Title: text.Sanitize(o.Name), Note: text.Sanitize(o.ID), Value: o}
		if o.ID == m.deps.Session.Organization {
			it.Note += "  in use"
		}
		items = append(items, it)
	}
	return m.push(&overlay.List{Heading: "Which organization?", Source: overlay.Static(items), Empty: empty,
		Help:   "calls carry the one you choose · enter chooses · esc closes",
		Choose: func(it overlay.Item) intent.Intent { return choose(it.Value.(client.Organization)) }})
}

// useOrganization works in an organization from now on and remembers it.
func (m *Model) useOrganization(o client.Organization) tea.Cmd {
	m.platform().SetOrganization(o.ID)
	m.deps.Session.Organization = o.ID
	keep, name := m.deps.Accounts.KeepOrganization, m.deps.Session.Name
	cmds := []tea.Cmd{m.reload(), m.tell(logSetting, "Organization "+o.Name)}
	if keep != nil && !m.deps.Session.Sandbox {
		cmds = append(cmds, m.async(platformTimeout, func(context.Context) func(*Model) tea.Cmd {
			if err := keep(name, o.ID); err != nil {
				return func(m *Model) tea.Cmd {
					return m.say("the choice could not be kept for the next start: "+err.Error(), true)
				}
			}
			return nil
		}))
	}
	return tea.Batch(cmds...)
}

// openProfiles is the menu of services, organizations and signing in.
func (m *Model) openProfiles() tea.Cmd {
	s := m.deps.Session
	var items []overlay.Item
	if m.deps.Profiles != nil {
		for _, n := range m.deps.Profiles() {
			it := overlay.Item{Group: "Profiles", Title: text.Sanitize(n), Value: then(func() tea.Cmd { return m.openSession(n) })}
			if n == s.Name {
				it.Note = "in use: " + text.Sanitize(s.BaseURL)
				if s.Organization != "" {
					it.Note += "  organization " + text.Sanitize(s.Organization)
				}
			}
			items = append(items, it)
		}
	}
	org := "none chosen"
	if s.Organization != "" {
		org = text.Sanitize(s.Organization)
	}
	items = append(items,
		overlay.Item{Group: "Account", Title: "Choose the organization", Note: org, Disabled: m.noOrganizations(), Value: intent.Do{ID: "organization"}},
		overlay.Item{Group: "Account", Title: "Sign in to a service", Note: "client id and secret", Disabled: m.noSignIn(), Value: intent.Do{ID: "signin"}},
		overlay.Item{Group: "Account", Title: "Check everything", Note: "settings, network, token, connectors", Disabled: m.noExamine(), Value: intent.Do{ID: "check.all"}})
	return m.push(&overlay.List{Heading: "Profile: " + text.Sanitize(s.Name) + "  " + text.Sanitize(s.BaseURL), Wide: true,
		Source: overlay.Static(items), Choose: chosenIntent})
}

func (m *Model) noSignIn() string {
	return reason(m.deps.Accounts.Try == nil || m.deps.Accounts.Keep == nil, "there is no place to keep a profile; patchbay login says more")
}

// openSignIn offers what the service's own program has, else asks for
// credentials.
func (m *Model) openSignIn() tea.Cmd {
	find := m.deps.Accounts.FindImport
	if find == nil {
		return m.signInForm(Login{})
	}
	return m.async(platformTimeout, func(context.Context) func(*Model) tea.Cmd {
		found, err := find()
		return func(m *Model) tea.Cmd {
			switch {
			case err != nil:
				return tea.Batch(m.say(err.Error(), true), m.signInForm(Login{}))
			case found == nil:
				return m.signInForm(Login{})
			}
			return m.offerImport(found)
		}
	})
}

func (m *Model) offerImport(found *profile.Import) tea.Cmd {
	items := []overlay.Item{
		{Title: "Take the credentials of the service's own program", Detail: text.Sanitize(found.Path), Value: then(func() tea.Cmd {
			l := Login{ClientID: secret.New(found.ClientID), ClientSecret: found.ClientSecret, Organization: found.OrganizationID, Workspace: found.Workspace}
			if len(m.deps.Accounts.Presets) > 0 {
				l.Profile, l.BaseURL = m.deps.Accounts.Presets[0].Name, m.deps.Accounts.Presets[0].BaseURL
			}
			return m.trySignIn(nil, l)
		})},
		{Title: "Type client id and secret", Value: then(func() tea.Cmd { return m.signInForm(Login{}) })},
	}
	return m.push(&overlay.List{Heading: "Sign in", Source: overlay.Static(items), Choose: chosenIntent})
}

// signInForm asks for address, client id and secret; the secret is not shown.
func (m *Model) signInForm(l Login) tea.Cmd {
	address, name := "", "default"
	if len(m.deps.Accounts.Presets) > 0 {
		address, name = m.deps.Accounts.Presets[0].BaseURL, m.deps.Accounts.Presets[0].Name
	}
	f := &overlay.Form{Heading: "Sign in", Label: "signs in", Explain: []string{
		"The service is asked for a token first; nothing is kept before that works. The secret goes to the keyring, or to a file that only you can read."}}
	f.Fields = m.newFields([]catalog.Field{
		{Name: "service", Type: "string", Required: true, Doc: "Address of the service."},
		{Name: "client_id", Type: "string", Required: true, Secret: true},
		{Name: "client_secret", Type: "string", Required: true, Secret: true},
		{Name: "profile", Type: "string", Required: true, Doc: "What to call these credentials here."},
	})
	f.Fields.Fill("/service", address)
	f.Fields.Fill("/profile", name)
	f.Submit = func(raw json.RawMessage) intent.Intent {
		v := values(raw)
		next := Login{Profile: str(v["profile"]), BaseURL: strings.TrimRight(str(v["service"]), "/"),
			ClientID: secret.New(str(v["client_id"])), ClientSecret: secret.New(str(v["client_secret"])), Organization: l.Organization, Workspace: l.Workspace}
		return then(func() tea.Cmd { return m.trySignIn(f, next) })
	}
	return m.push(f)
}

// trySignIn asks for a token, then for the organization, then keeps the profile.
// f is nil where the credentials were not typed.
func (m *Model) trySignIn(f *overlay.Form, l Login) tea.Cmd {
	try := m.deps.Accounts.Try
	cmd := m.ask("asking for a token", platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		list, err := try(ctx, l)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.signInFailed(f, err)
			}
			return m.signInOrganization(f, l, list)
		}
	})
	return tea.Batch(m.say("asking "+l.BaseURL+" for a token…", false), cmd)
}

func (m *Model) signInFailed(f *overlay.Form, err error) tea.Cmd {
	if f != nil {
		f.Fail(troubled(err))
	}
	return m.say(troubled(err), true)
}

func (m *Model) signInOrganization(f *overlay.Form, l Login, list []client.Organization) tea.Cmd {
	for _, o := range list {
		if o.ID == l.Organization || len(list) == 1 {
			l.Organization = o.ID
			return m.keepSignIn(f, l)
		}
	}
	if len(list) == 0 {
		return m.keepSignIn(f, l)
	}
	return m.chooseOrganization(list, then2(func(o client.Organization) tea.Cmd {
		l.Organization = o.ID
		return m.keepSignIn(f, l)
	}))
}

func (m *Model) keepSignIn(f *overlay.Form, l Login) tea.Cmd {
	keep := m.deps.Accounts.Keep
	return m.ask("keeping the profile", platformTimeout, func(ctx context.Context) func(*Model) tea.Cmd {
		where, err := keep(ctx, l)
		return func(m *Model) tea.Cmd {
			if err != nil {
				return m.signInFailed(f, err)
			}
			if f != nil {
				m.closeForm(f)
			}
			return tea.Batch(m.openSession(l.Profile), m.say("Signed in; the credentials are in "+where, false))
		}
	})
}
