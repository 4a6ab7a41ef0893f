package cli

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// looked finds what shows whether a write was carried out on a connector that is known
// by its id alone: what the one kind offers that has such an action.
func (x *execution) looked(err error) error {
	e := client.AsError(err)
	if e == nil || e.Look == nil || x.target.Kind != "" {
		return err
	}
	var found []*client.Look
	for _, known := range x.a.Kinds().Kinds() {
		k, err := x.a.Kinds().Kind(known.Name)
		if err != nil || k.Entity(x.op.Entity) == nil || k.Entity(x.op.Entity).Action(x.op.Action) == nil {
			continue
		}
		l := transport.Look(k, x.target, x.op)
		same := func(o *client.Look) bool {
			return l != nil && o.Op.Entity == l.Op.Entity && o.Op.Action == l.Op.Action &&
				string(o.Op.Params) == string(l.Op.Params) && slices.Equal(o.Missing, l.Missing)
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, l)
		}
	}
	if len(found) == 1 && found[0] != nil {
		e.Look = found[0]
	}
	return err
}

// next is the next step in the words of a command line: a call that shows what became
// of a write is a command there, and so is what shows more of the answer that came.
func (a *app) next(e *client.Error) string {
	switch {
	case e.Look != nil:
	case e.More == "" || a.recorded == 0:
		return e.Next
	default:
		said := fmt.Sprintf("%s patchbay history show %d --body prints what came.", e.Next, a.recorded)
		return strings.TrimSpace(said)
	}
	t, op := e.Look.Target, e.Look.Op
	words, body := "patchbay execute", &rawjson.Map{}
	add := func(known bool, flag string) {
		if known {
			words += flag
		}
	}
	add(a.Sandbox, " --sandbox")
	add(a.SandboxNames != "", " --names "+string(a.SandboxNames))
	add(a.Profile != "", " --profile "+a.Profile)
	add(t.Local, " --local "+t.Kind)
	add(t.BaseURL != "", " --base-url "+t.BaseURL)
	switch {
	case t.Local && t.Name != "":
		body.Add("name", t.Name)
	case !t.Local:
		body.Add("id", t.ConnectorID)
	}
	body.Add("entity", op.Entity)
	body.Add("action", op.Action)
	if len(op.Params) > 0 {
		body.Add("params", op.Params)
	}
	return "Look before you repeat it: " + words + " --json '" +
		strings.ReplaceAll(string(body.JSON()), "'", `'\''`) + "'" + e.Look.Lacks()
}
