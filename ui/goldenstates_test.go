package ui

import (
	"context"
	"errors"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/records"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

// at makes a state from keys after an opening.
func at(open func(t *testing.T, w, h int) *player, then ...func(p *player)) func(t *testing.T, w, h int) *player {
	return func(t *testing.T, w, h int) *player {
		p := open(t, w, h)
		for _, f := range then {
			f(p)
		}
		return p
	}
}

// firstStart is the explorer as one who never used it sees it.
func firstStart(t *testing.T, w, h int) *player {
	return play(t, Deps{Fresh: true, Session: sharedSession()}, w, h)
}

// sharedSession is a sandbox that no state changes: its data is made once.
var sharedSession = sync.OnceValue(func() Session { return sandboxSession(sandbox.Options{}) })

// manyViewed is a list with every view there is.
func manyViewed(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: sharedSession(), Views: everyView}, w, h)
	p.call("payments", "customers", "list", `{"limit":5}`)
	return p
}

// answered is the first start without its card: a list and its table.
func answered(t *testing.T, w, h int) *player {
	p := firstStart(t, w, h)
	p.keys("esc")
	return p
}

// quiet is a start of someone who knows it.
func quiet(t *testing.T, w, h int) *player {
	return play(t, Deps{Session: sharedSession()}, w, h)
}

func press(names ...string) func(*player) { return func(p *player) { p.keys(names...) } }

func write(s string) func(*player) { return func(p *player) { p.typed(s) } }

func opened(kind, entity, action string) func(*player) {
	return func(p *player) { p.open(kind, entity, action) }
}

// described opens an action of a connector that tells no more than names.
func described(t *testing.T, w, h int) *player {
	p := strange(t, w, h, nil)
	p.stranger("bare_box")
	p.keys("enter", "j", "enter", "j", "enter", "1")
	return p
}

func called(kind, entity, action, params string) func(*player) {
	return func(p *player) { p.call(kind, entity, action, params) }
}

// replies is a service whose execute calls are answered by f.
func replies(f func(n int, r *http.Request) (*http.Response, error)) Session {
	box := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	n := 0
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if !strings.HasSuffix(r.URL.Path, "/execute") {
			return box.RoundTripper().RoundTrip(r)
		}
		n++
		resp, err := f(n, r)
		if resp == nil && err == nil {
			return box.RoundTripper().RoundTrip(r)
		}
		return resp, err
	})
	return Session{Name: "work", BaseURL: sandbox.BaseURL, Service: hosted.New(hosted.Config{BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token),
		OrganizationID: sandbox.OrganizationID, Catalog: testCatalog, Names: client.Neutral,
		Transport: transport.New(transport.Options{Base: rt, Now: now, Random: func() float64 { return 0 }, Sleep: noSleep})})}
}

func reply(r *http.Request, status int, contentType, body string, header ...string) *http.Response {
	h := http.Header{"Content-Type": {contentType}}
	for i := 0; i+1 < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", Header: h, Body: readCloser{strings.NewReader(body)}, ContentLength: int64(len(body)), Request: r}
}

// answering opens a list of a service that answers every call so.
func answering(status int, contentType, body string, header ...string) func(t *testing.T, w, h int) *player {
	return func(t *testing.T, w, h int) *player {
		p := play(t, Deps{Session: replies(func(_ int, r *http.Request) (*http.Response, error) {
			return reply(r, status, contentType, body, header...), nil
		})}, w, h)
		p.keys("enter")
		p.call("payments", "customers", "list", `{"limit":5}`)
		return p
	}
}

func unreachable(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: replies(func(int, *http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	})}, w, h)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":5}`)
	return p
}

// secondTry is a service whose first two answers say that it is busy.
func secondTry(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: replies(func(n int, r *http.Request) (*http.Response, error) {
		switch n {
		case 1:
			return reply(r, 429, "application/json", `{"message":"Too many requests"}`, "Retry-After", "2"), nil
		case 2:
			return reply(r, 503, "text/plain", "upstream is restarting"), nil
		}
		return nil, nil
	})}, w, h)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":5}`)
	return p
}

// waiting stops the world while an answer is awaited.
func waiting(event client.Event) func(*player) {
	return func(p *player) {
		op, _ := p.m.req.Operation()
		p.m.perform(p.m.run.Send(op, false))
		p.m.running().started = testNow.Add(-1700 * time.Millisecond)
		p.m.run.Note(event)
		p.m.fit()
	}
}

