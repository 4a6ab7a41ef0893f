package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/history"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

// evil is a name that no sound service gives.
const evil = "ev\x1b[31mil\x1b]0;x\a\u202e 長い 👩‍👩‍👧‍👦 \x00e\u0301"

// hostileBody has what no sound service sends: control bytes, broken numbers,
// keys twice, deep nesting, long lines, other types in every record.
var hostileBody = `{"data":[` +
	`{"id":"\u001b]8;;http://evil\u0007x","na\u001b[31mme":"a\u202eb\u0000\u009b","b":"tab\tnew\nline"},` +
	`{"id":null,"id":"twice","created":99999999999999999999999999,"balance":-1e400,"email":["a",{"b":[]}]},` +
	`{"id":"` + strings.Repeat("長い👩‍👩‍👧‍👦e\u0301", 300) + `","name":{},"created":"not a time"},` +
	`"no object",null,[],12,` + strings.Repeat("[", 60) + strings.Repeat("]", 60) + `,` +
	`{"":"","id":"` + "\xff\xfe" + `","` + strings.Repeat("k", 500) + `":true}` +
	`],"meta":{"has_more":true,"next_cursor":"\u001b[2J"}}`

// hostileAnswers are taken one after the other.
var hostileAnswers = []struct {
	status int
	kind   string
	body   string
}{
	{200, "application/json", hostileBody},
	{200, "application/json", `{"status":"success","result":` + hostileBody + `,"connector_metadata":{"has_more":true,"next_cursor":"\u001b[2J"}}`},
	{200, "application/json", hostileBody[:700]},
	{200, "text/html", "<html><title>\x1b]0;owned\a</title>" + evil + "</html>"},
	{200, "application/json", ""},
	{200, "application/json", `[` + strings.Repeat(`{"id":"same","next_cursor":"x"},`, 50) + `{}]`},
	{200, "application/json", strings.Repeat(`{"a":[`, 3000)},
	{200, "application/json", `"` + strings.Repeat("x\u202e", 40000) + `"`},
	{429, "application/json", `{"message":"\u001b[31mslow down\u0007"}`},
	{500, "application/json", `{"detail":[{"loc":["\u202e"],"msg":"\u001b]8;;x\u0007"}]}`},
	{403, "text/plain", evil},
	{200, "\x1b[31m", "\xff\xfe\x00\x01"},
	{404, "application/json", `null`},
}

// pastes are what a clipboard may hold.
var pastes = []string{"x", `{"limit":3}`, "\x1b]8;;evil\x07", "a\nb", "日本", `{"entity":"refunds","action":"list","params":{}}`, evil, typedSecretPaste,
	`curl -X POST http://127.0.0.1/execute -d '{"entity":"customers","action":"list","params":{"limit":2}}'`, strings.Repeat("long ", 500),
	strings.Repeat("wide 長い\n", 3000), `{"query":{"filter":{"and":[{"eq":{"name":"` + "\u202e" + `"}},{"or":[]},{"fuzzy":{}}]}}}`, "\x1b[201~\x1b[200~", "", "\xff\xfe"}

// typedSecretPaste is not secret where a plain field shows it; credentials are
// typed into fields that do not.
const typedSecretPaste = "a pasted line"

// typings are typed where something may be typed.
var typings = []string{"12", "true", "null", "cus_", "usd", "2026-01-01", "any-of", "name", "delinq", ".id", "map(.x) | add", "select(", "!a", "~(", "'abc", "id:=x",
	"csv", "x = .id", "[1,{", "日本é", "zz", "out.json", "all refunds"}

// errands are calls whose answers are for actions of their own.
var errands = []struct {
	place, params string
	then          []string
}{
	{"crm content_versions download", `{"id":"0685g00000abcdeAAA"}`, []string{"file.save", "file.resume", "file.open"}},
	{"team_wiki recordings semantic_search", `{"semantic":{"prompt":"report budget plan"},"limit":5}`, []string{"search.beside", "explain"}},
	{"team_wiki recordings context_store_search", `{"query":{"filter":{"eq":{"State":"Ready"}}}}`, []string{"search.beside", "explain"}},
	{"payments customers list", `{"limit":2}`, []string{"page.next", "page.previous", "page.together"}},
	{"payments customers list", `{"limit":20}`, []string{"view.next", "view.next", "response.search", "response.nexthit", "response.previoushit"}},
}

// brokenOff is a download that breaks off; the rest comes where that is asked for.
func brokenOff(r *http.Request, call []byte) *http.Response {
	header := []string{"Content-Disposition", `attachment; filename="a` + "\u202e" + `.csv"`, "ETag", `"a"`, "Accept-Ranges", "bytes"}
	if from := len(table) / 2; !bytes.Contains(call, []byte("bytes=")) {
		resp := reply(r, 200, "text/csv", table, header...)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(table[:from]), breaks{}))
		return resp
	}
	return reply(r, 200, "text/csv", table, header...)
}

// tardy lets answers come late, some much later than the next keys.
func tardy(base http.RoundTripper) http.RoundTripper {
	var mu sync.Mutex
	n := map[string]int{}
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		n[r.URL.Path]++
		late := []time.Duration{0, 0, 20, 450, 0, 3000, 0, 1200}[(n[r.URL.Path]+len(r.URL.Path))%8] * time.Millisecond
		mu.Unlock()
		select {
		case <-time.After(late):
			return base.RoundTrip(r)
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	})
}

