package local

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// read tells where records and paging lie in an answer.
func (p *plan) read(x *exchange) (*client.Envelope, error) {
	env := x.env
	root := rawjson.Root(env.Body)
	switch root.Kind() {
	case rawjson.Object, rawjson.Array:
	default:
		return p.notRecords(x, root)
	}
	if root.Cut() {
		return env, p.unreadable(x, "the answer ends in the middle", "Run it again. What arrived can be read in the Raw view.")
	}
	p.locate(env, root)
	env.MetaJSON = p.meta(x, root)
	p.paging(x, root)
	if p.bind.GraphQL != nil {
		return env, p.graphQLErrors(x, root)
	}
	return env, p.errorBody(x, root)
}

// errorBody reads a failure that came with a good status: an error stands where
// records were expected, and they are not there.
func (p *plan) errorBody(x *exchange, root rawjson.Node) error {
	env := x.env
	if !env.Records.Empty() || p.bind.Records == "" && p.bind.RecordsInBody == "" {
		return nil
	}
	for _, name := range []string{"error", "errors"} {
		n, ok := root.Get(name)
		if !ok || n.Kind() == rawjson.Null || n.Kind() == rawjson.Bool || n.Len() == 0 && n.Text() == "" {
			continue
		}
		e := p.unreadable(x, "an error came instead of records, with a status that says all is well", "The Raw view shows the whole answer.")
		e.Class = client.ClassUpstream
		e.Server = p.c.t.Redactor().Text(transport.ReadProblem("application/json", env.Body.Slice(0, min(env.Body.Len(), 1<<20))).Message)
		return e
	}
	return nil
}

// notRecords reads an answer without an object or array: nothing at all, a bare
// value, or text that should have been JSON.
func (p *plan) notRecords(x *exchange, root rawjson.Node) (*client.Envelope, error) {
	env := x.env
	head := strings.ToLower(strings.TrimSpace(string(env.Body.Slice(0, min(env.Body.Len(), 256)))))
	switch {
	case head == "" || root.Kind() == rawjson.Null:
		return env, nil
	case strings.HasPrefix(head, "<"):
		e := p.unreadable(x, "a web page came back instead of an answer", "Something between you and the third party answered, or the base URL is another server's. Check both.")
		e.Layer = client.LayerProxy
		return env, e
	case strings.Contains(env.ContentType, "json") && !rawjson.Valid(env.Body.Slice(0, env.Body.Len())):
		return env, p.unreadable(x, "the answer is not JSON", "Look at it in the Raw view; the base URL may be another server's.")
	}
	return env, nil
}

func (p *plan) unreadable(x *exchange, message, next string) *client.Error {
	e := p.fail(client.ClassBadResponse, "", next, "%s", message)
	e.Layer, e.Status, e.Attempts, e.Envelope = client.LayerThirdParty, x.env.Status, x.env.Attempts, x.env
	return e
}

// locate finds the records: where the binding says, else the whole body.
func (p *plan) locate(env *client.Envelope, root rawjson.Node) {
	place := p.bind.Records
	if place == "" {
		place = p.bind.RecordsInBody
	}
	env.Shape = client.ShapeUpstream
	if place == "" {
		env.Shape = client.ShapeObject
		if root.Kind() == rawjson.Array {
			env.Shape = client.ShapeArray
		}
	}
	path, err := rawjson.ParsePath(place)
	if err != nil {
		return
	}
	at, branches := untilAny(path)
	n, ok := root.Lookup(path[:at])
	if !ok || n.Kind() == rawjson.Null {
		return
	}
	env.Records.From, env.Records.To = n.Span()
	env.RecordsPath = place
	env.Single = n.Kind() == rawjson.Object && !branches
	if p.bind.DropWhen != "" {
		env.Kept = kept(rawjson.IndexSelected(env.Body, path), p.bind.DropWhen)
	}
}

