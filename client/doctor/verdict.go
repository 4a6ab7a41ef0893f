package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/transport"
)

// The words of services for what a check came to.
const (
	statusSucceeded = "succeeded"
	statusFailed    = "failed"
)

// statusOf is the word of services for a verdict.
func statusOf(v client.Verdict) string {
	switch v {
	case client.VerdictOK:
		return statusSucceeded
	case client.VerdictRateLimited:
		return "inconclusive"
	case client.VerdictNotTried:
		return "skipped"
	case client.VerdictCanceled:
		return "cancelled"
	}
	return statusFailed
}

// verdictOf is what the failure of a read says of an entity.
func verdictOf(e *client.Error) client.Verdict {
	switch e.Class {
	case client.ClassAuth:
		return client.VerdictCredentials
	case client.ClassScope:
		return client.VerdictRefused
	case client.ClassRateLimited:
		return client.VerdictRateLimited
	case client.ClassNetwork, client.ClassTLS, client.ClassTimeout:
		return client.VerdictUnreachable
	case client.ClassCanceled:
		return client.VerdictCanceled
	case client.ClassInvalid, client.ClassRefused:
		if e.Layer == client.LayerProgram {
			return client.VerdictNotTried
		}
	}
	return client.VerdictFailing
}

// verdictOfStatus is verdictOf for what a service's own check told.
func verdictOfStatus(status int) client.Verdict {
	return verdictOf(&client.Error{Class: classOf(status), Layer: client.LayerThirdParty})
}

// classOf is the class of a failure that came with a status, or without any.
func classOf(status int) client.Class {
	if status == 0 {
		return client.ClassUpstream
	}
	return transport.ClassOf(status)
}

// worst are the verdicts of entities in the order in which they decide that of the connector.
var worst = []client.Verdict{client.VerdictCredentials, client.VerdictRefused, client.VerdictRateLimited,
	client.VerdictUnreachable, client.VerdictFailing}

// result makes of what the entities came to the verdict of the connector.
func (c *check) result(canceled bool) client.Check {
	slices.SortFunc(c.done, func(a, b client.EntityCheck) int { return cmp.Compare(a.Place, b.Place) })
	out := client.Check{Entities: c.done}
	if out.Entities == nil {
		out.Entities = []client.EntityCheck{}
	}
	by := map[client.Verdict][]client.EntityCheck{}
	for _, e := range c.done {
		by[e.Verdict] = append(by[e.Verdict], e)
	}
	out.Verdict, out.Message = c.verdict(by, canceled), counted(by, len(c.done))
	why := ""
	if e := c.blocked; e != nil {
		why, out.Class, out.HTTPStatus, out.Next = e.Error(), e.Class, e.Status, e.Next
	} else if first := worstOf(by); first != nil {
		why, out.Class = first.Message, failureClass(first.Class)
		out.HTTPStatus, out.Next = first.HTTPStatus, first.Next
	}
	switch out.Verdict {
	case client.VerdictCredentials:
		if c.own.Status == statusFailed {
			why = cmp.Or(c.own.Message, why)
		}
		out.Message = sentences(why, out.Message)
	case client.VerdictUnreachable, client.VerdictRateLimited:
		out.Message = sentences(why, out.Message)
	case client.VerdictCanceled:
		out.Message = sentences("stopped", out.Message)
	default:
		out = c.withOwn(out)
	}
	out.Status = statusOf(out.Verdict)
	if out.Verdict == client.VerdictNotTried && c.own.Status != "" {
		out.Status = c.own.Status
	}
	return out
}

// worstOf is the first of the entities with the worst verdict; nil where nothing failed.
func worstOf(by map[client.Verdict][]client.EntityCheck) *client.EntityCheck {
	for _, v := range worst {
		if len(by[v]) > 0 {
			return &by[v][0]
		}
	}
	return nil
}

