package ui

import (
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/payload"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
)

// meant runs a search by meaning.
func meant(p *player) {
	p.call("team_wiki", "recordings", "semantic_search", `{"semantic":{"prompt":"report budget plan","dedup":"none"},"limit":5}`)
}

func TestTheSearchByKeywordsStandsBesideThatByMeaning(t *testing.T) {
	p := play(t, Deps{Session: sandboxSession(sandbox.Options{})}, 160, 40)
	meant(p)
	p.wants("metadata.score", "metadata.context", "K by keywords")
	p.keys("K")
	p.wants("recordings / context_store_search", "where transcript has a word of report budget plan")
	p.keys("K")
	p.wants("recordings / semantic_search", "semantic.prompt report budget plan, semantic.dedup none, limit 5")
	p.call("payments", "customers", "list", `{"limit":1}`)
	p.keys("K")
	p.wants("only entities with semantic_search")
	p.call("team_wiki", "recordings", "context_store_search", `{"query":{"filter":{"eq":{"State":"Ready"}}}}`)
	p.keys("K")
	p.wants("no condition holds words")
}

// Every text says the same action: the specification's, or where a service speaks wire
// names the one that it has.
func TestEveryCopiedTextSaysTheSameAction(t *testing.T) {
	for names, want := range map[client.Names][2]string{client.Neutral: {"semantic_search", "context_store_search"}, client.Wire: {"context_store_search", "semantic_search"}} {
		c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New("t"), Names: names, Catalog: testCatalog})
		target := client.Target{Kind: "team_wiki", Workspace: "demo", Name: "team_wiki", ConnectorID: "11111111-1111-4111-8111-111111111111"}
		op := client.Operation{Entity: "recordings", Action: "semantic_search", Params: []byte(`{"semantic":{"prompt":"late"}}`)}
		req, err := c.Preview(target, op)
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(req.Notes, " "); (names == client.Wire) != strings.Contains(said, "it is sent as context_store_search") {
			t.Errorf("%s: notes %q", names, said)
		}
		for _, f := range payload.Formats() {
			got, err := f.Render(payload.Input{Operation: op, Target: target, ConnectorType: "confluence", Request: req})
			if err != nil || !strings.Contains(got, want[0]) || strings.Contains(got, want[1]) {
				t.Errorf("%s as %s: %v\n%s", names, f.Name, err, got)
			}
			read, err := payload.Parse(got)
			k, _ := testCatalog.Kind("team_wiki")
			if back, _ := payload.Exact(read.Operation, k); err != nil || back.Action != "semantic_search" {
				t.Errorf("%s as %s is read back as %s: %v", names, f.Name, back.Action, err)
			}
		}
	}
}