// faulty is the sandbox with a fault.
func faulty(name string) func(t *testing.T, w, h int) *player {
	return func(t *testing.T, w, h int) *player {
		return play(t, Deps{Session: sandboxSession(sandbox.Options{Faults: []sandbox.Fault{{Name: name}}})}, w, h)
	}
}

func driftBody(t *testing.T, w, h int) *player {
	body := `{"data":[{"id":"cus_1","balance":"12","surprise":true},{"id":null}],"meta":{}}`
	p := play(t, Deps{Session: answers(t, "application/json", body)}, w, h)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	return p
}

func hostileAnswer(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: answers(t, "application/json", hostileBody)}, w, h)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	return p
}

func file(t *testing.T, w, h int) *player { return openText(t, customers(300), w, h) }

func comparable(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: sides(searched, listed, direct)}, w, h)
	p.keys("enter")
	p.call("payments", "customers", "list", `{"limit":5}`)
	return p
}

func readOnly(t *testing.T, w, h int) *player {
	s := sharedSession()
	s.ReadOnly = true
	return play(t, Deps{Session: s}, w, h)
}

// accounts lets a person sign in; the service accepts nothing.
func accounts(t *testing.T, w, h int) *player {
	return play(t, Deps{Session: sharedSession(), Profiles: func() []string { return []string{"sandbox", "work"} },
		Open: func(context.Context, string) (Session, error) { return sandboxSession(sandbox.Options{}), nil },
		Accounts: Accounts{
			Try: func(context.Context, session.Login) ([]client.Organization, error) {
				return nil, &client.Error{Class: client.ClassAuth, Message: "the service does not accept the client secret", Next: "Type it again."}
			},
			Keep:    func(context.Context, session.Login) (string, error) { return "the keyring", nil },
			Presets: []profile.Preset{{Name: "public", BaseURL: "https://service.example"}},
		}}, w, h)
}

func examined(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: sharedSession()}, w, h)
	p.onConnector("team_wiki")
	return p
}

// unscoped is on a connector whose credentials lack the scope of one entity.
func unscoped(t *testing.T, w, h int) *player {
	p := play(t, Deps{Session: sandboxSession(sandbox.Options{Faults: []sandbox.Fault{{Name: sandbox.FaultMissingScope}}})}, w, h)
	p.onConnector("payments")
	return p
}

func kept(t *testing.T, w, h int) *player {
	store := history.New(filepath.Join(t.TempDir(), history.FileName), history.Options{})
	t.Cleanup(func() { store.Close() })
	folder := t.TempDir()
	for _, c := range []saved.Call{
		{Name: "all refunds", Kind: "payments", Entity: "refunds", Action: "list"},
		{Name: "one customer", Kind: "payments", Entity: "customers", Action: "get", Params: []byte(`{"id":"${customer_id}"}`)},
	} {
		if _, err := saved.Save(folder, &c, false); err != nil {
			t.Fatal(err)
		}
	}
	p := play(t, Deps{Session: sharedSession(), History: store, Saved: savedIn(folder)}, w, h)
	p.call("payments", "customers", "get", `{"id":"cus_none"}`)
	p.call("payments", "customers", "list", `{"limit":7}`)
	p.call("payments", "invoices", "list", `{"limit":2}`)
	return p
}

// previewed lets the answer of a jq line come.
func previewed(p *player) { p.rest() }

// states are the screens that matter, roughly in the order of a day.
func states() []state {
	var all []state
	for _, part := range [][]state{placeStates(), requestStates(), answerStates(), pageStates(), failureStates(), downloadStates(), overlayStates(), accountStates()} {
		all = append(all, part...)
	}
	return all
}

