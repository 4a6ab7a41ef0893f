package cli

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/doctor"
	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/transport"
)

func doctorCommand() command {
	return command{
		name: "doctor", usage: "[CONNECTOR]", most: 1, service: true, summary: "Find out what works and what does not.",
		help: "It looks at the settings, the network, the token, organizations and workspaces, then tries the credentials\n" +
			"of each connector, or of the one that is named, entity by entity. It changes nothing.",
		setup: func(fs *flag.FlagSet) runner {
			format := choose(fs, "format", "text", "how to print", "text", "json")
			workspace := fs.String("workspace", "", "look into this `workspace` only")
			return func(ctx context.Context, a *app, args []string) error {
				e := &examination{a: a, asJSON: *format == "json", workspace: *workspace, findings: []doctor.Finding{}}
				if len(args) == 1 {
					e.connector = args[0]
				}
				return e.run(ctx)
			}
		},
	}
}

// examination gathers findings. The first failure decides the exit code.
type examination struct {
	a         *app
	asJSON    bool
	workspace string
	connector string
	findings  []doctor.Finding
	failed    *doctor.Finding
}

func (e *examination) run(ctx context.Context) error {
	e.files()
	if err := e.examine(ctx); err != nil {
		return err
	}
	if e.asJSON {
		if err := e.a.printJSON(e.findings); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return canceled("find out what works")
	}
	if e.failed == nil {
		return nil
	}
	f := fail(classOf(e.failed), "something does not work: %s: %s", title(e.failed), e.failed.Detail)
	f.cause.Next, f.cause.Status = e.failed.Next, e.failed.HTTPStatus
	return f
}

// classOf gives the exit code of a failed step.
func classOf(f *doctor.Finding) client.Class {
	if f.HTTPStatus != 0 {
		return transport.ClassOf(f.HTTPStatus)
	}
	switch f.Step {
	case "settings":
		return client.ClassConfig
	case "network":
		return client.ClassNetwork
	case "credentials", "token":
		return client.ClassAuth
	case "organization", "workspaces", "connector":
		return client.ClassNotFound
	}
	return client.ClassOther
}

// title names what a finding is about.
func title(f *doctor.Finding) string {
	return strings.TrimSpace(f.Step + " " + f.Subject)
}

// tell takes a finding down, and prints it unless all are printed as JSON.
func (e *examination) tell(f doctor.Finding) {
	f.Detail = e.a.redactor.Text(f.Detail)
	e.findings = append(e.findings, f)
	if f.Status == doctor.Fail && e.failed == nil {
		e.failed = &f
	}
	if e.asJSON {
		return
	}
	text := fmt.Sprintf("%-7s  %s", f.Status, title(&f))
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	if f.Next != "" && f.Status != doctor.OK {
		text += "\n         " + f.Next
	}
	fmt.Fprintln(e.a.stdout, shown(text))
}

// files looks at what is kept on this machine.
func (e *examination) files() {
	if e.a.foldersErr != nil {
		e.tell(doctor.Finding{Step: "folders", Status: doctor.Warn, Detail: e.a.foldersErr.Error(), Next: "Set HOME or XDG_CONFIG_HOME."})
		return
	}
	detail := e.a.folders.Settings()
	if _, err := os.Stat(detail); err != nil {
		detail += " (not there)"
	}
	e.tell(doctor.Finding{Step: "files", Subject: "settings", Status: doctor.Info, Detail: detail})
	c, problems := e.a.catalog()
	for _, p := range problems {
		e.tell(doctor.Finding{Step: "files", Subject: "catalog", Status: doctor.Warn, Detail: p.Error(), Next: "Correct the file; the rest of the catalog works."})
	}
	e.tell(doctor.Finding{Step: "files", Subject: "catalog", Status: doctor.OK, Detail: fmt.Sprintf("%d kinds", len(c.Kinds()))})
}

