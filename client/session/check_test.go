package session

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/sandbox"
)

// wrongCalls are calls that the service would refuse.
var wrongCalls = []client.Operation{
	{Entity: "customers", Action: "list", Params: json.RawMessage(`{"limit":101}`)},
	{Entity: "customers", Action: "get"},
	{Entity: "nothing", Action: "list"},
	{Entity: "customers", Action: "archive"},
	{Entity: "customers", Action: "context_store_search", Params: json.RawMessage(`{"query":{},"fields":"id"}`)},
	{Entity: "customers", Action: "context_store_search",
		Params: json.RawMessage(`{"query":{"filter":{"and":{"eq":{"email":"a"}}}}}`)},
}

// What the checks call wrong reaches no service, unless somebody forces it.
func TestNothingWrongIsSent(t *testing.T) {
	var executed atomic.Int64
	service := sandbox.New(sandbox.Options{Catalog: catalog.New()})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/execute") {
			executed.Add(1)
		}
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	o := newOpener(t, map[string]string{"PLATFORM_BASE_URL": server.URL, "PLATFORM_TOKEN": sandbox.Token})
	s := must(o.Service(t.Context()))
	c := must(s.Connector(t.Context(), Ref{Workspace: "demo", Name: "payments"}))
	target := c.Target(s.Name)
	for _, op := range wrongCalls {
		_, err := s.Execute(t.Context(), target, op)
		_, download := s.Download(t.Context(), target, op, io.Discard)
		if client.ExitCode(err) != 4 || client.ExitCode(download) != 4 || executed.Load() != 0 {
			t.Errorf("%s %s: %v, %v, %d requests", op.Action, op.Entity, err, download, executed.Load())
		}
		op.Unchecked = true
		if _, err = s.Execute(t.Context(), target, op); err == nil || executed.Swap(0) != 1 {
			t.Errorf("%s %s, forced: %v", op.Action, op.Entity, err)
		}
	}
}
