package transport

import (
	"patchbay/catalog"
	"patchbay/client"
)

// Settle says what became of a write that failed, and which call shows it. The kind
// is nil where the catalog does not know it; other errors stay as they are.
func Settle(err error, k *catalog.Kind, t client.Target, op client.Operation) *client.Error {
	e := client.AsError(err)
	if e == nil || e.Fate == "" {
		return e
	}
	if k == nil || k.Entity(op.Entity) == nil {
		guess := client.Operation{Entity: op.Entity, Action: catalog.ActionList}
		return e.Settle(&client.Look{Target: t, Op: guess}, "")
	}
	if look := Look(k, t, op); look != nil {
		return e.Settle(look, "")
	}
	return e.Settle(nil, "no call of this connector shows it, but "+k.System+" itself does")
}

// Look is the call of a kind that shows whether a write was carried out; nil where it
// has none.
func Look(k *catalog.Kind, t client.Target, op client.Operation) *client.Look {
	entity := k.Entity(op.Entity)
	if entity == nil {
		return nil
	}
	l, ok := k.Look(entity, op.Action, op.Params)
	if !ok {
		return nil
	}
	return &client.Look{Target: t, Missing: l.Missing,
		Op: client.Operation{Entity: l.Entity.Name, Action: l.Action.Name, Params: l.Params}}
}
