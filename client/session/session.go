// Package session makes of a profile what calls go through: the executor of its
// service and of its local connectors, with credentials, workspaces, connectors
// and the resolving of their names. It speaks of profiles, sessions and
// connectors; it must not import ui, and it prints nothing.
package session

import (
	"cmp"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/listen"
	"patchbay/client/local"
	"patchbay/client/preflight"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/strictyaml"
)

// SandboxName is the name of the session on the built-in service.
const SandboxName = "sandbox"

// Session is one service with one set of credentials, and the local connectors
// of its profile. It implements client.Executor: local targets go straight to
// the third party, everything else to the service.
type Session struct {
	Name    string
	Profile profile.Profile
	Catalog *catalog.Catalog
	// Hosted is the service; nil for a session of local calls only.
	Hosted *hosted.Client
	// Local runs operations of local targets.
	Local *local.Client
	// Sandbox is set when the service is the built-in one, in this process.
	Sandbox  *sandbox.Service
	ReadOnly bool

	opener  *Opener
	asked   asked
	learned lessons
}

var _ client.Executor = (*Session)(nil)

// ServiceURL is the address of the service; empty for a session of local calls only.
func (s *Session) ServiceURL() string {
	if s.Hosted == nil {
		return ""
	}
	return s.Hosted.BaseURL()
}

// First is the call to show where no earlier place is known; it names no action but
// in the sandbox.
func (s *Session) First() profile.Place {
	if s.Sandbox == nil {
		return profile.Place{}
	}
	return SandboxCall(s.Catalog)
}

// SandboxCall is the call that shows at once what the sandbox holds. Its connector is
// any of that kind in the workspace.
func SandboxCall(c *catalog.Catalog) profile.Place {
	kind, first := c.First()
	if kind == "" {
		return profile.Place{}
	}
	return profile.Place{Connector: client.Connector{Workspace: "demo", Kind: kind}, Entity: first.Entity,
		Action: catalog.ActionList, Params: first.Params}
}

func (s *Session) executor(t client.Target) client.Executor {
	if t.Local {
		return s.Local
	}
	return s.Hosted
}

// Check returns the verdicts on a call before it is sent.
func (s *Session) Check(t client.Target, op client.Operation) []preflight.Verdict {
	k, err := s.Catalog.Kind(t.Kind)
	if t.Kind == "" || err != nil || op.NextURL != "" {
		return nil
	}
	return preflight.Check(preflight.Call{Kind: k, Local: t.Local, Entity: op.Entity, Action: op.Action,
		Params: op.Params, Select: op.SelectFields, Exclude: op.ExcludeFields, Filled: s.Filled(t)})
}

// Filled reports which params of a call the configuration of its connector is known to
// give a value; nil where nothing is known of it.
func (s *Session) Filled(t client.Target) func(*catalog.Field) bool {
	if !t.Local {
		return nil
	}
	return s.Local.Filled(t)
}

// refuse is the error of a call that the checks find wrong; nil where it may be sent.
func (s *Session) refuse(t client.Target, op client.Operation) error {
	if op.Unchecked {
		return nil
	}
	if e := preflight.Refusal(op, s.Check(t, op)); e != nil {
		return e
	}
	return nil
}

// Execute implements client.Executor. What the checks call an error is not sent,
// unless the operation is Unchecked.
func (s *Session) Execute(ctx context.Context, t client.Target, op client.Operation) (*client.Envelope, error) {
	if err := s.refuse(t, op); err != nil {
		return nil, err
	}
	env, err := s.executor(t).Execute(ctx, t, op)
	if env != nil && env.Body != nil && s.opener != nil {
		env.HoldsSecret = s.opener.Redactor.Holds(env.Body.Slice(0, min(env.Body.Len(), lookedAt)))
	}
	return env, err
}

// lookedAt is how much of an answer is searched for secrets that it echoes.
const lookedAt = 4 << 20

// Preview implements client.Executor.
func (s *Session) Preview(t client.Target, op client.Operation) (*client.Request, error) {
	return s.executor(t).Preview(t, op)
}