func placeStates() []state {
	return []state{
		{name: "first", about: "The first start: sandbox data, and the card that teaches five keys.", make: firstStart, shows: []string{"customers", "20 rows", "first time here?"}},
		{name: "later", about: "A later start, at the place where the last one ended.", make: func(t *testing.T, w, h int) *player {
			first := answered(t, w, h)
			first.open("payments", "refunds", "list")
			return play(t, Deps{Session: sharedSession(), Settings: profile.State{CardDone: true, Places: first.m.deps.Settings.Places}}, w, h)
		}, shows: []string{"refunds › list"}},
		{name: "tree", about: "The tree, opened down to the actions of an entity.", make: at(answered, press("1", "g")), shows: []string{"customers", "api_search"}},
		{name: "tree-described", about: "A connector of a type that the catalog does not know, and the form of an action of it whose params nobody described.", make: described, shows: []string{"2 described", "+ key"}},
		{name: "tree-filtered", about: "The tree while a filter is typed.", make: at(answered, press("1", "/"), write("refu")), shows: []string{"/ refu", "refunds"}},
		{name: "tree-unfiltered", about: "The tree with a filter that was kept.", make: at(answered, press("1", "/"), write("refu"), press("enter")), shows: []string{"/refu"}},
		{name: "full", about: "The response alone on the screen.", make: at(answered, press("3", "f")), shows: []string{"20 rows"}},
		{name: "tiny", about: "Windows too small for anything but a sentence.", make: quiet, sizes: []size{{39, 20}, {80, 9}, {20, 5}, {1, 1}}},
	}
}

func requestStates() []state {
	groups := []func(*player){opened("payments", "customers", "context_store_search"), press("j", "enter"), write("delinq"), press("enter", "tab"), write("t"), press("enter"), press("x"),
		write("any-of"), press("enter"), write("currency"), press("enter"), write("usd"), press("tab"), write("created"), press("enter"), write(">=-90d"), press("enter")}
	return []state{
		{name: "form", about: "A form with nested objects.", make: at(quiet, opened("issue_tracker", "issues", "create")), shows: []string{"fields"}},
		{name: "form-typing", about: "A field while it is typed into.", make: at(quiet, opened("payments", "customers", "list"), press("j", "enter"), write("ada@example.test")), shows: []string{"ada@example.test"}},
		{name: "form-json", about: "The same request as JSON.", make: at(quiet, opened("payments", "customers", "create"), func(p *player) {
			_ = p.m.req.SetParams([]byte(`{"email":"ada@example.test","name":"Ada","metadata":{"tier":"gold","since":2021,"active":true,"note":null}}`))
		}, press("v")), shows: []string{`"tier"`}},
		{name: "form-empty", about: "An action that takes no params.", make: at(quiet, opened("payments", "balance", "get")), shows: []string{"balance"}},
		{name: "form-invalid", about: "A param out of its bounds.", make: at(quiet, opened("payments", "customers", "list"), press("enter", "ctrl+u"), write("500"), press("enter")), shows: []string{"limit: 500 is outside 1 to 100"}},
		{name: "form-missing", about: "A run that is refused because a required param is missing.", make: at(quiet, opened("payments", "customers", "delete"), press("r")), shows: []string{"id is required"}},
		{name: "form-field", about: "What can be done with a field: unset, null, empty.", make: at(quiet, opened("payments", "customers", "list"), press("x")), shows: []string{"This field"}},
		{name: "search", about: "The search workbench with one condition.", make: at(quiet, groups[:6]...), shows: []string{"delinquent", "eq"}},
		{name: "search-groups", about: "The search workbench with a group of conditions.", make: at(quiet, groups...), shows: []string{"├  delinquent", "├  any of", "│ ├  currency", "│ ├  created"}},
		{name: "meaning", about: "A search by meaning: scores and the text around each hit.", make: at(quiet, meant), shows: []string{"metadata.score", "metadata.context"}},
		{name: "meaning-keywords", about: "The search by keywords of the same question.", make: at(quiet, meant, press("K")), foreign: true, shows: []string{"has a word of"}},
		{name: "choose-id", about: "An id chosen from the records of its entity.", make: at(quiet, opened("payments", "customers", "get"), press("ctrl+o")), shows: []string{"Choose from customers", "cus_"}},
		{name: "read-only", about: "A write that a read-only profile refuses.", make: at(readOnly, opened("payments", "customers", "create"), press("r")), shows: []string{"read-only"}},
		{name: "confirm", about: "The question before a write that cannot be undone.", make: at(quiet, opened("payments", "customers", "delete"), func(p *player) {
			_ = p.m.req.SetParams([]byte(`{"id":"cus_x"}`))
		}, press("r")), shows: []string{"cus_x", "Yes, send it"}},
		{name: "preview", about: "The exact request before it is sent.", make: at(quiet, opened("payments", "customers", "list"), press("P")), shows: []string{"The exact request", "POST"}},
		{name: "waiting", about: "An answer is awaited.", make: at(quiet, opened("payments", "customers", "list"), waiting(client.Event{Kind: client.EventProgress, Bytes: 3 << 20, Total: 8 << 20})), shows: []string{"waiting for the answer", "1.7 s"}},
		{name: "retrying", about: "A busy service is asked again.", make: at(quiet, opened("payments", "customers", "list"), waiting(client.Event{Kind: client.EventRetry, Attempt: 1, Wait: 2 * time.Second, Reason: "status 429, Retry-After 2"})), shows: []string{"attempt 1 failed"}},
	}
}

