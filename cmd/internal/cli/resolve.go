package cli

import (
	"context"
	"errors"
	"strings"

	"patchbay/client"
	"patchbay/client/hosted"
)

// connector finds the connector that a payload names: by id, or by name within
// a workspace, in any case. Without a workspace, local connectors count too.
func (s *session) connector(ctx context.Context, r request) (client.Connector, error) {
	switch {
	case r.ID != "" && r.Name != "":
		return client.Connector{}, usage("the payload gives both name and id").next("Leave one of them out.")
	case r.ID != "":
		return s.byID(ctx, r)
	case r.Name == "":
		return client.Connector{}, usage("the payload names no connector").next(`Add "workspace" and "name", or "id".`)
	}
	if r.Workspace == "" {
		for _, c := range s.localConnectors() {
			if strings.EqualFold(c.Name, r.Name) {
				return c, nil
			}
		}
	}
	workspace, err := s.workspace(ctx, r.Workspace)
	if err != nil {
		return client.Connector{}, err
	}
	list, workspace, err := s.connectorsOf(ctx, workspace)
	if err != nil {
		return client.Connector{}, err
	}
	return hosted.Match(list, workspace, r.Name)
}

// byID makes a connector of an id. Its kind is looked up where paging or names
// depend on it; a service that does not tell leaves it unknown.
func (s *session) byID(ctx context.Context, r request) (client.Connector, error) {
	for _, c := range append(s.localConnectors(), s.known("")...) {
		if c.ID == r.ID {
			return c, nil
		}
	}
	out := client.Connector{ID: r.ID, Workspace: r.Workspace}
	if r.Workspace != "" {
		if list, err := s.Connectors(ctx, r.Workspace); err == nil {
			for _, c := range list {
				if c.ID == r.ID {
					return c, nil
				}
			}
		}
		return out, nil
	}
	detail, err := s.hosted.Connector(ctx, r.ID)
	switch {
	case err == nil:
		return detail.Connector, nil
	case errors.Is(err, hosted.ErrListingUnsupported):
		return out, nil
	}
	return out, err
}

// workspace is the one to work in: the one named, the profile's, or the only
// one there is.
func (s *session) workspace(ctx context.Context, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	if s.profile.Workspace != "" {
		return s.profile.Workspace, nil
	}
	list, err := s.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	if len(list) == 1 {
		return list[0].Name, nil
	}
	return "", usage("the payload names no workspace, and there are %d", len(list)).
		next(`Add "workspace": one of %s.`, orNone(workspaceNames(list)))
}

// connectorsOf lists the connectors of a workspace by its name in any case, and
// returns the name as the service writes it.
func (s *session) connectorsOf(ctx context.Context, name string) ([]client.Connector, string, error) {
	list, err := s.Connectors(ctx, name)
	if err == nil && len(list) > 0 {
		return list, name, nil
	}
	if err != nil && client.AsError(err).Class != client.ClassNotFound && client.AsError(err).Class != client.ClassInvalid {
		return nil, name, err
	}
	all, listErr := s.Workspaces(ctx)
	if listErr != nil {
		return list, name, err
	}
	var names []string
	for _, w := range all {
		if w.Name == name {
			return list, name, err
		}
		if strings.EqualFold(w.Name, name) {
			list, err = s.Connectors(ctx, w.Name)
			return list, w.Name, err
		}
		names = append(names, w.Name)
	}
	return nil, name, fail(client.ClassNotFound, "there is no workspace %q%s", name, didYouMean(name, names, "")).
		next("There are: %s.", orNone(names))
}

func workspaceNames(list []client.Workspace) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.Name
	}
	return out
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
