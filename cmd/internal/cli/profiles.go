package cli

import (
	"context"
	"flag"

	"patchbay/client/profile"
	"patchbay/client/secret"
)

func profilesCommand() command {
	return command{name: "profiles", summary: "List, choose and show profiles.", subs: func() []command {
		return []command{profilesList(), profilesUse(), profilesShow()}
	}}
}

// profileJSON is how a profile is printed: places of credentials, never values.
type profileJSON struct {
	Name           string            `json:"name"`
	Default        bool              `json:"default"`
	BaseURL        string            `json:"base_url"`
	OrganizationID string            `json:"organization_id,omitempty"`
	Workspace      string            `json:"workspace,omitempty"`
	Names          string            `json:"names,omitempty"`
	TokenPath      string            `json:"token_path,omitempty"`
	ReadOnly       bool              `json:"read_only"`
	History        bool              `json:"history"`
	Credentials    map[string]string `json:"credentials"`
	Connectors     int               `json:"connectors,omitempty"`
	Local          []string          `json:"local,omitempty"`
}

func printable(p profile.Profile, usual bool) profileJSON {
	out := profileJSON{Name: p.Name, Default: usual, BaseURL: p.BaseURL, OrganizationID: p.OrganizationID, Workspace: p.Workspace, Names: string(p.Names),
		TokenPath: p.TokenPath, ReadOnly: p.ReadOnly, History: p.KeepsHistory(), Credentials: map[string]string{}, Connectors: len(p.Connectors)}
	for _, c := range []struct {
		name string
		ref  secret.Ref
	}{{"token", p.Credentials.Token}, {"client_id", p.Credentials.ClientID}, {"client_secret", p.Credentials.ClientSecret}} {
		if !c.ref.Empty() {
			out.Credentials[c.name] = c.ref.String()
		}
	}
	for _, l := range p.Local {
		out.Local = append(out.Local, l.Name)
	}
	return out
}

// configured lists the profiles of environment and settings file; the one in
// use comes with Default set.
func (a *app) configured() ([]profileJSON, error) {
	settings, err := a.settings()
	if err != nil {
		return nil, err
	}
	usual := settings.Default
	out := []profileJSON{}
	fromEnv, found, err := profile.FromEnv(a.env)
	if found {
		usual = profile.EnvName
		out = append(out, printable(fromEnv, true))
	}
	for _, name := range settings.Names() {
		p, _ := settings.Profile(name)
		out = append(out, printable(p, name == usual))
	}
	return out, err
}

func profilesList() command {
	return command{name: "list", summary: "List the profiles.", setup: func(fs *flag.FlagSet) runner {
		format := listFormat(fs)
		return func(_ context.Context, a *app, _ []string) error {
			list, err := a.configured()
			if err != nil {
				return err
			}
			l := listing{head: []string{"NAME", "SERVICE", "ORGANIZATION", "WORKSPACE", ""}, value: list,
				empty: "There are no profiles. patchbay login makes one; the sandbox needs none."}
			for _, p := range list {
				mark := ""
				if p.Default {
					mark = "in use"
				}
				l.rows = append(l.rows, []string{p.Name, p.BaseURL, p.OrganizationID, p.Workspace, mark})
			}
			return a.print(l, *format)
		}
	}}
}

func profilesUse() command {
	return command{name: "use", usage: "NAME", least: 1, most: 1, summary: "Make a profile the usual one.", setup: func(*flag.FlagSet) runner {
		return func(_ context.Context, a *app, args []string) error {
			settings, err := a.settings()
			if err != nil {
				return err
			}
			if _, ok := settings.Profile(args[0]); !ok {
				return config("no profile is called %q%s", args[0], didYouMean(args[0], settings.Names(), "")).
					next("There are: %s. patchbay login makes one.", orNone(settings.Names()))
			}
			settings.Default = args[0]
			if err := settings.Save(); err != nil {
				return err
			}
			a.say("%s is the usual profile now.", args[0])
			if _, found, _ := profile.FromEnv(a.env); found {
				a.say("As long as PLATFORM_ variables are set, the profile %s comes first.", profile.EnvName)
			}
			return nil
		}
	}}
}

func profilesShow() command {
	return command{name: "show", usage: "[NAME]", most: 1, service: true, summary: "Show a profile, and where its credentials are found.", setup: func(fs *flag.FlagSet) runner {
		format := listFormat(fs)
		return func(_ context.Context, a *app, args []string) error {
			if len(args) == 1 {
				a.flags.Profile = args[0]
			}
			p, ok, err := a.chosen()
			if err != nil {
				return err
			}
			if !ok {
				return config("no profile is chosen").next("Name one, set PLATFORM_BASE_URL, or run patchbay login.")
			}
			settings, err := a.settings()
			if err != nil {
				return err
			}
			return a.print(profileListing(printable(p, p.Name == profile.EnvName || p.Name == settings.Default)), *format)
		}
	}}
}

func profileListing(p profileJSON) listing {
	l := listing{head: []string{"PROFILE", p.Name}, value: p}
	add := func(name, value string) {
		if value != "" {
			l.rows = append(l.rows, []string{name, value})
		}
	}
	add("service", p.BaseURL)
	add("organization", p.OrganizationID)
	add("workspace", p.Workspace)
	add("names", p.Names)
	add("token path", p.TokenPath)
	if p.ReadOnly {
		add("writes", "refused")
	}
	for _, name := range []string{"token", "client_id", "client_secret"} {
		add(name, p.Credentials[name])
	}
	for _, name := range p.Local {
		add("local connector", name)
	}
	return l
}
