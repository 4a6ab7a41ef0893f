package search

import (
	"encoding/json"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// besides are params that a search by meaning and one by keywords have in common.
var besides = []string{"limit", "fields"}

// TextPaths are the paths of the texts within a field of a record, as far as the
// record tells: strings with a space in them, which ids have not. They begin with the
// field's name.
func TextPaths(record rawjson.Node, field string) []string {
	var out []string
	var walk func(n rawjson.Node, path string)
	walk = func(n rawjson.Node, path string) {
		switch n.Kind() {
		case rawjson.String:
			if strings.Contains(n.Text(), " ") && !slices.Contains(out, path) {
				out = append(out, path)
			}
		case rawjson.Array:
			for e := range n.Elems() {
				walk(e, path)
			}
		case rawjson.Object:
			for m := range n.Members() {
				walk(m.Value, path+"."+m.Key())
			}
		}
	}
	if v, ok := record.Get(field); ok {
		walk(v, field)
	}
	return out
}

// ByKeywords is the search by keywords that asks for what the params of a search by
// meaning do: any word of the prompt in the indexed field, or in those places of it
// that hold texts. It is nil without a prompt.
func ByKeywords(index *catalog.Semantic, params json.RawMessage, places []string) json.RawMessage {
	root := rawjson.ParseMap(params)
	ask := rawjson.ParseMap(rawOf(root, "semantic"))
	prompt, ok := ask.Get("prompt")
	if !ok || strings.TrimSpace(rawjson.Parse(rawjson.Encode(prompt)).Text()) == "" {
		return nil
	}
	field := rawjson.Parse(rawOf(ask, "field")).Text()
	if field == "" && index != nil {
		field = index.Field
	}
	if len(places) == 0 {
		places = []string{field}
	}
	var conditions []*Node
	for _, place := range places {
		conditions = append(conditions,
			&Node{Op: Condition, Field: place, Operator: Keyword, Value: rawjson.Encode(prompt)})
	}
	filter := conditions[0]
	if len(conditions) > 1 {
		filter = Group(Any, conditions...)
	}
	if own, err := DecodeFilter(rawOf(ask, "filter")); err == nil && own != nil {
		filter = Group(All, own, filter)
	}
	out := rawjson.NewMap("query", rawjson.NewMap("filter", EncodeFilter(filter)))
	return with(out, root)
}

// ByMeaning is the search by meaning that asks for what the params of a search by
// keywords do: its words are the prompt, its other conditions the filter. It is nil
// where no condition holds words.
func ByMeaning(params json.RawMessage) json.RawMessage {
	root := rawjson.ParseMap(params)
	filter, err := DecodeFilter(rawOf(rawjson.ParseMap(rawOf(root, "query")), "filter"))
	if err != nil || filter == nil {
		return nil
	}
	prompt := wordsOf(filter)
	if prompt == "" {
		return nil
	}
	ask := rawjson.NewMap("prompt", prompt)
	if filter.Op == All {
		rest := slices.DeleteFunc(slices.Clone(filter.Children), func(n *Node) bool { return wordsOf(n) != "" })
		switch len(rest) {
		case 0:
		case 1:
			ask.Add("filter", EncodeFilter(rest[0]))
		default:
			ask.Add("filter", EncodeFilter(Group(All, rest...)))
		}
	}
	return with(rawjson.NewMap("semantic", ask), root)
}

// wordsOf are the words that the first condition on a text asks for.
func wordsOf(filter *Node) (words string) {
	filter.Walk(func(_ []int, n *Node) bool {
		switch n.Operator {
		case Keyword, Fuzzy, Like:
			if words == "" && !n.Disabled {
				words = strings.TrimSpace(strings.ReplaceAll(rawjson.Parse(n.Value).Text(), "%", " "))
			}
		}
		return words == ""
	})
	return words
}

// with adds the params that both kinds of searches have.
func with(out, from *rawjson.Map) json.RawMessage {
	for _, name := range besides {
		if v, ok := from.Get(name); ok {
			out.Add(name, v)
		}
	}
	return out.JSON()
}

func rawOf(m *rawjson.Map, name string) json.RawMessage {
	if v, ok := m.Get(name); ok {
		return rawjson.Encode(v)
	}
	return nil
}
