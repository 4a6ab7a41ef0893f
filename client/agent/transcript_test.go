package agent

import (
	"strings"
	"testing"
)

func TestTranscripts(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"MCP": {`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"payments__execute","arguments":` +
			`{"entity":"charges","action":"list","params":{"limit":2},"select_fields":["id"]}}}
			{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"[1,2]"}]}}`,
			`payments__execute payments charges list {"limit":2} id = [1,2]`},
		"tool use": {`[{"role":"assistant","content":[{"type":"text","text":"hm"},{"type":"tool_use","id":"t1",` +
			`"name":"execute","input":{"connector":"crm","entity":"a","action":"get"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"{}"}]}]`,
			`execute crm a get = {}`},
		"chat": {`{"messages":[{"tool_calls":[{"id":"c1","type":"function","function":{"name":"execute",` +
			`"arguments":"{\"entity\":\"a\",\"action\":\"list\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
			`execute a list = x`},
		"responses": {`{"type":"function_call","call_id":"f","name":"read_skill_docs","arguments":"{\"section\":\"s\"}"}
			{"type":"function_call_output","call_id":"f","output":"text"}`, `read_skill_docs = text`},
		"bare":     {`{"entity":"a","action":"list"}` + "\n" + `{"entity":"b","action":"get","params":{"id":1}}`, `execute a list; execute b get {"id":1}`},
		"nothing":  {`{"hello":["world"]}`, ""},
		"odd":      {`{"type":"tool_use","name":7,"input":"{"}` + "\n" + `{"function":{"name":"execute","arguments":"nope"}}`, "7; execute"},
		"lone end": {`{"id":"x","result":{"content":[]}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			steps, err := Transcript(t.Context(), []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, s := range steps {
				line := []string{s.Tool, s.Connector, s.Op.Entity, s.Op.Action, string(s.Op.Params),
					strings.Join(s.Op.SelectFields, ",")}
				if s.Result != nil {
					line = append(line, "= "+string(s.Result))
				}
				told = append(told, strings.Join(strings.Fields(strings.Join(line, " ")), " "))
			}
			if got := strings.Join(told, "; "); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func FuzzTranscript(f *testing.F) {
	f.Add([]byte(`{"method":"tools/call","params":{"name":"execute","arguments":{"entity":"a","action":"b"}}}`))
	f.Add([]byte(`[[[[{"type":"tool_use","input":"{\"entity\":1}"}]]]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		steps, err := Transcript(t.Context(), text)
		if err == nil && len(steps) > len(text) {
			t.Errorf("%d steps of %d bytes", len(steps), len(text))
		}
	})
}
