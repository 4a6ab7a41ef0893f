package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
)

func (r *run) workspaces(ctx context.Context) {
	begun := r.in.Now()
	all, err := r.in.Client.Workspaces(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		r.tell(Finding{Step: "workspaces", Status: Info, Detail: "the service does not list workspaces; the profile's connectors stand in"})
		r.known(ctx, "")
		return
	}
	if err != nil {
		r.fail("workspaces", "", err)
		return
	}
	took := r.in.Now().Sub(begun)
	r.tell(Finding{Step: "workspaces", Status: OK, Took: took, Detail: fmt.Sprintf("%d reachable", len(all))})
	matched := false
	for _, w := range all {
		if r.in.Workspace == "" || w.Name == r.in.Workspace || w.ID == r.in.Workspace {
			matched = true
			r.workspace(ctx, w)
		}
	}
	if !matched && r.in.Workspace != "" {
		r.tell(Finding{Step: "workspaces", Subject: r.in.Workspace, Status: Fail, Detail: "there is no such workspace", Next: "patchbay workspaces list"})
	}
}

func (r *run) workspace(ctx context.Context, w client.Workspace) {
	all, err := r.in.Client.Connectors(ctx, w.Name)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		r.tell(Finding{Step: "workspaces", Subject: w.Name, Status: Info, Detail: "its connectors are not listed; the profile's stand in"})
		r.known(ctx, w.Name)
		return
	}
	if err != nil {
		r.fail("workspaces", w.Name, err)
		return
	}
	r.tell(Finding{Step: "workspaces", Subject: w.Name, Status: OK, Detail: fmt.Sprintf("%d connectors", len(all))})
	r.connectors(ctx, all)
}

func (r *run) known(ctx context.Context, workspace string) {
	if r.in.Profile == nil {
		return
	}
	var all []client.Connector
	for _, c := range r.in.Profile.Known(r.kindName) {
		if workspace == "" || c.Workspace == "" || c.Workspace == workspace {
			all = append(all, c)
		}
	}
	r.connectors(ctx, all)
}

func (r *run) kindName(connectorType string) string {
	if k := r.kind(connectorType); k != nil {
		return k.Name
	}
	return ""
}

func (r *run) kind(name string) *catalog.Kind {
	if r.in.Catalog == nil || name == "" {
		return nil
	}
	k, err := r.in.Catalog.Kind(name)
	if err != nil {
		return nil
	}
	return k
}

func (r *run) connectors(ctx context.Context, all []client.Connector) {
	if r.in.Connector != "" {
		one, err := hosted.Match(all, r.in.Workspace, r.in.Connector)
		if err != nil {
			r.fail("connector", r.in.Connector, err)
			return
		}
		all = []client.Connector{one}
	}
	for _, c := range all {
		if ctx.Err() != nil {
			return
		}
		Connector(ctx, r.in.Client, r.kind(c.Kind), c, r.tell)
	}
}

// Connector examines one connector: the service's own check, and a cheap probe
// of each entity that the check does not speak of.
func Connector(ctx context.Context, service *hosted.Client, kind *catalog.Kind, c client.Connector, emit func(Finding)) {
	check, err := service.CheckConnector(ctx, c.ID)
	e := client.AsError(err)
	told := map[string]bool{}
	switch {
	case err == nil:
		emit(connectorFinding(c, check))
		for _, one := range check.Entities {
			told[one.Entity] = true
			emit(entityFinding(c, one))
		}
	case e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotFound:
		emit(Finding{Step: "connector", Subject: c.Name, Status: Info, Detail: "the service offers no check of it; its entities are probed", HTTPStatus: e.Status})
	default:
		emit(failed("connector", c.Name, e))
		if e.Class == client.ClassCanceled || e.Layer != client.LayerThirdParty {
			return
		}
	}
	if kind == nil {
		emit(Finding{Step: "connector", Subject: c.Name, Status: Skip, Detail: fmt.Sprintf("the catalog does not know the type %q, so its entities are not probed", c.Type)})
		return
	}
	for i := range kind.Entities {
		if ctx.Err() != nil {
			return
		}
		if entity := &kind.Entities[i]; !told[entity.Name] {
			emit(probe(ctx, service, c, entity))
		}
	}
}

func failed(step, subject string, e *client.Error) Finding {
	f := Finding{Step: step, Subject: subject, Status: Fail, Detail: e.Error(), Next: e.Next, HTTPStatus: e.Status}
	if e.Class == client.ClassCanceled {
		f.Status = Skip
	}
	return f
}

func statusOf(check string) Status {
	switch check {
	case "succeeded":
		return OK
	case "failed", "cancelled":
		return Fail
	case "skipped":
		return Skip
	}
	return Info
}

func connectorFinding(c client.Connector, check client.Check) Finding {
	f := Finding{Step: "connector", Subject: c.Name, Status: statusOf(check.Status), Detail: "check " + or(check.Status, "without a result")}
	if check.Message != "" {
		f.Detail += ": " + check.Message
	}
	if f.Status == Fail {
		f.Next = "The entities below tell which part fails; renew the credentials when all do."
	}
	return f
}

func entityFinding(c client.Connector, e client.EntityCheck) Finding {
	detail := e.Status
	if e.Message != "" {
		detail += ": " + e.Message
	}
	return Finding{Step: "entity", Subject: c.Name + "/" + e.Entity, Status: statusOf(e.Status), Detail: detail, Next: e.Next, HTTPStatus: e.HTTPStatus}
}

// probe runs the cheapest read of an entity.
func probe(ctx context.Context, service *hosted.Client, c client.Connector, entity *catalog.Entity) Finding {
	f := Finding{Step: "entity", Subject: c.Name + "/" + entity.Name}
	op, ok := Probe(entity, service.Now())
	if !ok {
		f.Status, f.Detail = Skip, "every read of it needs params"
		return f
	}
	env, err := service.Execute(ctx, c.Target(service.Profile()), op)
	if err != nil {
		return failed(f.Step, f.Subject, client.AsError(err))
	}
	f.Status, f.Detail, f.HTTPStatus, f.Took = OK, op.Action+" works", env.Status, env.Took
	return f
}