// Download implements client.Executor.
func (s *Session) Download(
	ctx context.Context, t client.Target, op client.Operation, w io.Writer,
) (*client.Envelope, error) {
	if err := s.refuse(t, op); err != nil {
		return nil, err
	}
	return s.executor(t).Download(ctx, t, op, w)
}

// Workspaces lists the workspaces; where the service does not, those of the
// profile's own list of connectors.
func (s *Session) Workspaces(ctx context.Context) ([]client.Workspace, error) {
	list, err := s.Hosted.Workspaces(ctx)
	if err == nil || !errors.Is(err, hosted.ErrListingUnsupported) {
		return list, err
	}
	names := []string{s.Profile.Workspace}
	for _, c := range s.known("") {
		names = append(names, c.Workspace)
	}
	for _, name := range names {
		if name != "" && !slices.Contains(WorkspaceNames(list), name) {
			list = append(list, client.Workspace{Name: name})
		}
	}
	if len(list) == 0 {
		return nil, err
	}
	return list, nil
}

// Connectors lists the connectors of a workspace (all when empty): what the
// service lists, and what the profile knows besides.
func (s *Session) Connectors(ctx context.Context, workspace string) ([]client.Connector, error) {
	known := s.known(workspace)
	list, err := s.Hosted.Connectors(ctx, workspace)
	s.keepSeen(list...)
	if err != nil {
		if errors.Is(err, hosted.ErrListingUnsupported) && len(known) > 0 {
			return known, nil
		}
		return nil, err
	}
	for _, c := range known {
		if !slices.ContainsFunc(list, func(have client.Connector) bool { return have.ID == c.ID }) {
			list = append(list, c)
		}
	}
	return list, nil
}

// AllConnectors lists the connectors of every workspace, and the local ones.
func (s *Session) AllConnectors(ctx context.Context) ([]client.Connector, error) {
	workspaces, err := s.Workspaces(ctx)
	if err != nil {
		return nil, err
	}
	list := []client.Connector{}
	for _, w := range workspaces {
		part, err := s.Connectors(ctx, w.Name)
		if err != nil {
			return nil, err
		}
		list = append(list, part...)
	}
	return append(list, s.LocalConnectors()...), nil
}

// known are the connectors that the profile keeps for a workspace.
func (s *Session) known(workspace string) []client.Connector {
	return s.Profile.Known(workspace, s.kindOf)
}

// kindOf is the catalog's name for a connector type; empty when it has none.
func (s *Session) kindOf(connectorType string) string {
	k, err := s.Catalog.Kind(connectorType)
	if err != nil {
		return ""
	}
	return k.Name
}

// LocalConnectors are the connectors of the profile that are called directly.
func (s *Session) LocalConnectors() []client.Connector {
	var out []client.Connector
	for _, c := range s.Profile.Local {
		out = append(out, client.Connector{ID: "local:" + c.Name, Name: c.Name, Type: c.Kind, Kind: s.kindOf(c.Kind),
			Local: true})
	}
	return out
}

// Listener makes the built-in service reachable for other programs, on a
// loopback port that is opened when first asked for; nil for other services.
func (s *Session) Listener() func() (address string, err error) {
	if s.Sandbox == nil {
		return nil
	}
	return sync.OnceValues(func() (string, error) {
		l, err := listen.On("127.0.0.1:0")
		if err != nil {
			return "", err
		}
		server := s.Sandbox.Server(l.Addr().String())
		go func() { _ = server.Serve(l) }() // it serves until the program ends
		return "http://" + l.Addr().String(), nil
	})
}

// Ref names a connector: by id, or by name within a workspace.
type Ref struct{ Workspace, Name, ID string }