func answerStates() []state {
	return []state{
		{name: "table", about: "Records as a table.", make: at(answered, press("j", "l")), shows: []string{"20 rows", "[Table"}},
		{name: "views", about: "The tabs of all views that an answer has.", make: manyViewed, sizes: []size{{120, 36}}, shows: []string{"[Table"}},
		{name: "table-worked", about: "A table with marks, a sort and a filter.", make: at(file, press("l", "l", "o", "space", "j", "space", "V", "j", "j", "V", "/"), write("user1"), press("enter")), shows: []string{"marked", "▲", "111 of 300"}},
		{name: "table-empty", about: "A search that finds nothing.", make: at(quiet, called("payments", "customers", "context_store_search", `{"query":{"filter":{"eq":{"name":"nobody at all"}}}}`)), shows: []string{"0 rows"}},
		{name: "hostile", about: "An answer full of control characters, broken numbers and odd shapes.", make: hostileAnswer, foreign: true, shows: []string{"rows"}},
		{name: "hostile-record", about: "Such a record.", make: at(hostileAnswer, press("enter")), foreign: true, shows: []string{"[Record"}},
		{name: "hostile-raw", about: "The bytes of such an answer.", make: at(hostileAnswer, press("[", "[", "[", "[")), foreign: true, shows: []string{"[Raw"}},
		{name: "record", about: "One record with the catalog's types.", make: at(answered, press("enter")), shows: []string{"[Record]"}},
		{name: "json", about: "The body as a tree.", make: at(answered, press("]", "]", "j", "j", "j")), shows: []string{"[JSON]"}},
		{name: "json-folded", about: "The tree folded to its first levels.", make: at(answered, press("]", "]", "(", "(", "j", "j")), shows: []string{"[JSON]"}},
		{name: "raw", about: "The exact bytes.", make: at(answered, press("]", "]", "]")), shows: []string{"[Raw]"}},
		{name: "schema", about: "What the data says against what the catalog says.", make: at(driftBody, press("[", "[")), shows: []string{"[Schema", "surprise", "not in the catalog"}},
		{name: "wire", about: "Every attempt of a call, with the reason for each retry.", make: at(secondTry, press("[")), shows: []string{"[Wire", "429", "503"}},
		{name: "cell", about: "The whole value of a cell.", make: at(answered, press("l", "i")), shows: []string{"close"}},
		{name: "columns", about: "The columns to show.", make: at(answered, press("c")), shows: []string{"[x] "}},
		{name: "summary", about: "What a column holds.", make: at(file, func(p *player) {
			for p.m.res.CurrentField() != "plan" {
				p.keys("l")
			}
		}, press("s")), shows: []string{"3 distinct"}},
		{name: "diff", about: "Two records, field by field.", make: at(file, press("space", "space", "D", "enter")), shows: []string{"cus_0000", "cus_0001"}},
		{name: "compare", about: "What search, list and the direct call say of an entity.", make: at(comparable, press("C")), shows: []string{"Only in search: 1 record"}},
		{name: "compare-narrower", about: "A comparison of sides that cannot all be asked the same.", make: at(quiet, called("code_hosting", "issues", "list", `{"owner":"acme","repo":"web","states":["OPEN"]}`), press("C")), shows: []string{"not sent: owner, repo"}},
		{name: "computed", about: "Columns that jq programs compute, one of them broken.", make: func(t *testing.T, w, h int) *player {
			p := play(t, Deps{Settings: profile.State{Columns: map[string][]string{computedKey: {"id", "half", "bad"}},
				Computed: map[string][]records.Computed{computedKey: {{Name: "half", Program: ".balance / 2"}, {Name: "bad", Program: "nosuch"}}}}}, w, h)
			p.call("payments", "customers", "list", `{"limit":5}`)
			p.keys("l", "l")
			return p
		}, shows: []string{"bad (broken)", "broken: function not defined"}},
		{name: "jq", about: "A jq program and what it gives, while it is typed.", make: at(file, press("|", "backspace"), write(".[] | select(.plan == \"pro\") | {id, balance}"), previewed), shows: []string{"balance"}},
		{name: "jq-error", about: "A jq program with a mistake.", make: at(file, press("|", "backspace"), write("select(.plan==\"pro\""), previewed), shows: []string{"^"}},
		{name: "explain", about: "Why a search found a record.", make: at(quiet, called("payments", "customers", "context_store_search", `{"query":{"filter":{"and":[{"eq":{"delinquent":true}},{"fuzzy":{"name":"a"}}]}},"limit":5}`), press("W")), shows: []string{"delinquent eq true"}},
		{name: "file", about: "A saved response, explored without a service.", make: file, shows: []string{"300 rows"}},
	}
}

