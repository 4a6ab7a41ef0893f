package payload

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/rawjson/jsongen"
)

// Whatever a call holds, each text of it reads back as the same call.
func TestAnyCallRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		for _, f := range Formats() {
			text, err := f.Render(in)
			if err != nil {
				t.Fatalf("%s of %s: %v", f.Name, in.Operation.Params, err)
			}
			got, err := Parse(text)
			if err != nil {
				t.Fatalf("%s of %s: %v\n%s", f.Name, in.Operation.Params, err, text)
			}
			if wrong := changed(in, got); wrong != "" || got.Format != f.Name {
				t.Fatalf("%s was read as %s and %s\n%s", f.Name, got.Format, wrong, text)
			}
		}
	})
}

// drawInput draws a call whose params have names and values of any kind.
func drawInput(t *rapid.T) Input {
	params := &rawjson.Map{}
	for range rapid.IntRange(0, 4).Draw(t, "params") {
		params.Set(jsongen.Name().Draw(t, "name"), unique(json.RawMessage(jsongen.Value(3).Draw(t, "value"))))
	}
	text := func(name string) string {
		return rapid.OneOf(rapid.StringMatching(`[a-z][a-z_]{0,9}`), jsongen.Text()).Draw(t, name)
	}
	in := Input{
		Operation: client.Operation{Entity: rapid.StringMatching(`[a-z][a-z_]{0,9}`).Draw(t, "entity"),
			Action: rapid.StringMatching(`[a-z][a-z_]{0,9}`).Draw(t, "action"), Params: params.JSON()},
		Target: client.Target{Kind: "payments", Workspace: "w" + text("workspace"), Name: "n" + text("connector"),
			ConnectorID: "0b8f1f7e-7a0e-4d52-8d3f-1c8c2f1d9f11"},
		ConnectorType: "stripe",
	}
	if params.Len() == 0 {
		in.Operation.Params = nil
	}
	body := &rawjson.Map{}
	if err := addOperation(body, in.Operation); err != nil {
		t.Fatal(err)
	}
	in.Request = hostedRequest(in.Target.ConnectorID, body.JSON())
	return in
}

// unique gives a value in which no name stands twice: programs cannot say such a one.
func unique(value json.RawMessage) any {
	v, err := rawjson.Decode(value)
	if err != nil {
		panic(err) // what is drawn is JSON
	}
	return once(v)
}

func once(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = once(v[i])
		}
	case *rawjson.Map:
		out := &rawjson.Map{}
		for i, key := range v.Keys {
			out.Set(key, once(v.Vals[i]))
		}
		return out
	}
	return v
}

// changed says what a text lost of the call it was made of.
func changed(in Input, got Parsed) string {
	want := in.Operation
	if got.Operation.Entity != want.Entity || got.Operation.Action != want.Action {
		return "calls " + got.Operation.Entity + "." + got.Operation.Action
	}
	if is, was := paramsOf(got.Operation), paramsOf(want); is != was {
		return "sends " + is + " for " + was
	}
	switch got.Format {
	case "curl", "go":
		if got.ConnectorID != in.Target.ConnectorID {
			return "goes to " + got.ConnectorID
		}
	default:
		name := in.Target.Name
		if got.Format == "python" {
			name = in.ConnectorType
		}
		if got.Name != name || got.Workspace != in.Target.Workspace {
			return "goes to " + got.Name + " in " + got.Workspace
		}
	}
	return ""
}

// paramsOf writes params in one way: no param is an empty object.
func paramsOf(op client.Operation) string {
	if len(op.Params) == 0 {
		return "{}"
	}
	v, err := rawjson.Decode(op.Params)
	if err != nil {
		return err.Error()
	}
	return string(rawjson.Encode(v))
}
