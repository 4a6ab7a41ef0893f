package local

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

// hideInAddresses takes the credentials out of the addresses that the answer holds, those of
// other pages before all: the third party writes down there what it was asked with. It
// returns the root of the body, which is the received one but for them.
func (p *plan) hideInAddresses(env *client.Envelope, root rawjson.Node) rawjson.Node {
	known := p.c.t.Redactor()
	spans := known.InQueries(env.Body)
	near, hasPages := p.aroundPages(root)
	hasPages = hasPages && known.Holds(near.Raw())
	if len(spans) == 0 && !hasPages {
		return root
	}
	from, to := 0, 0
	if hasPages {
		from, to = near.Span()
		spans = slices.DeleteFunc(spans, func(s [2]int) bool { return from <= s[0] && s[1] <= to })
		spans = append(spans, [2]int{from, to})
		slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	}
	body, done := make([]byte, 0, env.Body.Len()), 0
	for _, s := range spans {
		body = append(body, env.Body.Slice(done, s[0])...)
		if hasPages && s[0] == from {
			body = append(body, known.Body("application/json", near.Raw())...)
		} else {
			body = append(body, secret.Mark...)
		}
		done = s[1]
	}
	env.Body = client.Bytes(append(body, env.Body.Slice(done, env.Body.Len())...))
	return rawjson.Root(env.Body)
}

// aroundPages is what holds the address of the next page, if that stands in the body: the
// address of the page before stands beside it.
func (p *plan) aroundPages(root rawjson.Node) (rawjson.Node, bool) {
	page := p.action.Page
	if page == nil || page.Next == "" {
		return rawjson.Node{}, false
	}
	path, err := rawjson.ParsePath(page.Next)
	if err != nil || len(path) == 0 {
		return rawjson.Node{}, false
	}
	return root.Lookup(path[:max(len(path)-1, 1)])
}

// paging reads what the answer says of the next page, where the catalog says.
func (p *plan) paging(x *exchange, root rawjson.Node) {
	page := p.action.Page
	if page == nil || page.Style == "none" && page.Total == "" {
		return
	}
	out := &client.Paging{}
	p.morePages(out, x, root)
	if n, ok := found(page.Total, root, x.header); ok && page.Total != "" {
		if total, err := strconv.Atoi(n.Text()); err == nil && total >= 0 {
			out.Total = &total
		}
	}
	if !strings.HasPrefix(page.Next, "last.") && !strings.HasPrefix(page.Next, "first.") && page.Next != "" {
		if n, ok := found(page.Next, root, x.header); ok && n.Kind() != rawjson.Null && n.Text() != "" &&
			n.Text() != "false" {
			out.Next, out.NextFrom = bytes.Clone(n.Raw()), spoken(page.Next)
		}
	}
	if page.NextIs == "path" && out.Next != nil {
		// The address of the next page, when it is one of the same server; else the server it leads to.
		u, err := x.request.base.Parse(rawjson.Parse(out.Next).Text())
		switch {
		case err != nil:
		case sameOrigin(u, x.request.base):
			kept := p.withoutSecrets(u.RawQuery)
			x.env.NextURL = (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: kept}).String()
		default:
			out.Elsewhere = u.Host
		}
	}
	x.env.Paging = out
}

// withoutSecrets drops the credentials that an address of the third party holds from its
// query: they are sent with the next page anyhow, and the address is shown.
func (p *plan) withoutSecrets(query string) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		return err != nil || secret.SensitiveName(plain) || p.c.t.Redactor().Holds([]byte(value))
	})
	return strings.Join(pairs, "&")
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
		at := place
		for _, m := range p.bind.Meta {
			if m.Name == place { // the name of a meta field
				at = m.Value
				break
			}
		}
		if n, ok := found(at, root, x.header); ok {
			text = n.Text()
		}
	}
	if text != "true" && text != "false" {
		return
	}
	more := (text == "true") != strings.HasPrefix(p.action.Page.More, "!")
	out.More, out.MoreFrom = &more, spoken(place)
}

// link is one entry of a Link header.
type link struct {
	address    string
	attributes map[string]string
}

var (
	linkEntry     = regexp.MustCompile(`<([^>]*)>((?:[^,"]|"[^"]*")*)`)
	linkAttribute = regexp.MustCompile(`([^\s;=]+)\s*=\s*(?:"([^"]*)"|([^;]*))`)
)

// readLinks reads Link headers: <address>; rel="next"; results="true".
func readLinks(h http.Header) map[string]link {
	out := map[string]link{}
	for _, line := range h.Values("Link") {
		for _, found := range linkEntry.FindAllStringSubmatch(line, -1) {
			entry := link{address: found[1], attributes: map[string]string{}}
			for _, a := range linkAttribute.FindAllStringSubmatch(found[2], -1) {
				entry.attributes[strings.ToLower(a[1])] = a[2] + strings.TrimSpace(a[3])
			}
			for rel := range strings.FieldsSeq(entry.attributes["rel"]) {
				if _, twice := out[rel]; !twice {
					out[rel] = entry
				}
			}
		}
	}
	return out
}