func pageStates() []state {
	return []state{
		{name: "pages", about: "The ledger of the pages of a run.", make: at(answered, press(".", ".", "]", "]", "]", "]")), shows: []string{"[Pages 3]", "starting_after"}},
		{name: "pages-verdicts", about: "The ledger of a service whose pages overlap.", make: at(faulty(sandbox.FaultOverlap), called("payments", "customers", "list", `{"limit":5}`), press(".", ".", "]", "]", "]", "]")), shows: []string{"[Pages 3 !]", "overlap"}},
		{name: "together", about: "All pages as one table.", make: at(answered, press("m", "enter", "G")), foreign: true, shows: []string{"Table of 6 pages"}},
		{name: "fetch", about: "How many pages to fetch.", make: at(answered, press("m")), shows: []string{"pages"}},
		{name: "no-next-page", about: "A key that can do nothing now says why.", make: at(quiet, called("payments", "customers", "get", `{"id":"cus_none"}`), press(".")), shows: []string{"!"}},
	}
}

func failureStates() []state {
	return []state{
		{name: "error-auth", about: "The token is not accepted.", make: answering(401, "application/json", `{"detail":"The bearer token has expired."}`), shows: []string{"401", "do next"}},
		{name: "error-scope", about: "The credentials of the connector lack a scope.", make: answering(403, "application/json", `{"code":"missing_scope","message":"The credentials lack the scope for customers."}`), shows: []string{"403", "do next"}},
		{name: "error-rate", about: "The service stays busy.", make: answering(429, "application/json", `{"message":"Too many requests"}`, "Retry-After", "30"), shows: []string{"429", "do next"}},
		{name: "error-network", about: "The service cannot be reached.", make: unreachable, shows: []string{"connection refused", "do next"}},
		{name: "error-response", about: "The answer is no JSON.", make: answering(200, "text/html", "<html><title>Gateway login</title><body>Please sign in</body></html>"), shows: []string{"do next"}},
		{name: "error-invalid", about: "The service refuses the params.", make: at(quiet, opened("issue_tracker", "issues", "api_search"), func(p *player) {
			_ = p.m.req.SetParams([]byte(`{"jql":"order by created"}`))
		}, press("ctrl+r")), shows: []string{"400", "do next", "hosted service"}},
		{name: "error-upstream", about: "The third party fails.", make: answering(500, "application/json", `{"message":"The third party failed."}`), shows: []string{"500", "do next"}},
		{name: "error-cut", about: "The answer ends in the middle.", make: answering(200, "application/json", `{"status":"success","result":[{"id":"a"},{"id":`), shows: []string{"do next"}},
	}
}

