package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

func doctorCommand() command {
	return command{
		name: "doctor", usage: "[CONNECTOR]", most: 1, service: true, summary: "Find out what works and what does not.",
		help: "It looks at the settings, the network, the token, organizations and workspaces, then lets the service\n" +
			"try the credentials of each connector, or of the one that is named. It changes nothing.",
		setup: func(fs *flag.FlagSet) runner {
			format := choose(fs, "format", "text", "how to print", "text", "json")
			workspace := fs.String("workspace", "", "look into this `workspace` only")
			return func(ctx context.Context, a *app, args []string) error {
				d := &doctor{a: a, asJSON: *format == "json", workspace: *workspace}
				if len(args) == 1 {
					d.connector = args[0]
				}
				return d.run(ctx)
			}
		},
	}
}

// finding is one thing that doctor looked at.
type finding struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
	Next   string `json:"next,omitempty"`
}

// The statuses of findings.
const (
	fine   = "ok"
	failed = "failed"
	noted  = "note"
)

// doctor gathers findings. The first failure decides the exit code.
type doctor struct {
	a         *app
	asJSON    bool
	workspace string
	connector string
	findings  []finding
	first     error
}

func (d *doctor) run(ctx context.Context) error {
	d.examine(ctx)
	if d.asJSON {
		if err := d.a.printJSON(d.findings); err != nil {
			return err
		}
	}
	if d.first == nil {
		return nil
	}
	e := *asError(d.first)
	e.Message = "something does not work: " + e.Message
	return &e
}

// examine goes from the settings outwards and stops where nothing further can work.
func (d *doctor) examine(ctx context.Context) {
	d.files()
	s, ok := d.session(ctx)
	if !ok {
		return
	}
	d.locals(ctx, s)
	if s.hosted == nil {
		return
	}
	if s.sandbox == nil && !d.network(ctx, s.hosted.BaseURL()) {
		return
	}
	if d.token(ctx, s) && d.organization(ctx, s) {
		d.connectors(ctx, s)
	}
}

func (d *doctor) tell(status, name, detail, next string) {
	f := finding{Name: name, Status: status, Detail: d.a.redactor.Text(detail), Next: next}
	d.findings = append(d.findings, f)
	if d.asJSON {
		return
	}
	text := fmt.Sprintf("%-6s  %s", status, name)
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	if next != "" {
		text += "\n        " + next
	}
	fmt.Fprintln(d.a.stdout, shown(text))
}

// wrong tells a failure.
func (d *doctor) wrong(name string, err error) {
	e := asError(err)
	if d.first == nil {
		d.first = err
	}
	d.tell(failed, name, e.Error(), e.Next)
}

// files looks at what is kept on this machine.
func (d *doctor) files() {
	if d.a.foldersErr != nil {
		d.tell(noted, "folders", d.a.foldersErr.Error(), "Set HOME or XDG_CONFIG_HOME.")
		return
	}
	if _, err := d.a.settings(); err != nil {
		d.wrong("settings", err)
	} else {
		d.tell(fine, "settings", d.a.folders.Settings()+absent(d.a.folders.Settings()), "")
	}
	if _, problems := d.a.catalog(); len(problems) > 0 {
		for _, p := range problems {
			d.tell(noted, "catalog", p.Error(), "Correct the file; the rest of the catalog works.")
		}
	}
	d.tell(fine, "catalog", fmt.Sprintf("%d kinds", len(kindNames(d.a))), "")
}

// absent remarks that there is no such file.
func absent(path string) string {
	if _, err := os.Stat(path); err != nil {
		return " (not there)"
	}
	return ""
}

func kindNames(a *app) []string {
	c, _ := a.catalog()
	var out []string
	for _, k := range c.Kinds() {
		out = append(out, k.Name)
	}
	return out
}

// session opens the profile, telling where each of its values comes from.
func (d *doctor) session(ctx context.Context) (*session, bool) {
	p, ok, err := d.a.chosen()
	if err != nil {
		d.wrong("profile", err)
		return nil, false
	}
	if !ok && !d.a.flags.Sandbox && d.a.flags.Profile == "" {
		d.tell(noted, "profile", "no service is configured", "Set PLATFORM_BASE_URL and PLATFORM_TOKEN, or run patchbay login. The explorer opens on the sandbox.")
		s, err := d.a.localSession(ctx)
		return s, err == nil
	}
	if ok {
		d.tell(fine, "profile", p.Name, "")
		d.values(ctx, p)
	}
	s, err := d.a.service(ctx)
	if err != nil {
		d.wrong("credentials", err)
		return nil, false
	}
	if s.sandbox != nil {
		d.tell(fine, "profile", "the built-in sandbox: nothing leaves this machine", "")
	}
	return s, true
}