// examine looks at the local connectors, then at the service.
func (e *examination) examine(ctx context.Context) error {
	in := doctor.Input{SettingsPath: e.a.folders.Settings(), Workspace: e.workspace, Connector: e.connector, Now: e.a.now}
	p, ok, err := e.a.chosen()
	in.ProfileErr = err
	in.Import, _ = profile.FindImport(e.a.env["HOME"]) // what cannot be read is nothing to begin with
	sandboxed := e.a.flags.Sandbox || e.a.flags.Profile == sandboxName
	var s *session
	switch {
	case ok:
		in.Profile, in.Network = &p, &doctor.Network{Proxy: e.proxy(p.BaseURL)}
		if in.Found, in.FoundErr = profile.Resolve(ctx, p, e.a.sources()); in.FoundErr == nil {
			s, err = e.a.openProfile(ctx, p)
		}
	case sandboxed:
		if s, err = e.a.service(ctx); err == nil {
			in.Profile = &s.profile
		}
	default:
		s, err = e.a.localSession(ctx)
	}
	if err != nil && in.ProfileErr == nil {
		return err
	}
	if s == nil {
		doctor.Run(ctx, in, e.tell)
		return nil
	}
	if e.locals(ctx, s) {
		return nil
	}
	in.Client, in.Catalog = s.hosted, s.catalog
	if in.Connector != "" && in.Workspace == "" && s.hosted != nil {
		in.Workspace = e.home(ctx, s)
	}
	doctor.Run(ctx, in, e.tell)
	return nil
}

// home finds the workspace of the connector that is asked for; empty when there
// is none, which the examination then tells.
func (e *examination) home(ctx context.Context, s *session) string {
	list, err := s.allConnectors(ctx)
	if err != nil {
		return ""
	}
	for _, c := range list {
		if !c.Local && (strings.EqualFold(c.Name, e.connector) || c.ID == e.connector) {
			return c.Workspace
		}
	}
	return s.profile.Workspace
}

// proxy names the variable that sends calls through a proxy; empty for none.
func (e *examination) proxy(baseURL string) string {
	scheme, _, _ := strings.Cut(baseURL, ":")
	for _, name := range []string{strings.ToUpper(scheme) + "_PROXY", scheme + "_proxy"} {
		if e.a.env[name] != "" {
			return name
		}
	}
	return ""
}

// locals looks at what is called directly: the profile's local connectors, and
// kinds that the environment has credentials for. It tells whether one of them
// is the connector that was asked for.
func (e *examination) locals(ctx context.Context, s *session) (asked bool) {
	engine, ok := s.local.(*local.Client)
	if !ok {
		return false
	}
	for _, t := range e.targets(s) {
		name := first(t.Name, t.Kind)
		if e.connector != "" && !strings.EqualFold(name, e.connector) {
			continue
		}
		asked = asked || e.connector != ""
		e.local(ctx, engine, t, name)
	}
	return asked && s.hosted == nil
}

func (e *examination) targets(s *session) []client.Target {
	var out []client.Target
	for _, c := range s.localConnectors() {
		out = append(out, c.Target(s.name))
	}
	for _, k := range s.catalog.Kinds() {
		prefix := local.EnvName(k.Name, "")
		for name := range e.a.env {
			if strings.HasPrefix(name, prefix) {
				out = append(out, client.Target{Profile: s.name, Kind: k.Name, Local: true})
				break
			}
		}
	}
	return out
}

// local looks at one local connector: are its credentials there, and do they work.
func (e *examination) local(ctx context.Context, engine *local.Client, t client.Target, name string) {
	found, err := engine.Credentials(t)
	for _, field := range slices.Sorted(maps.Keys(found)) {
		e.tell(doctor.Finding{Step: "credentials", Subject: name + " " + field, Status: doctor.OK, Detail: found[field]})
	}
	var check client.Check
	if err == nil {
		check, err = engine.Check(ctx, t)
	}
	if err != nil {
		c := client.AsError(err)
		e.tell(doctor.Finding{Step: "connector", Subject: "local " + name, Status: doctor.Fail, Detail: c.Error(), Next: c.Next, HTTPStatus: c.Status})
		return
	}
	status := map[string]doctor.Status{"succeeded": doctor.OK, "failed": doctor.Fail}[check.Status]
	if status == "" {
		status = doctor.Warn
	}
	f := doctor.Finding{Step: "connector", Subject: "local " + name, Status: status, Detail: strings.TrimSuffix(check.Status+": "+check.Message, ": ")}
	for _, one := range check.Entities {
		f.HTTPStatus, f.Next = one.HTTPStatus, first(f.Next, one.Next)
	}
	e.tell(f)
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