// walked is a service for a walk.
func walked(name string, base http.RoundTripper) Session {
	c := hosted.New(hosted.Config{Profile: name, BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: testCatalog, Transport: transport.New(transport.Options{Base: tardy(base)})})
	s := Session{Name: name, BaseURL: sandbox.BaseURL, Sandbox: name == "sandbox", Service: directly{c}, Platform: c,
		Local: []client.Connector{{ID: "mine", Name: "mine " + evil, Type: "payments", Kind: "payments", Local: true}}}
	s.Examine = examining(c)
	return s
}

func soundService(o sandbox.Options) http.RoundTripper {
	o.Catalog, o.Now = testCatalog, time.Now
	return sandbox.New(o).RoundTripper()
}

// hostileService lists connectors under evil names and answers calls with rubbish.
func hostileService() http.RoundTripper {
	sound, mu, n := soundService(sandbox.Options{Records: 20}), sync.Mutex{}, 0
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/execute") {
			resp, err := sound.RoundTrip(r)
			if err != nil {
				return resp, err
			}
			body, err := io.ReadAll(resp.Body)
			body = bytes.ReplaceAll(body, []byte(`"name":"crm"`), []byte(`"name":"c\u001b[31mrm\u202e\u0007 長い"`))
			body = bytes.ReplaceAll(body, []byte(`"name":"staging"`), []byte(`"name":"st\u001b]0;x\u0007aging\u0000"`))
			resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			resp.Header.Del("Content-Length")
			return resp, err
		}
		call, err := io.ReadAll(r.Body)
		if err != nil || bytes.Contains(call, []byte(`"download"`)) {
			return brokenOff(r, call), err
		}
		mu.Lock()
		a := hostileAnswers[n%len(hostileAnswers)]
		n++
		mu.Unlock()
		return reply(r, a.status, a.kind, a.body, "X-Request-Id", "\x1b[31m", "Server-Timing", "\u202e;dur=x", "Retry-After", "1"), nil
	})
}

// world is what the explorer gets in a walk: everything it can make use of.
func world(t *testing.T, s Session) Deps {
	dir := t.TempDir()
	store := history.New(filepath.Join(dir, history.FileName), history.Options{})
	t.Cleanup(func() { store.Close() })
	for name, text := range map[string]string{"mine.yaml": "mode: dark\n", "bro\x1bken.yaml": "{"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Deps{Catalog: testCatalog, Session: s, Version: "walk", Editor: []string{"true"}, History: store, ThemeDir: dir,
		Notices:   []string{"a notice " + evil},
		Saved:     SavedCalls{Load: func() ([]saved.Call, error) { return saved.Load(dir) }, Save: func(c *saved.Call, _ bool) (string, error) { return saved.Save(dir, c, false) }},
		Clipboard: func(string) error { return nil }, OpenFile: func(string) error { return nil },
		Notification: func(text string) string { return text }, Images: true, SaveSettings: func(profile.State) error { return nil },
		Listen:   func() (string, error) { return "http://127.0.0.1:1", nil },
		Profiles: func() []string { return []string{"sandbox", "hostile", "gone", "read-only", evil} },
		Open: func(_ context.Context, name string) (Session, error) {
			switch name {
			case "sandbox":
				return walked(name, soundService(sandbox.Options{Records: 30})), nil
			case "hostile":
				return walked(name, hostileService()), nil
			case "read-only":
				s := walked(name, soundService(sandbox.Options{Records: 30}))
				s.ReadOnly = true
				return s, nil
			}
			return Session{}, errors.New("there is no profile " + name)
		},
		Accounts: walkedAccounts(),
	}
}

func walkedAccounts() Accounts {
	return Accounts{
		Try: func(context.Context, session.Login) ([]client.Organization, error) {
			return []client.Organization{{ID: "o1", Name: evil}, {ID: "o2", Name: "Two"}}, nil
		},
		Keep:    func(context.Context, session.Login) (string, error) { return "the keyring", nil },
		Presets: []profile.Preset{{Name: "public", BaseURL: "https://service.example"}},
		FindImport: func() (*profile.Import, error) {
			return &profile.Import{Path: "/" + evil, ClientID: "theirs", ClientSecret: secret.New(typedSecret), OrganizationID: "o9", Workspace: "w"}, nil
		},
		KeepOrganization: func(string, string) error { return nil },
		KeepConnector:    func(string, client.Connector) error { return nil },
		KeepLocal: func(_ context.Context, _ string, l session.LocalSetup) (client.Connector, error) {
			return client.Connector{ID: l.Name, Name: l.Name, Type: l.Kind, Kind: l.Kind, Local: true}, nil
		},
	}
}

func sandboxWorld(t *testing.T) Deps {
	d := world(t, walked("sandbox", soundService(sandbox.Options{Records: 60})))
	d.Fresh = true
	return d
}

func hostileWorld(t *testing.T) Deps { return world(t, walked("hostile", hostileService())) }

// fileWorld is a file of rubbish.
func fileWorld(t *testing.T) Deps {
	d := world(t, Session{Name: "file"})
	d.Document = answer.OpenDocument(t.Context(), rawjson.Bytes(hostileBody), answer.Reading{Name: evil, Size: int64(len(hostileBody))})
	return d
}
