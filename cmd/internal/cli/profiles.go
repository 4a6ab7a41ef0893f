package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/session"
	"patchbay/client/strictyaml"
)

func (a *app) organizationsCommand(c *cobra.Command) {
	list, use := below(c, "list"), below(c, "use")
	format := listFormat(list)
	a.serves(list, func(ctx context.Context, s *session.Session, _ []string) error {
		found, err := s.Hosted.Organizations(ctx)
		if err != nil {
			return err
		}
		as := func(o client.Organization) (client.Organization, []string) {
			return o, []string{o.ID, o.Name, inUse[o.ID == s.Hosted.Organization()]}
		}
		return a.print(table([]string{"ID", "NAME", ""}, found, "There are no organizations.", as), *format)
	})
	a.serves(use, func(ctx context.Context, s *session.Session, args []string) error {
		chosen, err := s.UseOrganization(ctx, args[0])
		if err == nil {
			a.say("The profile %s works in the organization %s.", s.Name, strings.TrimSpace(chosen.Name+" "+chosen.ID))
		}
		return err
	})
}

// inUse is a cell that marks what is in use.
var inUse = map[bool]string{true: "in use"}

func (a *app) workspacesCommand(c *cobra.Command) {
	list := below(c, "list")
	format := listFormat(list)
	a.serves(list, func(ctx context.Context, s *session.Session, _ []string) error {
		found, err := s.Workspaces(ctx)
		if err != nil {
			return err
		}
		as := func(w client.Workspace) (client.Workspace, []string) { return w, []string{w.Name, w.Status, w.ID} }
		return a.print(table([]string{"NAME", "STATUS", "ID"}, found, "There are no workspaces.", as), *format)
	})
}

func (a *app) profilesCommand(c *cobra.Command) {
	list, use, show := below(c, "list"), below(c, "use"), below(c, "show")
	format, showFormat := listFormat(list), listFormat(show)
	list.RunE = func(*cobra.Command, []string) error { return a.listProfiles(*format) }
	use.ValidArgsFunction = words(a.settingsNames)
	use.RunE = func(_ *cobra.Command, args []string) error { return a.useProfile(args[0]) }
	show.ValidArgsFunction = words(a.settingsNames)
	a.bindCommand(show)
	show.RunE = func(_ *cobra.Command, args []string) error {
		a.Profile = cmp.Or(cmp.Or(args...), a.Profile)
		return a.showProfile(*showFormat)
	}
}

// settingsNames are the profiles of the settings file.
func (a *app) settingsNames() []string {
	settings, err := a.Settings()
	if err != nil {
		return nil
	}
	return settings.Names()
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
	Insecure       bool              `json:"insecure,omitempty"`
	History        bool              `json:"history"`
	Credentials    map[string]string `json:"credentials"`
	Connectors     int               `json:"connectors,omitempty"`
	Local          []string          `json:"local,omitempty"`
}

func printable(p profile.Profile, usual bool) profileJSON {
	out := profileJSON{Name: p.Name, Default: usual, BaseURL: p.BaseURL, OrganizationID: p.OrganizationID,
		Workspace: p.Workspace, Names: string(p.Names), TokenPath: p.TokenPath, ReadOnly: p.ReadOnly,
		Insecure: p.Insecure,
		History:  p.KeepsHistory(), Credentials: map[string]string{}, Connectors: len(p.Connectors),
		Local: texts(p.Local, func(l profile.LocalConnector) string { return l.Name })}
	for name, ref := range p.Credentials.Each() {
		if !ref.Empty() {
			out.Credentials[name] = ref.String()
		}
	}
	return out
}

