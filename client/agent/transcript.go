package agent

import (
	"context"
	"encoding/json"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// Step is one call of a tool in a transcript.
type Step struct {
	// Tool is its name as the transcript has it, Connector the connector that it names, by
	// an argument or before the name of the tool; empty where it names none.
	Tool      string `json:"tool"`
	Connector string `json:"connector,omitempty"`
	// Op is the operation of a call of execute.
	Op client.Operation `json:"operation"`
	// Result is what the model was given; nil where the transcript does not tell.
	Result []byte `json:"-"`

	id string
}

// Executes reports whether the step runs an operation.
func (s *Step) Executes() bool { return s.Op.Entity != "" || s.Op.Action != "" }

// deepestCall is how deep in a value calls are looked for.
const deepestCall = 64

// Transcript finds the calls of tools in JSON, or JSON lines: messages of MCP, the calls of
// the common model APIs, and bare operations. Results are matched by the ids of calls.
func Transcript(ctx context.Context, text []byte) ([]Step, error) {
	index := rawjson.NewLines(rawjson.Bytes(text))
	if err := index.Run(ctx); err != nil {
		return nil, err
	}
	t := transcript{at: map[string]int{}}
	for i := range index.Len() {
		t.look(index.Record(i), 0)
	}
	return t.steps, ctx.Err()
}

type transcript struct {
	steps []Step
	at    map[string]int // steps by the ids of their calls
}

// look finds calls and results in a value.
func (t *transcript) look(n rawjson.Node, depth int) {
	if depth > deepestCall {
		return
	}
	switch n.Kind() {
	case rawjson.Array:
		for e := range n.Elems() {
			t.look(e, depth+1)
		}
	case rawjson.Object:
		if t.call(n) || t.result(n) {
			return
		}
		for m := range n.Members() {
			t.look(m.Value, depth+1)
		}
	}
}

// call takes an object that is a call, in one of the forms that are known.
func (t *transcript) call(n rawjson.Node) bool {
	name, id, arguments := "", textIn(n, "id"), rawjson.Node{}
	function, hasFunction := n.Get("function")
	switch kind := textIn(n, "type"); {
	case textIn(n, "method") == "tools/call": // MCP
		params, _ := n.Get("params")
		name = textIn(params, "name")
		arguments, _ = params.Get("arguments")
	case kind == "tool_use":
		name = textIn(n, "name")
		arguments, _ = n.Get("input")
	case kind == "function_call":
		name, id = textIn(n, "name"), textIn(n, "call_id")
		arguments, _ = n.Get("arguments")
	case hasFunction && textIn(function, "name") != "":
		name = textIn(function, "name")
		arguments, _ = function.Get("arguments")
	case textIn(n, "entity") != "" && textIn(n, "action") != "":
		name, arguments = ExecuteTool, n
	default:
		return false
	}
	if arguments.Kind() == rawjson.String { // JSON in a text
		arguments = rawjson.Parse([]byte(arguments.Text()))
	}
	t.add(name, id, arguments)
	return true
}

func (t *transcript) add(name, id string, arguments rawjson.Node) {
	step := Step{Tool: name, id: id, Connector: textIn(arguments, "connector")}
	if prefix, _, named := strings.Cut(name, "__"); named && step.Connector == "" {
		step.Connector = prefix
	}
	step.Op.Entity, step.Op.Action = textIn(arguments, "entity"), textIn(arguments, "action")
	if params, given := arguments.Get("params"); given && params.Kind() == rawjson.Object {
		step.Op.Params = json.RawMessage(params.Raw())
	}
	step.Op.SelectFields, step.Op.ExcludeFields = textsIn(arguments, "select_fields"), textsIn(arguments,
		"exclude_fields")
	if skip, given := arguments.Get("skip_truncation"); given {
		step.Op.Truncate = skip.Text() == "false"
	}
	if id != "" {
		t.at[id] = len(t.steps)
	}
	t.steps = append(t.steps, step)
}

// result takes an object that is what a call gave.
func (t *transcript) result(n rawjson.Node) bool {
	for _, form := range [][2]string{{"tool_use_id", "content"}, {"tool_call_id", "content"}, {"call_id", "output"},
		{"id", "result"}} {
		id := textIn(n, form[0])
		given, has := n.Get(form[1])
		i, known := t.at[id]
		if id == "" || !has || !known {
			continue
		}
		t.steps[i].Result = contentOf(given)
		return true
	}
	return false
}

// contentOf is the text that a model reads of a result.
func contentOf(n rawjson.Node) []byte {
	if n.Kind() == rawjson.String {
		return []byte(n.Text())
	}
	if inner, has := n.Get("content"); n.Kind() == rawjson.Object && has {
		n = inner
	}
	if n.Kind() != rawjson.Array {
		return n.Raw()
	}
	var parts []string
	for e := range n.Elems() {
		if text := textIn(e, "text"); text != "" {
			parts = append(parts, text)
		}
	}
	if parts == nil {
		return n.Raw()
	}
	return []byte(strings.Join(parts, "\n"))
}

// textIn is a member of an object that is a text or a number; empty otherwise.
func textIn(n rawjson.Node, name string) string {
	if n.Kind() != rawjson.Object {
		return ""
	}
	v, _ := n.Get(name)
	if v.Kind() != rawjson.String && v.Kind() != rawjson.Number {
		return ""
	}
	return v.Text()
}

func textsIn(n rawjson.Node, name string) []string {
	list, _ := n.Get(name)
	if n.Kind() != rawjson.Object || list.Kind() != rawjson.Array {
		return nil
	}
	var out []string
	for e := range list.Elems() {
		out = append(out, e.Text())
	}
	return out
}
