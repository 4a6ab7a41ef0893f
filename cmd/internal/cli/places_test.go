package cli

import (
	"encoding/json"
	"io"
	"slices"
	"testing"

	"patchbay/client/profile"
	"patchbay/client/records"
	"patchbay/client/secret"
)

func TestStateIsKeptWithoutSecrets(t *testing.T) {
	a := newApp(nil, nil, io.Discard, io.Discard)
	a.Redactor.Add(secret.New("the/secret of+it"))
	state := profile.State{Places: map[string]profile.Place{}, Theme: "t"}
	for name, params := range map[string]string{"plain": `{"limit": 5, "query": "name:'x'"}`,
		"known": `{"query":"the\/secret%20of%2bit"}`, "named": `{"api_key":"sk_live_123456"}`} {
		state.Places[name] = profile.Place{Entity: "e", Params: json.RawMessage(params)}
	}
	plain := []string{`.data[] | select(.id == "x")`, "profile work", "{token: .token}", `. as {token: $t} | $t`, "open tokens=3"}
	state.Commands = append([]string{"filter the/secret of+it", "set password=abc", "filter the%2Fsecret+of%2Bit"}, plain...)
	state.Queries = append([]string{`select(.token == "abc")`, `. == "dGhlL3NlY3JldCBvZitpdA"`, `{"token":"x"}`}, plain...)
	state.Computed = map[string][]records.Computed{"k.e": {{Name: "c", Program: `. == "the/secret of+it"`}, {Name: "d", Program: ".a"}}}
	var kept profile.State
	deps := a.withoutSecrets(state)
	if b, err := json.Marshal(deps); err != nil || json.Unmarshal(b, &kept) != nil {
		t.Fatal(err)
	}
	if kept.Places["plain"].Params == nil || kept.Places["known"].Params != nil || kept.Places["named"].Params != nil ||
		kept.Places["known"].Entity != "e" {
		t.Errorf("kept %+v", kept.Places)
	}
	if !slices.Equal(kept.Commands, plain) || !slices.Equal(kept.Queries, plain) || len(kept.Computed["k.e"]) != 1 {
		t.Errorf("kept %q, %q and %v", kept.Commands, kept.Queries, kept.Computed)
	}
	if len(state.Commands) == len(kept.Commands) || state.Places["named"].Params == nil || len(state.Computed["k.e"]) != 2 {
		t.Error("what the screen holds was changed")
	}
}
