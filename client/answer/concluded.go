package answer

import (
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// Names under which answers tell how their pages go on, and params that take it.
var (
	cursorMeta = []string{"next_cursor", "nextCursor", "next_page_token", "nextPageToken", "next_token", "nextToken",
		"next_page_cursor", "end_cursor", "endCursor", "cursor", "bookmark", "after", "starting_after"}
	cursorParams = []string{"cursor", "page_token", "pageToken", "next_token", "nextToken", "after", "starting_after",
		"bookmark", "page[cursor]", "start_cursor", "next_cursor", "nextCursor", "token"}
	addressMeta = []string{"next", "next_url", "next_link", "nextLink", "next_page_url", "links.next", "paging.next"}
	pageMeta    = []string{"next_page", "nextPage"}
	pageParams  = []string{"page", "page_number", "pageNumber", "p"}
	offsetMeta  = []string{"next_offset", "nextOffset"}
	skipParams  = []string{"offset", "skip", "start", "startAt"}
	moreMeta    = []string{"has_more", "hasMore", "has_next_page", "hasNextPage", "!is_last", "!isLast", "!done"}
	sizeParams  = []string{"limit", "per_page", "page_size", "pageSize", "maxResults", "first", "count", "size"}
	totalMeta   = []string{"total", "total_count", "totalCount", "total_results"}
)

// Concluded is how an action that nobody documented pages, by an answer of it; nil where
// that is documented, or nothing tells of pages.
func Concluded(q Question, env *client.Envelope) *catalog.Page {
	if q.Action == nil || q.Action.Page != nil || !open(q.Action) || q.Action.Writes() {
		return nil
	}
	return concluded(q.Action, q.Op, env)
}

// open reports whether nobody documented how an action pages: it is not one of ours.
func open(a *catalog.Action) bool { return a.Source == catalog.Live || a.Source == catalog.User }

// concluded is how an action pages that nobody documented, by what its answer carries
// and the params that it is known to take; nil where nothing tells of pages.
func concluded(a *catalog.Action, op client.Operation, env *client.Envelope) *catalog.Page {
	meta := Meta(env)
	if meta.Kind() != rawjson.Object {
		return nil
	}
	has := func(names []string) string {
		i := slices.IndexFunc(names, func(n string) bool {
			_, ok := lookup(meta, strings.TrimPrefix(n, "!"))
			return ok
		})
		if i < 0 {
			return ""
		}
		return names[i]
	}
	takes := func(names ...string) string {
		sent := rawjson.Parse(op.Params)
		for _, n := range names {
			if _, given := sent.Get(n); given || a.Param(n) != nil {
				return n
			}
		}
		if a.ParamsUnknown && len(names) > 0 {
			return names[0] // nobody knows the params: the likely one
		}
		return ""
	}
	p := &catalog.Page{More: has(moreMeta), Size: takes(sizeParams...), Total: has(totalMeta),
		Source: catalog.Seen}
	switch m := ""; {
	case set(&m, has(pageMeta)) && takes(pageParams...) != "":
		p.Style, p.Meta, p.Send, p.First = "page", m, takes(pageParams...), 1
		if v, _ := lookup(meta, m); v.Kind() != rawjson.Number {
			p.Style = "cursor" // null at the end: no counting goes on behind it
		}
	case set(&m, has(offsetMeta)) && takes(skipParams...) != "":
		p.Style, p.Meta, p.Send = "cursor", m, takes(skipParams...)
	case set(&m, has(cursorMeta)):
		p.Style, p.Meta, p.Send = "cursor", m, takes(append([]string{withoutNext(m)}, cursorParams...)...)
	case set(&m, has(addressMeta)):
		p.Style, p.Meta = "cursor", m
		p.Send, p.NextIs = sentIn(meta, m, takes), "url"
	case p.More != "" && a.Param("page") != nil:
		p.Style, p.Send, p.First = "page", "page", 1
	case p.More != "" && a.Param("offset") != nil:
		p.Style, p.Send = "offset", "offset"
	default:
		return nil
	}
	return p
}

func set(m *string, name string) bool { *m = name; return name != "" }

// withoutNext is the param that a meta field is likely meant for: cursor of next_cursor,
// pageToken of nextPageToken.
func withoutNext(name string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(name, "next"), "_")
	if rest == name || rest == "" {
		return name
	}
	return strings.ToLower(rest[:1]) + rest[1:]
}

// sentIn is the param that carries the next page in an address: the first known one of
// its query.
func sentIn(meta rawjson.Node, name string, takes func(...string) string) string {
	v, _ := lookup(meta, name)
	_, query, _ := strings.Cut(v.Text(), "?")
	for _, n := range slices.Concat(cursorParams, pageParams, skipParams) {
		for pair := range strings.SplitSeq(query, "&") {
			if key, _, _ := strings.Cut(pair, "="); key == n && takes(n) != "" {
				return n
			}
		}
	}
	return takes(cursorParams...)
}
