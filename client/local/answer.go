package local

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// read says where records and paging lie in an answer.
func (p *plan) read(x *exchange) (*client.Envelope, error) {
	env := x.env
	root := rawjson.Root(env.Body)
	if root.Kind() < rawjson.Array {
		return p.notRecords(x, root)
	}
	if root.Cut() {
		return env, x.unread("the answer ends in the middle", "Run it again.")
	}
	if n := env.Body.Len(); n <= readBody && !rawjson.Valid(env.Body.Slice(0, n)) {
		return env, x.unread("the answer is not valid JSON", "Run it again.")
	}
	root = p.hideInAddresses(env, root)
	n, there := p.locate(env, root)
	if n.Exists() && n.Kind() != rawjson.Null && n.Kind() < rawjson.Array {
		env.Records = client.Span{}
		return env, x.unread("the answer holds no records at "+env.RecordsPath, "")
	}
	env.MetaJSON = p.meta(x, root)
	p.paging(x, root)
	fault := p.errorBody
	if p.bind.GraphQL != nil {
		fault = p.graphQLErrors
	}
	err := fault(x, root)
	expected := transport.Expected{Entity: p.entity, Action: p.action}
	if err == nil && !p.writes() && (!there || env.Shape == client.ShapeObject && expected.Foreign(root)) {
		err = p.unknownShape(x, root)
	}
	return env, err
}

// unknownShape is the error of an answer that lacks what holds its records: that there
// are none is not what it says.
func (p *plan) unknownShape(x *exchange, root rawjson.Node) error {
	place, has := cmp.Or(p.bind.Records, p.bind.RecordsInBody), "it is a list"
	if root.Kind() == rawjson.Object {
		var names []string
		for m := range root.Members() {
			if names = append(names, transport.Clip(m.Key())); len(names) == keysTold {
				break
			}
		}
		has = "it holds " + strings.Join(names, ", ")
		if len(names) == 0 {
			has = "it is an empty object"
		}
	}
	lacks := fmt.Sprintf("has no %q, where the records are expected", place)
	if place == "" {
		lacks = "has nothing of a record"
	}
	return x.unread(fmt.Sprintf("the answer %s; %s", lacks, p.c.t.Redactor().Text(has)),
		"Compare it with the third party's documentation.")
}

// keysTold is how many names of an answer of unknown shape are told.
const keysTold = 12

// errorBody reads a failure that came with a good status: an error stands where
// records were expected, and they are not there.
func (p *plan) errorBody(x *exchange, root rawjson.Node) error {
	expected := transport.Expected{Entity: p.entity, Action: p.action}
	status, _ := root.Get("status")
	switch places := p.bind.Records != "" || p.bind.RecordsInBody != ""; {
	case !places && expected.OnlyError(root), places && x.env.Records.Empty() && transport.Failed(status):
	case !places || !x.env.Records.Empty():
		return nil
	default:
		if !slices.ContainsFunc([]string{"error", "errors"}, func(name string) bool { return tellsError(root, name) }) {
			return nil
		}
	}
	return p.c.t.InGoodStatus(p.doing, transport.NoRecords, x.env, x.header, root.AppendRaw(nil, readBody))
}

// tellsError reports whether a member says more than that there is no error.
func tellsError(root rawjson.Node, name string) bool {
	n, ok := root.Get(name)
	return ok && n.Kind() != rawjson.Null && n.Kind() != rawjson.Bool && (n.Len() > 0 || n.Text() != "")
}

// readBody is how much of a body is read for what it says of an error.
const readBody = 1 << 20

// notRecords reads an answer without an object or array: nothing at all, where that
// can be, else what is not believed.
func (p *plan) notRecords(x *exchange, root rawjson.Node) (*client.Envelope, error) {
	env := x.env
	const elsewhere = "The base URL may be another server's."
	head := strings.ToLower(strings.TrimSpace(string(env.Body.Slice(0, min(env.Body.Len(), 256)))))
	switch {
	case head == "" && (p.writes() || env.Status == http.StatusNoContent || env.Status == http.StatusAccepted):
		return env, nil
	case head == "":
		return env, x.fail("the answer is empty", "Check the base URL if it stays.")
	case strings.HasPrefix(head, "<"):
		e := x.fail("a web page came back instead of an answer",
			"Something between you and the third party answered, or the base URL is another server's. Check both.")
		e.Layer = client.LayerProxy
		return env, e
	case !rawjson.Valid(env.Body.Slice(0, env.Body.Len())):
		return env, x.unread("the answer is not JSON", elsewhere)
	}
	e := x.unread("the answer is no object and no list, but "+kinds[root.Kind()], elsewhere)
	if root.Kind() == rawjson.String {
		e.Server = transport.Clip(p.c.t.Redactor().Text(root.Text()))
	}
	return env, e
}

