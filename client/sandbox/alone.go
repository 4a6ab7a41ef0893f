package sandbox

import (
	"encoding/base64"
	"net/http"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// resume puts the params that a token stands for in its place, where it goes alone. As the
// third party does, it refuses any param beside such a token.
func (op *operation) resume() {
	p := op.a.Page
	if p == nil || !p.Alone || op.params.Text(p.Send) == "" {
		return
	}
	for _, name := range op.params.Keys {
		if f := catalog.FieldByName(op.a.Params, name); f != nil && p.Replaces(f) {
			panic(refuseField(http.StatusBadRequest, "params."+name, "InvalidInput",
				"%s stands for all other params: give it alone, without %s.", p.Send, name))
		}
	}
	offset, held, _ := strings.Cut(op.params.Text(p.Send), ".")
	raw, err := base64.RawURLEncoding.DecodeString(held)
	given, wrong := rawjson.Decode(raw)
	first, isObject := given.(*rawjson.Map)
	if err != nil || wrong != nil || !isObject {
		panic(refuseField(http.StatusBadRequest, "params."+p.Send, "invalid_cursor",
			"The %s is not one that this service gave.", p.Send))
	}
	for i, name := range first.Keys {
		op.params.Set(name, first.Vals[i])
	}
	op.params.Set(p.Send, offset)
}

// sealAlone is a token that stands for all params of a query.
func (q *query) sealAlone(offset int) string {
	held := q.params.Clone()
	held.Remove(q.a.Page.Send)
	return sealCursor(offset) + "." + base64.RawURLEncoding.EncodeToString(held.JSON())
}
