package cli

import (
	"cmp"
	"context"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/payload"
	"patchbay/client/preflight"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/session"
)

// presetOf are the names of a profile's service.
func presetOf(p profile.Profile) payload.Preset {
	if profile.PresetOf(p.BaseURL) != nil {
		return payload.Public()
	}
	return payload.PresetFor(p.Names)
}

// known are the credentials of the sandbox, which are no secret; nil for a real service.
func known(isSandbox bool) *payload.Known {
	if !isSandbox {
		return nil
	}
	return payload.KnownCredentials(sandbox.Token, sandbox.ClientID, sandbox.ClientSecret, sandbox.OrganizationID)
}

// callText gathers what a format needs to write a call.
type callText struct {
	*app
	payloadFlags
	parsed payload.Parsed
	in     payload.Input
	names  client.Names
}

// input is what the format needs. Those that do not need the exact request get by
// without a service, where the catalog knows the connector by its name.
func (t *callText) input(ctx context.Context) (payload.Input, error) {
	p := t.parsed
	t.in = payload.Input{Operation: p.Operation, OrganizationID: p.OrganizationID, Create: p.Create,
		Target: client.Target{Workspace: p.Workspace, Name: p.Name, ConnectorID: p.ConnectorID}}
	if t.local != "" {
		return t.in, t.localCall()
	}
	err := t.service()
	if err != nil {
		return t.in, err
	}
	if t.needsService() {
		return t.in, t.ask(ctx)
	}
	if t.in.Create == nil {
		if err = t.exact(t.verdicts); err == nil {
			t.in.Operation = hosted.Sent(t.in.Kind, t.names, t.in.Operation)
		}
	}
	return t.in, err
}

// localCall is a call to the third party. Its texts have the names of the connector
// definitions, unless a profile says that the neutral ones are spoken.
func (t *callText) localCall() error {
	s, target, k, err := t.localTarget(t.local, t.parsed.Name, t.baseURL)
	if err != nil {
		return err
	}
	t.in.Target, t.in.Kind, t.in.Preset = target, k, payload.Public()
	if p, ok, _ := t.Chosen(); ok {
		t.in.Preset = presetOf(p)
	}
	err = t.exact(func() ([]preflight.Verdict, error) { return s.Check(t.in.Target, t.in.Operation), nil })
	if err == nil {
		t.in.Request, err = s.Preview(t.in.Target, t.in.Operation)
	}
	return err
}

// service fills in what the profile says, and the kind where a name tells it.
func (t *callText) service() error {
	p, ok, err := t.Chosen()
	if err != nil && t.Profile != "" {
		return err
	}
	if ok {
		t.in.Preset, t.names = presetOf(p), p.Names
		t.in.OrganizationID = cmp.Or(t.in.OrganizationID, p.OrganizationID)
		if profile.PresetOf(p.BaseURL) == nil {
			t.in.BaseURL = p.BaseURL
		}
	} else if t.isSandbox() {
		t.in.Known, t.in.BaseURL, t.names = known(true), sandbox.BaseURL, t.Speaks()
		t.in.Preset = payload.PresetFor(t.names)
		if *t.as != "json" {
			beside := "patchbay sandbox"
			if t.names == client.Wire {
				beside += " --names " + sandbox.NamesWire
			}
			t.say("The call works while this runs beside it: %s", beside)
		}
	}
	name := t.in.Target.Name
	if t.in.Create != nil {
		name = t.in.Create.ConnectorType
	}
	t.in.Kind = t.kindOf(name)
	if t.in.Create != nil && t.in.Kind != nil {
		t.in.Create.ConnectorType = t.in.Kind.ConnectorType
	}
	return nil
}

func (t *callText) isSandbox() bool { return t.Sandbox || t.Profile == session.SandboxName }

// kindOf is the kind of a name, a type or the id of a definition; nil for none.
func (t *callText) kindOf(name string) *catalog.Kind {
	for _, s := range t.Kinds().Kinds() {
		if k, err := t.Kinds().Kind(s.Name); err == nil && (strings.EqualFold(name, k.Name) ||
			strings.EqualFold(name, k.ConnectorType) || name != "" && name == k.DefinitionID) {
			return k
		}
	}
	return nil
}

// needsService reports whether only the service can tell what the format needs.
func (t *callText) needsService() bool {
	switch as := *t.as; {
	case as == "curl" || as == "go":
		return true
	case t.in.Create != nil:
		return false
	default:
		return t.in.Kind == nil && (as == "python" || t.names == client.Wire)
	}
}

// ask has the service tell the connector, and how the call is sent to it.
func (t *callText) ask(ctx context.Context) error {
	s, err := t.Service(ctx)
	if err != nil {
		return err
	}
	if t.in.OrganizationID != "" {
		s.Hosted.SetOrganization(t.in.OrganizationID)
	}
	if t.in.Create != nil {
		t.in.Request, err = s.Hosted.PreviewCreate(*t.in.Create)
		return err
	}
	p := t.parsed
	c, err := s.Connector(ctx, session.Ref{Workspace: p.Workspace, Name: p.Name, ID: p.ConnectorID})
	if err != nil {
		return err
	}
	t.in.Target, t.in.ConnectorType = c.Target(s.Name), c.Type
	if k := t.kindOf(c.Kind); k != nil {
		t.in.Kind = k
	}
	if err = t.exact(t.verdicts); err == nil {
		t.in.Request, err = s.Preview(t.in.Target, t.in.Operation)
	}
	if err == nil && *t.as == "python" && c.Workspace != "" {
		list, _, listErr := s.ConnectorsOf(ctx, c.Workspace)
		t.in.Twin, err = payload.HasTwin(list, c), listErr
	}
	return err
}

// verdicts are those on a call to the service.
func (t *callText) verdicts() ([]preflight.Verdict, error) {
	return t.anyKind(cmp.Or(t.in.Target.Kind, t.in.Target.Name), t.in.Operation)
}

// exact gives an operation the names of the catalog, and tells what it renamed.
func (a *app) exact(op client.Operation, k *catalog.Kind) client.Operation {
	op, notes := payload.Exact(op, k)
	for _, n := range notes {
		a.say("%s", n)
	}
	return op
}

// exact gives the call the names of the catalog, and refuses one that the checks find
// wrong.
func (t *callText) exact(check func() ([]preflight.Verdict, error)) error {
	t.in.Operation = t.app.exact(t.in.Operation, t.in.Kind)
	t.in.Operation.Unchecked = t.force
	if t.force || t.in.Operation.Entity == "" {
		return nil
	}
	list, err := check()
	if err != nil {
		return err
	}
	if e := preflight.Refusal(t.in.Operation, list); e != nil {
		return e.Advise("%s --force writes it all the same.", preflight.Errors(list)[0].Next)
	}
	return nil
}
