package local

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// resolve answers a selection from an object that names its type, as a server does:
// under the alias of a field, and with fragments of the object's type only.
func resolve(set ast.SelectionSet, from any) any {
	switch from := from.(type) {
	case []any:
		out := make([]any, len(from))
		for i, v := range from {
			out[i] = resolve(set, v)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				out[s.Alias] = resolve(s.SelectionSet, from[s.Name])
			case *ast.InlineFragment:
				if s.TypeCondition == from["__typename"] {
					for k, v := range resolve(s.SelectionSet, from).(map[string]any) {
						out[k] = v
					}
				}
			}
		}
		return out
	}
	return from
}

// graphQLServer answers from data what a valid document asks for.
func graphQLServer(t *testing.T, kind, data string) *server {
	schema := schemaOf(t, kind)
	var all any
	if err := json.Unmarshal([]byte(data), &all); err != nil {
		t.Fatal(err)
	}
	return &server{answer: func(_ *http.Request, body string) (int, map[string]string, string) {
		var call graphQLCall
		if err := json.Unmarshal([]byte(body), &call); err != nil {
			t.Error(err)
		}
		doc, err := call.check(schema)
		if err != nil {
			t.Error(err)
			return 400, nil, `{"errors":[{"message":"refused"}]}`
		}
		answer, err := json.MarshalIndent(map[string]any{"data": resolve(doc.Operations[0].SelectionSet, all)}, "", " ")
		if err != nil {
			t.Error(err)
		}
		return 200, nil, string(answer)
	}}
}

// TestRecordsHaveTheirNames reads records of several types, whose fields a document
// has to ask for under different names.
func TestRecordsHaveTheirNames(t *testing.T) {
	cases := []struct{ entity, action, params, data, want string }{
		{"tags", "list", `{}`, `{"repository":{"refs":{"nodes":[
			{"name":"v1","prefix":"p","target":{"__typename":"Commit","oid":"1","commitUrl":"u","message":"a message__Tag: \"message__Tag\": x"}},
			{"name":"v2","prefix":"p","target":{"__typename":"Tag","oid":"2","message":"signed","tagger":{"name":"Ann"}}}]}}}`,
			`[{"name":"v1","prefix":"p","target":{"commitUrl":"u","message":"a message__Tag: \"message__Tag\": x","oid":"1"}},
			{"name":"v2","prefix":"p","target":{"message":"signed","oid":"2","tagger":{"date":null,"email":null,"name":"Ann"}}}]`},
		{"tags", "get", `{"tag":"v2","fields":["target.message"]}`, `{"repository":{"ref":
			{"name":"v2","target":{"__typename":"Tag","message":"signed"}}}}`, `[{"target":{"message":"signed"}}]`},
		{"project_items", "list", `{"project_number":3,"fields":["content.state","content.title","fieldValues.nodes.field.name"]}`,
			`{"organization":{"projectV2":{"items":{"nodes":[
			{"content":{"__typename":"Issue","state":"OPEN","title":"one"},"fieldValues":{"nodes":[]}},
			{"content":{"__typename":"PullRequest","state":"MERGED","title":"two"},"fieldValues":{"nodes":[
				{"__typename":"ProjectV2ItemFieldDateValue","field":{"__typename":"ProjectV2Field","name":"Due"}}]}},
			{"content":{"__typename":"DraftIssue","title":"three"},"fieldValues":null}]}}}}`,
			`[{"content":{"state":"OPEN","title":"one"},"fieldValues":{"nodes":[]}},
			{"content":{"state":"MERGED","title":"two"},"fieldValues":{"nodes":[{"field":{"name":"Due"}}]}},
			{"content":{"title":"three"},"fieldValues":null}]`},
	}
	up := readUpstream(t, "code_hosting")
	for _, c := range cases {
		s := graphQLServer(t, up.Kind, c.data)
		env, err := up.client(catalog.New(), s).Execute(t.Context(), client.Target{Kind: up.Kind, Local: true, Name: "mine"},
			client.Operation{Entity: c.entity, Action: c.action, Params: []byte(c.params)})
		if err != nil {
			t.Fatal(err)
		}
		got := []byte{'['}
		for i, index := 0, records.IndexEnvelope(env); i < index.Len(); i++ {
			if i > 0 {
				got = append(got, ',')
			}
			got = append(got, index.Record(i).Raw()...)
		}
		if got = append(got, ']'); !sameJSON(got, json.RawMessage(c.want)) {
			t.Errorf("%s.%s reads %s", c.entity, c.action, got)
		}
	}
}

func TestNamedKeepsAllElse(t *testing.T) {
	aliases := map[string]string{"a__T": "a", "b__T": "b"}
	for in, want := range map[string]string{
		`{"a__T" : 1,"c":["a__T","b__T"]}`:   `{"a" : 1,"c":["a__T","b__T"]}`,
		`{"c":"x\"a__T\":1","b__T":{"a":2}}`: `{"c":"x\"a__T\":1","b":{"a":2}}`,
		`{"xa__T":1,"\\":"a__T"}`:            `{"xa__T":1,"\\":"a__T"}`,
		`{"a__T":"cut`:                       `{"a":"cut`,
		`{"a__T`:                             `{"a__T`,
		`"a__T\`:                             `"a__T\`,
		``:                                   ``,
	} {
		out := named(rawjson.Bytes(in), aliases)
		if got := string(out.Slice(0, out.Len())); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}
