package hosted

import (
	"cmp"
	"net/http"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// readBody is how much of a body is read for what it says of an error.
const readBody = 1 << 20

// verdict checks an answer of status 2xx: it may be none, and tell of a failure.
func (x *reader) verdict() error {
	if x.env.Body.Len() == 0 && (x.env.Status == http.StatusNoContent || x.env.Status == http.StatusAccepted ||
		x.r.write && x.env.Status == http.StatusResetContent) {
		return nil // nothing was to be expected
	}
	if !x.whole {
		e := x.c.unreadable(x.r, x.res, nil)
		e.Envelope = x.env
		return e
	}
	if x.env.Shape == client.ShapeService {
		if status := x.at("status"); transport.Failed(status.Node) {
			return x.failed("the service reports status "+strings.ToLower(status.Text()), x.at(""))
		}
	}
	if err := x.graphQLErrors(); err != nil {
		return err
	}
	expected := transport.Expected{Entity: x.r.entity, Action: x.r.action, Selected: len(x.r.op.SelectFields)+
		len(x.r.op.ExcludeFields) > 0}
	record := x.at(x.env.RecordsPath)
	switch searches := x.searches(); {
	case x.env.Single && expected.OnlyError(record.Node):
		return x.failed(transport.NoRecords, record)
	case x.env.Shape == client.ShapeOther, x.env.Single && searches,
		x.env.Shape == client.ShapeObject && (record.Len() > 0 || !x.r.write) && expected.Foreign(record.Node),
		x.env.Shape != client.ShapeService && expected.Scalars(record.Node):
		e := x.c.unreadable(x.r, x.res, nil)
		e.Envelope = x.env
		return e
	}
	return nil
}

// searches reports whether the action always answers with a list.
func (x *reader) searches() bool {
	return x.r.op.Action == catalog.ActionContextStoreSearch || x.r.op.Action == catalog.ActionSemanticSearch
}

// failed is the error of a failure that came with a good status, as a part of the body tells it.
func (x *reader) failed(message string, p part) *client.Error {
	return x.c.t.InGoodStatus(x.r.doing, message, x.env, x.res.Header, p.AppendRaw(nil, readBody))
}

// graphQLErrors reads the errors that a GraphQL server sends with a good status.
// Beside data they are a warning, without any they are the failure they are.
func (x *reader) graphQLErrors() error {
	at := ""
	if x.env.Shape == client.ShapeService {
		at = "result"
	}
	list, data := x.at(join(at, "errors")), x.at(join(at, "data"))
	speaks := x.r.action != nil && x.r.action.Binding != nil && x.r.action.Binding.GraphQL != nil
	if list.Kind() != rawjson.Array || list.Len() == 0 || !speaks && !data.Exists() {
		return nil
	}
	e := x.failed("the third party refused the query", list)
	if data.Kind() >= rawjson.String {
		x.env.Warning = strings.TrimPrefix(x.env.Warning+"; ", "; ") + e.Server
		return nil
	}
	raw := list.AppendRaw(nil, readBody)
	e.Class = transport.ClassOfCode(cmp.Or(transport.ReadProblem("application/json", raw).Code, string(raw)))
	e.Next = "Compare the params with the catalog's docs."
	return e
}
