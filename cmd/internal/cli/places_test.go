package cli

import (
	"encoding/json"
	"testing"

	"patchbay/client/profile"
	"patchbay/client/secret"
)

func TestPlacesAreKeptWithoutSecrets(t *testing.T) {
	a := &app{redactor: &secret.Redactor{}}
	a.redactor.Add(secret.New("the-secret-of-it"))
	places := map[string]profile.Place{}
	for name, params := range map[string]string{"plain": `{"limit": 5, "query": "name:'x'"}`, "known": `{"query":"the-secret-of-it"}`, "named": `{"api_key":"sk_live_123456"}`} {
		places[name] = profile.Place{Entity: "e", Params: json.RawMessage(params)}
	}
	a.withoutSecrets(places)
	if places["plain"].Params == nil || places["known"].Params != nil || places["named"].Params != nil || places["known"].Entity != "e" {
		t.Errorf("kept %+v", places)
	}
}