// kinds are the JSON values that hold no records.
var kinds = map[rawjson.Kind]string{rawjson.Null: "null", rawjson.Bool: "a truth value", rawjson.Number: "a number",
	rawjson.String: "a text"}

// locate finds the records: where the binding says, else the whole body. It returns
// what stands there, and whether the answer has that place; null on the way to it, or
// there, stands for no records.
func (p *plan) locate(env *client.Envelope, root rawjson.Node) (n rawjson.Node, there bool) {
	place := cmp.Or(p.bind.Records, p.bind.RecordsInBody)
	env.Shape = client.ShapeUpstream
	if place == "" {
		env.Shape = client.ShapeObject
		if root.Kind() == rawjson.Array {
			env.Shape = client.ShapeArray
		}
	}
	path, err := rawjson.ParsePath(place)
	if err != nil {
		return rawjson.Node{}, false
	}
	at, branches := path.UntilAny()
	n = root
	for i := range path[:at] {
		if n, there = n.Lookup(path[i : i+1]); n.Kind() == rawjson.Null || !there {
			return rawjson.Node{}, there
		}
	}
	if branches && !reaches(n, path[at:]) {
		return n, false
	}
	env.Records.From, env.Records.To = n.Span()
	env.RecordsPath = place
	env.Single = n.Kind() == rawjson.Object && !branches
	if p.bind.DropWhen != "" {
		env.Kept = kept(rawjson.IndexSelected(env.Body, path), p.bind.DropWhen)
	}
	return n, true
}

// reaches reports whether what a path leads to over all children of a value is there: in one
// of them at least, where there are any. null on the way stands for no records.
func reaches(n rawjson.Node, path rawjson.Path) bool {
	if len(path) == 0 || n.Len() == 0 {
		return true
	}
	rest := path[1:]
	at, branches := rest.UntilAny()
	for child := range n.Elems() {
		in, there := child, true
		for i := 0; i < at && there && in.Kind() != rawjson.Null; i++ {
			in, there = in.Lookup(rest[i : i+1])
		}
		if there && (in.Kind() == rawjson.Null || !branches || reaches(in, rest[at:])) {
			return true
		}
	}
	return false
}

// kept lists the records for which a condition such as "isPrivate == true" does not hold.
func kept(index *rawjson.Index, condition string) []client.Span {
	field, want, _ := strings.Cut(condition, "==")
	path, err := rawjson.ParsePath(strings.TrimSpace(field))
	want = strings.TrimSpace(want)
	out := []client.Span{}
	for i := range index.Len() {
		n, ok := index.Record(i).Lookup(path)
		if err == nil && ok && (n.Text() == strings.Trim(want, `"'`)) {
			continue
		}
		from, to := index.Span(i)
		out = append(out, client.Span{From: from, To: to})
	}
	return out
}

// meta gathers the documented meta fields from body and headers; one that the
// answer does not hold is null.
func (p *plan) meta(x *exchange, root rawjson.Node) json.RawMessage {
	if len(p.bind.Meta) == 0 {
		return nil
	}
	body := &rawjson.Map{}
	for _, m := range p.bind.Meta {
		n, ok := found(m.Value, root, x.header)
		if !ok {
			n = rawjson.Parse([]byte("null"))
		}
		body.Add(m.Name, sent(nil, n))
	}
	return body.JSON()
}

// found reads a dotted path of the body, "@link.REL" or "@header.NAME".
func found(place string, root rawjson.Node, h http.Header) (rawjson.Node, bool) {
	quoted := func(s string) (rawjson.Node, bool) {
		return rawjson.Parse(rawjson.AppendQuoted(nil, s)), s != ""
	}
	if rel, ok := strings.CutPrefix(place, "@link."); ok {
		return quoted(readLinks(h)[rel].address)
	}
	if name, ok := strings.CutPrefix(place, "@header."); ok {
		return quoted(h.Get(name))
	}
	path, err := rawjson.ParsePath(place)
	if err != nil {
		return rawjson.Node{}, false
	}
	return root.Lookup(path)
}