func overlayStates() []state {
	return []state{
		{name: "help", about: "Help: every action of the place, and a search over all.", make: at(answered, press("?")), shows: []string{"?"}},
		{name: "help-searched", about: "Help while one searches in it.", make: at(answered, press("?"), write("next page")), shows: []string{"Fetch the next page"}},
		{name: "palette", about: "The search over the whole catalog and all actions.", make: at(quiet, press("ctrl+p"), write("jql")), shows: []string{"jql"}},
		{name: "palette-empty", about: "The search that finds nothing.", make: at(quiet, press("ctrl+p"), write("zzqq")), shows: []string{"Nothing"}},
		{name: "actions", about: "What can be done here, what cannot with the reason.", make: at(quiet, opened("payments", "customers", "list"), press("1", "x")), shows: []string{"What to do here"}},
		{name: "record-actions", about: "The actions that take the record under the cursor.", make: at(answered, press("x")), shows: []string{"customers get"}},
		{name: "follow", about: "The references of a record.", make: at(quiet, called("payments", "invoices", "list", `{"limit":3}`), press("F")), shows: []string{"Follow a reference"}},
		{name: "copy", about: "What can be copied.", make: at(answered, press("y")), shows: []string{"Copy"}},
		{name: "copy-call", about: "The formats of a copied call.", make: at(answered, press("Y")), shows: []string{"curl"}},
		{name: "copied", about: "The message after copying.", make: at(answered, press("Y", "enter")), shows: []string{"OSC 52"}},
		{name: "export", about: "What can be written to a file.", make: at(answered, press("E")), shows: []string{"CSV"}},
		{name: "export-to", about: "Where an export goes.", make: at(answered, press("E", "enter")), shows: []string{"To a file"}},
		{name: "docs", about: "The documentation of an action.", make: at(quiet, opened("payments", "customers", "list"), press("d")), shows: []string{"customers"}},
		{name: "themes", about: "The theme picker, searched.", make: at(answered, press("T"), write("patchbay")), shows: []string{"Theme"}},
		{name: "log", about: "What the program did.", make: at(answered, press(".", "Y", "enter", "L")), shows: []string{"Log"}},
		{name: "command", about: "The command line, after a tab.", make: at(answered, press(":"), write("pa"), press("tab")), shows: []string{"Command"}},
		{name: "quit", about: "The question before leaving.", make: at(answered, press("1", "q")), shows: []string{"Leave patchbay?"}},
	}
}

func accountStates() []state {
	signingIn := []func(*player){press("1", "p"), write("sign in"), press("enter", "down", "enter"), write("my-id"), press("enter", "down", "enter"), write(typedSecret), press("enter")}
	connector := []func(*player){opened("payments", "customers", "list"), press("1", "a"), write("crm"), press("enter", "enter", "down", "down", "down", "enter"), write(typedSecret), press("enter")}
	return []state{
		{name: "profiles", about: "The menu of profiles.", make: at(accounts, press("1", "p")), shows: []string{"work"}},
		{name: "sign-in", about: "Signing in, before it is tried.", make: at(accounts, signingIn...), shows: []string{"service.example"}},
		{name: "sign-in-refused", about: "Signing in with a secret that is not accepted.", make: at(accounts, append(signingIn[:len(signingIn):len(signingIn)], press("ctrl+j"))...), shows: []string{"does not accept the client secret"}},
		{name: "organizations", about: "The organization to call in.", make: func(t *testing.T, w, h int) *player { return play(t, Deps{Session: clientSession()}, w, h) }, shows: []string{"Which organization?"}},
		{name: "add-connector", about: "The kinds of connectors that can be added.", make: at(quiet, connector[:2]...), shows: []string{"crm"}},
		{name: "add-connector-form", about: "The form of a new connector.", make: at(quiet, connector...), shows: []string{"refresh_token"}},
		{name: "check", about: "The check of a connector.", make: at(examined, press("C")), shows: []string{"Check: team_wiki", "Done: "}},
		{name: "check-partly", about: "The check of a connector without the scope of one entity.", make: at(unscoped, press("C")),
			shows: []string{"charges", "missing", "Done: "}},
		{name: "history", about: "Past runs.", make: at(kept, press("ctrl+y")), shows: []string{"customers list", "404"}},
		{name: "saved", about: "Saved calls.", make: at(kept, press("S")), shows: []string{"one customer", "all refunds"}},
		{name: "save", about: "Saving a call that holds a variable.", make: at(kept, opened("payments", "customers", "get"), func(p *player) {
			_ = p.m.req.SetParams([]byte(`{"id":"${customer_id}"}`))
		}, press("ctrl+s")), shows: []string{"Save this call"}},
		{name: "typing", about: "A line that is typed and pasted into, with wide characters.", make: at(answered, press("/"), write("日本 é"), func(p *player) { p.send(tea.PasteMsg{Content: "\x1b]0;x\adata"}) }), foreign: true, shows: []string{"日本"}},
	}
}