// isID tells the ids that services give from names.
var isID = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Connector finds the connector that a reference names, in any case. Without a
// workspace, local connectors count too. An id is taken as it is: only a name makes
// it ask the service.
func (s *Session) Connector(ctx context.Context, r Ref) (client.Connector, error) {
	switch {
	case r.ID != "" && r.Name != "":
		return client.Connector{}, client.Invalid("the payload gives both name and id").Advise("Leave one of them out.")
	case r.ID != "":
		return s.byID(r), nil
	case r.Name == "":
		return client.Connector{}, client.Invalid("the payload names no connector").
			Advise(`Add "workspace" and "name", or "id".`)
	case isID.MatchString(r.Name):
		return s.byID(Ref{Workspace: r.Workspace, ID: r.Name}), nil
	}
	if r.Workspace == "" {
		for _, c := range s.LocalConnectors() {
			if strings.EqualFold(c.Name, r.Name) {
				return c, nil
			}
		}
	}
	workspace, err := s.Workspace(ctx, r.Workspace)
	if err != nil {
		return client.Connector{}, err
	}
	list, workspace, err := s.ConnectorsOf(ctx, workspace)
	if err != nil {
		return client.Connector{}, err
	}
	return hosted.Match(list, workspace, r.Name)
}

// byID makes a connector of an id, with what is known of it. It asks nobody: an id is
// all that a call needs.
func (s *Session) byID(r Ref) client.Connector {
	out := client.Connector{ID: r.ID, Workspace: r.Workspace}
	for _, c := range slices.Concat(s.LocalConnectors(), s.EnvironmentConnectors(), s.known("")) {
		if c.ID == r.ID {
			out = c
			break
		}
	}
	if out.Local || out.Kind != "" || s.Hosted == nil {
		return out
	}
	one, ok := s.Hosted.Known(r.ID)
	if !ok {
		one, ok = s.seen(r.ID)
	}
	if !ok {
		return out
	}
	out.Kind, out.Type, out.Name = one.Kind, cmp.Or(out.Type, one.Type), cmp.Or(out.Name, one.Name)
	out.Workspace = cmp.Or(out.Workspace, one.Workspace)
	return out
}

// Workspace is the one to work in: the one named, the profile's, or the only
// one there is.
func (s *Session) Workspace(ctx context.Context, name string) (string, error) {
	if name = cmp.Or(name, s.Profile.Workspace); name != "" {
		return name, nil
	}
	list, err := s.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	if len(list) == 1 {
		return list[0].Name, nil
	}
	return "", client.Invalid("the payload names no workspace, and there are %d", len(list)).
		Advise(`Add "workspace": one of %s.`, profile.OrNone(WorkspaceNames(list)))
}

// ConnectorsOf lists the connectors of a workspace by its name in any case, and
// returns the name as the service writes it.
func (s *Session) ConnectorsOf(ctx context.Context, name string) ([]client.Connector, string, error) {
	list, err := s.Connectors(ctx, name)
	if err == nil && len(list) > 0 {
		return list, name, nil
	}
	if class := client.AsError(err); err != nil && class.Class != client.ClassNotFound &&
		class.Class != client.ClassInvalid {
		return nil, name, err
	}
	all, listErr := s.Workspaces(ctx)
	if listErr != nil {
		return list, name, err
	}
	names := WorkspaceNames(all)
	for _, written := range names {
		if written == name {
			return list, name, err
		}
		if strings.EqualFold(written, name) {
			list, err = s.Connectors(ctx, written)
			return list, written, err
		}
	}
	return nil, name, client.Failf(client.ClassNotFound, "there is no workspace %q%s", name,
		strictyaml.DidYouMean(name, names)).
		Advise("There are: %s.", profile.OrNone(names))
}

// WorkspaceNames are the names of workspaces.
func WorkspaceNames(list []client.Workspace) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.Name
	}
	return out
}

// Organization finds an organization by id or by name, in any case.
func Organization(list []client.Organization, wanted string) (client.Organization, error) {
	var names []string
	var found []client.Organization
	for _, o := range list {
		if strings.EqualFold(o.ID, wanted) {
			return o, nil
		}
		if strings.EqualFold(o.Name, wanted) {
			found = append(found, o)
		}
		names = append(names, o.Name+" ("+o.ID+")")
	}
	switch len(found) {
	case 0:
		return client.Organization{}, client.Failf(client.ClassNotFound, "no organization is called %q", wanted).
			Advise("There are: %s.", profile.OrNone(names))
	case 1:
		return found[0], nil
	}
	return client.Organization{}, client.Invalid("%d organizations are called %q", len(found), wanted).
		Advise("Give the id of one: %s.", profile.OrNone(names))
}
