package hosted_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/download"
	"patchbay/client/hosted"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// TestADownloadGoesOnWhereItBroke fetches a file from a service that breaks each whole
// answer, under both kinds of names.
func TestADownloadGoesOnWhereItBroke(t *testing.T) {
	cat := catalog.New()
	for _, names := range []client.Names{client.Neutral, client.Wire} {
		fault := []sandbox.Fault{{Name: sandbox.FaultCut}}
		var whole bytes.Buffer
		for i, faults := range [][]sandbox.Fault{nil, fault} {
			s := sandbox.New(sandbox.Options{Catalog: cat, Records: 5, Faults: faults})
			c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
				Catalog: cat, Names: names, Transport: transport.New(transport.Options{Base: s.RoundTripper()})})
			target := targetOf(t, c, "recruiting")
			op := client.Operation{Entity: "candidate_attachment", Action: "download",
				Params: rawjson.NewMap("id", candidate(t, cat), "attachment_index", 0).JSON()}
			if i == 0 {
				if _, err := c.Download(context.Background(), target, op, &whole); err != nil {
					t.Fatal(err)
				}
				continue
			}
			f := download.Spooled()
			if _, err := f.Fetch(context.Background(), c, target, op); err == nil || f.Store.Size() == 0 {
				t.Fatalf("%s: the answer did not break: %v", names, err)
			}
			env, err := f.Fetch(context.Background(), c, target, op)
			if err != nil || env.Status != 206 || len(f.Notes) > 0 {
				t.Fatalf("%s: %v %v", names, err, f.Notes)
			}
			r := f.Result(context.Background(), "file")
			if got, _ := io.ReadAll(r.Spool.Reader()); !bytes.Equal(got, whole.Bytes()) {
				t.Errorf("%s: %d bytes, want %d", names, len(got), whole.Len())
			}
		}
	}
}

func targetOf(t *testing.T, c *hosted.Client, kind string) client.Target {
	t.Helper()
	all, err := c.Connectors(context.Background(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if one.Kind == kind {
			return one.Target("")
		}
	}
	t.Fatalf("no connector of %s", kind)
	return client.Target{}
}

// candidate is the id of a candidate, which is the same in each sandbox.
func candidate(t *testing.T, cat *catalog.Catalog) int {
	t.Helper()
	s := sandbox.New(sandbox.Options{Catalog: cat, Records: 5})
	c := hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Catalog: cat, Transport: transport.New(transport.Options{Base: s.RoundTripper()})})
	env, err := c.Execute(context.Background(), targetOf(t, c, "recruiting"), client.Operation{Entity: "candidates", Action: "list"})
	if err != nil {
		t.Fatal(err)
	}
	id, _ := rawjson.Root(env.Body).Lookup(path(t, "result[0].id"))
	n := 0
	for _, d := range id.Text() {
		n = n*10 + int(d-'0')
	}
	return n
}

func path(t *testing.T, p string) rawjson.Path {
	t.Helper()
	out, err := rawjson.ParsePath(p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