// withOwn adds what the service's own check says beside the reads.
func (c *check) withOwn(out client.Check) client.Check {
	failed := c.own.Status == statusFailed
	switch {
	case c.own.Message != "" || failed:
		out.Message = sentences(out.Message, said("The service's own check "+cmp.Or(c.own.Status, statusFailed),
			c.own.Message))
	case out.Verdict == client.VerdictNotTried && c.own.Status != "":
		out.Message = sentences("the service's own check "+c.own.Status, out.Message)
	}
	if failed && (out.Verdict == client.VerdictFailing || out.Verdict == client.VerdictCredentials) {
		out.Class = cmp.Or(out.Class, client.ClassUpstream)
		out.Next = cmp.Or(out.Next, "Renew the connector's credentials, or look at the entities.")
	}
	return out
}

// verdict is that of the connector.
func (c *check) verdict(by map[client.Verdict][]client.EntityCheck, canceled bool) client.Verdict {
	has := func(v client.Verdict) bool { return len(by[v]) > 0 }
	refused := has(client.VerdictCredentials) || has(client.VerdictRefused)
	switch {
	case canceled:
		return client.VerdictCanceled
	case c.blocked != nil:
		return c.stop
	case has(client.VerdictRateLimited):
		return client.VerdictRateLimited
	case refused && has(client.VerdictOK):
		return client.VerdictPartly
	case has(client.VerdictCredentials):
		return client.VerdictCredentials
	case refused:
		return client.VerdictRefused
	case has(client.VerdictUnreachable) && !has(client.VerdictOK):
		return client.VerdictUnreachable
	case has(client.VerdictUnreachable), has(client.VerdictFailing), c.own.Status == statusFailed:
		return client.VerdictFailing
	case has(client.VerdictOK):
		return client.VerdictOK
	}
	return client.VerdictNotTried
}

// failureClass is the class of an error that tells of a failed entity: that the
// third party finds a read of ours wrong is no fault of the person's.
func failureClass(class client.Class) client.Class {
	if class == client.ClassInvalid || class == client.ClassRefused {
		return client.ClassUpstream
	}
	return class
}

// counts are what is counted of the entities, and in which words.
var counts = []struct {
	verdict client.Verdict
	words   string
	names   bool
}{
	{client.VerdictOK, "can be read", false}, {client.VerdictCredentials, "refuse the credentials", false},
	{client.VerdictRefused, "refused", true}, {client.VerdictRateLimited, "over the limit", true},
	{client.VerdictUnreachable, "not reached", true}, {client.VerdictFailing, "failing", true},
	{client.VerdictNotTried, "not tried", false},
}

// counted says in a line what the entities came to.
func counted(by map[client.Verdict][]client.EntityCheck, of int) string {
	var parts []string
	for _, c := range counts {
		n := len(by[c.verdict])
		if n == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", n, c.words)
		if len(parts) == 0 {
			part = fmt.Sprintf("%d of %d entities %s", n, of, c.words)
		}
		if c.names && len(by[client.VerdictOK]) > 0 {
			part += " (" + named(by[c.verdict]) + ")"
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return "no entity was read"
	}
	return strings.Join(parts, ", ")
}

// namedEntities is how many entities are named where many are alike.
const namedEntities = 3

// named names a few entities and counts the others.
func named(all []client.EntityCheck) string {
	var names []string
	for _, e := range all {
		names = append(names, e.Entity)
	}
	return few(names)
}

func few(names []string) string {
	if more := len(names) - namedEntities; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namedEntities], ", "), more)
	}
	return strings.Join(names, ", ")
}

// said joins what a check found with its message.
func said(found, message string) string { return strings.TrimSuffix(found+": "+message, ": ") }

// sentences puts two texts one behind the other.
func sentences(a, b string) string {
	switch {
	case b == "":
		return a
	case strings.HasSuffix(a, ".)"):
		return a + " " + b
	}
	return strings.TrimSuffix(a, ".") + ". " + b
}