// values tells where each value of a profile comes from; secrets by a short hash.
func (d *doctor) values(ctx context.Context, p profile.Profile) {
	place := "settings"
	if p.Name == profile.EnvName {
		place = "environment"
	}
	d.tell(fine, "base_url", p.BaseURL+" (from "+place+")", "")
	if p.OrganizationID != "" {
		d.tell(fine, "organization_id", p.OrganizationID+" (from "+place+")", "")
	}
	for _, c := range []struct {
		name string
		ref  secret.Ref
	}{{"token", p.Credentials.Token}, {"client_id", p.Credentials.ClientID}, {"client_secret", p.Credentials.ClientSecret}} {
		if c.ref.Empty() {
			continue
		}
		found, err := d.a.sources().Resolve(ctx, c.ref)
		if err != nil {
			d.wrong(c.name, config("it cannot be read from %s: %v", c.ref, err).next("Run: patchbay login --profile %s", p.Name))
			continue
		}
		d.a.redactor.Add(found.Value)
		d.tell(fine, c.name, "hash "+found.Value.Hash()+" (from "+found.Place+")", "")
	}
}

// token looks at the bearer token.
func (d *doctor) token(ctx context.Context, s *session) bool {
	info, err := s.hosted.TokenInfo(ctx)
	if err != nil {
		d.wrong("token", err)
		return false
	}
	detail := "hash " + info.Hash
	if info.Fetched {
		detail += ", fetched with client id and secret"
	}
	switch left := info.Ends.Sub(d.a.now()).Round(time.Second); {
	case info.Ends.IsZero():
		detail += ", its end is not known"
	case left <= 0:
		d.wrong("token", fail(client.ClassAuth, "it ended %s ago", -left).next("Get a new one: patchbay login."))
		return false
	default:
		detail += ", valid for " + left.String()
	}
	d.tell(fine, "token", detail, "")
	return true
}

// organization looks at what the token reaches.
func (d *doctor) organization(ctx context.Context, s *session) bool {
	list, err := s.hosted.Organizations(ctx)
	switch {
	case errors.Is(err, hosted.ErrListingUnsupported):
		d.tell(noted, "organizations", "the service does not list them", "")
	case err != nil:
		d.wrong("organizations", err)
		return false
	default:
		var words []string
		for _, o := range list {
			word := o.Name
			if o.ID == s.hosted.Organization() {
				word += " (in use)"
			}
			words = append(words, word)
		}
		d.tell(fine, "organizations", orNone(words), "")
	}
	spaces, err := s.Workspaces(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		d.tell(noted, "workspaces", "the service does not list them", "")
		return true
	}
	if err != nil {
		d.wrong("workspaces", err)
		return false
	}
	d.tell(fine, "workspaces", orNone(workspaceNames(spaces)), "")
	return true
}

// connectors lets the service try the credentials of the connectors.
func (d *doctor) connectors(ctx context.Context, s *session) {
	list, err := d.chosenConnectors(ctx, s)
	if err != nil {
		d.wrong("connectors", err)
		return
	}
	for _, c := range list {
		if ctx.Err() != nil {
			d.wrong("connectors", canceled("check the connectors"))
			return
		}
		check, err := s.hosted.CheckConnector(ctx, c.ID)
		name := strings.TrimPrefix(c.Workspace+"/"+c.Name, "/")
		if err != nil {
			d.wrong(name, err)
			continue
		}
		d.checked(name, check)
	}
}

func (d *doctor) chosenConnectors(ctx context.Context, s *session) ([]client.Connector, error) {
	var list []client.Connector
	var err error
	if d.workspace != "" {
		list, _, err = s.connectorsOf(ctx, d.workspace)
	} else {
		list, err = s.allConnectors(ctx)
	}
	if err != nil {
		return nil, err
	}
	var out []client.Connector
	for _, c := range list {
		if c.Local || d.connector != "" && !strings.EqualFold(c.Name, d.connector) && c.ID != d.connector {
			continue
		}
		out = append(out, c)
	}
	if d.connector != "" && len(out) == 0 && localOf(s.profile, "", d.connector) == nil {
		_, err = hosted.Match(list, first(d.workspace, "(any)"), d.connector)
	}
	return out, err
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// checked tells the outcome of a check: every entity that does not work, and
// for a connector that was asked for by name those that do.
func (d *doctor) checked(name string, check client.Check) {
	works := 0
	for _, e := range check.Entities {
		if e.Status == "succeeded" {
			works++
		}
	}
	summary := check.Status
	if len(check.Entities) > 0 {
		summary += fmt.Sprintf(", %d of %d entities", works, len(check.Entities))
	}
	switch {
	case check.Status == "succeeded" && works == len(check.Entities):
		d.tell(fine, name, summary, "")
	case check.Status == "failed":
		d.wrong(name, fail(client.ClassAuth, "%s: %s", summary, check.Message).next("Renew the connector's credentials."))
	default:
		d.tell(noted, name, strings.TrimSuffix(summary+": "+check.Message, ": "), "")
	}
	for _, e := range check.Entities {
		if e.Status == "succeeded" && d.connector == "" {
			continue
		}
		status := noted
		if e.Status == "succeeded" {
			status = fine
		}
		detail := e.Status
		if e.HTTPStatus != 0 {
			detail += fmt.Sprintf(" (status %d)", e.HTTPStatus)
		}
		d.tell(status, name+" "+e.Entity, strings.TrimSuffix(detail+": "+e.Message, ": "), e.Next)
	}
}