// untilAny is the length of a path before its first step over all children.
func untilAny(path rawjson.Path) (int, bool) {
	for i, step := range path {
		if step.Index == rawjson.Any {
			return i, true
		}
	}
	return len(path), false
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
	var body jsonBody
	for _, m := range p.bind.Meta {
		n, ok := found(m.Value, root, x.header)
		if !ok {
			n = rawjson.Parse([]byte("null"))
		}
		body.put(m.Name, nil, n)
	}
	return body.bytes()
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

// paging reads what the answer says of the next page, where the catalog says.
func (p *plan) paging(x *exchange, root rawjson.Node) {
	page := p.action.Page
	if page == nil || page.Style == "none" {
		return
	}
	out := &client.Paging{}
	p.morePages(out, x, root)
	if !strings.HasPrefix(page.Next, "last.") && !strings.HasPrefix(page.Next, "first.") && page.Next != "" {
		if n, ok := found(page.Next, root, x.header); ok && n.Kind() != rawjson.Null && n.Text() != "" && n.Text() != "false" {
			out.Next, out.NextFrom = bytes.Clone(n.Raw()), spoken(page.Next)
		}
	}
	if page.NextIs == "path" && out.Next != nil {
		x.env.NextURL, out.Elsewhere = p.nextPath(x, out.Next)
	}
	x.env.Paging = out
}

func spoken(place string) string {
	if rel, ok := strings.CutPrefix(place, "@link."); ok {
		return "the Link header's " + rel
	}
	if name, ok := strings.CutPrefix(place, "@header."); ok {
		return "the header " + name
	}
	return place + " of the answer"
}

// morePages reads the flag that says whether more pages exist. "@link.results"
// is an attribute of the Link header's next entry.
func (p *plan) morePages(out *client.Paging, x *exchange, root rawjson.Node) {
	place := strings.TrimPrefix(p.action.Page.More, "!")
	if place == "" {
		return
	}
	var text string
	if name, ok := strings.CutPrefix(place, "@link."); ok {
		text = readLinks(x.header)["next"].attributes[name]
	} else {
		n, ok := p.flag(place, root, x.header)
		if ok {
			text = n.Text()
		}
	}
	if text != "true" && text != "false" {
		return
	}
	more := (text == "true") != strings.HasPrefix(p.action.Page.More, "!")
	out.More, out.MoreFrom = &more, spoken(place)
}

// flag reads a place of the body, or the meta field of that name.
func (p *plan) flag(place string, root rawjson.Node, h http.Header) (rawjson.Node, bool) {
	for _, m := range p.bind.Meta {
		if m.Name == place {
			return found(m.Value, root, h)
		}
	}
	return found(place, root, h)
}

// nextPath is the address of the next page, when it is one of the same server;
// else elsewhere is the server that it leads to.
func (p *plan) nextPath(x *exchange, raw json.RawMessage) (address, elsewhere string) {
	u, err := x.request.base.Parse(rawjson.Parse(raw).Text())
	switch {
	case err != nil:
		return "", ""
	case !sameOrigin(u, x.request.base):
		return "", u.Host
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String(), ""
}

// link is one entry of a Link header.
type link struct {
	address    string
	attributes map[string]string
}

// readLinks reads Link headers: <address>; rel="next"; results="true".
func readLinks(h http.Header) map[string]link {
	out := map[string]link{}
	for _, line := range h.Values("Link") {
		for line != "" {
			_, after, ok := strings.Cut(line, "<")
			if !ok {
				break
			}
			address, rest, ok := strings.Cut(after, ">")
			if !ok {
				break
			}
			entry := link{address: address, attributes: map[string]string{}}
			line = entry.read(rest)
			for rel := range strings.FieldsSeq(entry.attributes["rel"]) {
				if _, twice := out[rel]; !twice {
					out[rel] = entry
				}
			}
		}
	}
	return out
}

// read takes the attributes of an entry and returns what follows the entry.
func (l *link) read(rest string) string {
	for {
		rest = strings.TrimLeft(rest, " \t;")
		if rest == "" || rest[0] == ',' {
			return strings.TrimPrefix(rest, ",")
		}
		end := strings.IndexAny(rest, "=;,")
		if end < 0 || rest[end] != '=' {
			if end < 0 {
				return ""
			}
			rest = rest[end:]
			continue
		}
		name := strings.ToLower(strings.TrimSpace(rest[:end]))
		rest = rest[end+1:]
		var value string
		if strings.HasPrefix(rest, `"`) {
			value, rest, _ = strings.Cut(rest[1:], `"`)
		} else {
			stop := strings.IndexAny(rest, ";,")
			if stop < 0 {
				stop = len(rest)
			}
			value, rest = strings.TrimSpace(rest[:stop]), rest[stop:]
		}
		l.attributes[name] = value
	}
}