// listProfiles lists the profiles of environment and settings file; the one in use
// comes with Default set.
func (a *app) listProfiles(format string) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	usual := settings.Default
	var list []profileJSON
	fromEnv, found, err := profile.FromEnv(a.Env)
	if err != nil {
		return err
	}
	if found {
		usual = profile.EnvName
		list = append(list, printable(fromEnv, true))
	}
	for _, name := range settings.Names() {
		p, _ := settings.Profile(name)
		list = append(list, printable(p, name == usual))
	}
	return a.print(table([]string{"NAME", "SERVICE", "ORGANIZATION", "WORKSPACE", ""}, list,
		"There are no profiles. patchbay login makes one; the sandbox needs none.",
		func(p profileJSON) (profileJSON, []string) {
			return p, []string{p.Name, p.BaseURL, p.OrganizationID, p.Workspace, inUse[p.Default]}
		}), format)
}

func (a *app) useProfile(name string) error {
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	if _, ok := settings.Profile(name); !ok {
		return client.Misconfigured("no profile is called %q%s", name, strictyaml.DidYouMean(name, settings.Names())).
			Advise("There are: %s. patchbay login makes one.", profile.OrNone(settings.Names()))
	}
	if err := settings.Change(func(now *profile.Settings) error { now.Default = name; return nil }); err != nil {
		return err
	}
	a.say("%s is the usual profile now.", name)
	if _, found, _ := profile.FromEnv(a.Env); found {
		a.say("As long as PLATFORM_ variables are set, the profile %s comes first.", profile.EnvName)
	}
	return nil
}

func (a *app) showProfile(format string) error {
	p, ok, err := a.Chosen()
	if err != nil {
		return err
	}
	if !ok {
		return client.Misconfigured("no profile is chosen").
			Advise("Name one, set PLATFORM_BASE_URL, or run patchbay login.")
	}
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	out := printable(p, p.Name == profile.EnvName || p.Name == settings.Default)
	l := listing{head: []string{"PROFILE", p.Name}, value: out}
	add := func(name, value string) {
		if value != "" {
			l.rows = append(l.rows, []string{name, value})
		}
	}
	add("service", p.BaseURL)
	add("organization", p.OrganizationID)
	add("workspace", p.Workspace)
	add("names", out.Names)
	add("token path", p.TokenPath)
	if p.ReadOnly {
		add("writes", "refused")
	}
	if p.Insecure {
		add("plain http", "allowed")
	}
	for name := range p.Credentials.Each() {
		add(name, out.Credentials[name])
	}
	for _, name := range out.Local {
		add("local connector", name)
	}
	return a.print(l, format)
}

// tokenJSON tells about a token without telling it.
type tokenJSON struct {
	Hash         string `json:"hash"`
	Source       string `json:"source"`
	Ends         string `json:"ends,omitempty"`
	SecondsLeft  int    `json:"seconds_left,omitempty"`
	Renewable    bool   `json:"renewable"`
	Organization string `json:"organization_id,omitempty"`
}

func (a *app) tokenCommand(c *cobra.Command) {
	reveal := c.Flags().Bool("reveal", false, "print the token itself to stdout, and nothing else")
	format := listFormat(c)
	a.serves(c, func(ctx context.Context, s *session.Session, _ []string) error {
		if *reveal {
			token, err := s.Hosted.BearerToken(ctx)
			if err == nil {
				_, err = fmt.Fprintln(a.stdout, token.Reveal())
			}
			return err
		}
		info, err := s.Hosted.TokenInfo(ctx)
		if err != nil {
			return err
		}
		out := tokenJSON{Hash: info.Hash, Source: "given", Renewable: info.Renewable,
			Organization: s.Hosted.Organization()}
		if info.Fetched {
			out.Source = "fetched with client id and secret"
		}
		ends := "unknown"
		if !info.Ends.IsZero() {
			left := info.Ends.Sub(a.Now()).Round(time.Second)
			out.Ends, out.SecondsLeft = info.Ends.UTC().Format(time.RFC3339), int(left.Seconds())
			ends = fmt.Sprintf("%s (in %s)", out.Ends, left)
		}
		rows := [][]string{{"hash", out.Hash}, {"source", out.Source}, {"ends", ends},
			{"organization", cmp.Or(out.Organization, "none")}}
		return a.print(listing{head: []string{"TOKEN", ""}, rows: rows, value: out}, *format)
	})
}
