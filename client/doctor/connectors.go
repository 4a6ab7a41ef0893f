package doctor

import (
	"context"
	"errors"
	"fmt"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
)

func (r *run) workspaces(ctx context.Context) {
	begun := r.Now()
	all, err := r.Client.Workspaces(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		r.tell(Info, "workspaces", "", "the service does not list workspaces; the profile's connectors stand in", "")
		r.known(ctx, "")
		return
	}
	if err != nil {
		r.emit(Failed("workspaces", "", err))
		return
	}
	r.tell(OK, "workspaces", "", fmt.Sprintf("%d reachable", len(all)), "", r.Now().Sub(begun))
	matched := false
	for _, w := range all {
		if r.Workspace != "" && w.Name != r.Workspace && w.ID != r.Workspace {
			continue
		}
		matched = true
		list, err := r.Client.Connectors(ctx, w.Name)
		switch {
		case errors.Is(err, hosted.ErrListingUnsupported):
			r.tell(Info, "workspaces", w.Name, "its connectors are not listed; the profile's stand in", "")
			r.known(ctx, w.Name)
		case err != nil:
			r.emit(Failed("workspaces", w.Name, err))
		default:
			r.tell(OK, "workspaces", w.Name, fmt.Sprintf("%d connectors", len(list)), "")
			r.connectors(ctx, list)
		}
	}
	if !matched && r.Workspace != "" {
		r.tell(Fail, "workspaces", r.Workspace, "there is no such workspace", "patchbay workspaces list")
	}
}

// known looks at the connectors that the profile keeps for a workspace.
func (r *run) known(ctx context.Context, workspace string) {
	if r.Profile == nil {
		return
	}
	r.connectors(ctx, r.Profile.Known(workspace, func(connectorType string) string {
		if k := r.kind(connectorType); k != nil {
			return k.Name
		}
		return ""
	}))
}

func (r *run) kind(name string) *catalog.Kind {
	if r.Catalog == nil || name == "" {
		return nil
	}
	k, err := r.Catalog.Kind(name)
	if err != nil {
		return nil
	}
	return k
}

func (r *run) connectors(ctx context.Context, all []client.Connector) {
	if r.Connector != "" {
		one, err := hosted.Match(all, r.Workspace, r.Connector)
		if err != nil {
			r.emit(Failed("connector", r.Connector, err))
			return
		}
		all = []client.Connector{one}
	}
	r.check(ctx, all)
}

// checkedAtOnce is how many connectors are checked together.
const checkedAtOnce = 6

// check checks connectors, a few at once as they are of third parties of their own, and
// tells of them in their order.
func (r *run) check(ctx context.Context, all []client.Connector) {
	found, free := make([]chan Finding, len(all)), make(chan struct{}, checkedAtOnce)
	for i := range found {
		found[i] = make(chan Finding, 64)
	}
	go func() {
		for i, c := range all {
			free <- struct{}{}
			go func() {
				defer func() { close(found[i]); <-free }()
				if ctx.Err() == nil {
					Connector(ctx, OfService(r.Client, r.Reads, r.kind(c.Kind), c), func(f Finding) { found[i] <- f })
				}
			}()
		}
	}()
	for _, told := range found {
		for f := range told {
			r.emit(f)
		}
	}
}
