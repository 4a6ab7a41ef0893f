package sandbox

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

func TestJQL(t *testing.T) {
	r := newRig(t, Options{})
	search := func(jql string) []any {
		t.Helper()
		return r.records("issue_tracker", "issues", "api_search",
			string(rawjson.Encode(rawjson.NewMap("jql", jql, "maxResults", int64(5000)))))
	}
	all := search("project = PROJ")
	if len(all) < 100 {
		t.Fatalf("%d issues in PROJ", len(all))
	}
	every := func(jql string, holds func(any) bool) {
		t.Helper()
		got := search(jql)
		if len(got) == 0 || len(got) == len(all) {
			t.Errorf("%s finds %d of %d", jql, len(got), len(all))
		}
		for _, v := range got {
			if !holds(v) {
				t.Fatalf("%s finds %.300s", jql, rawjson.Encode(v))
			}
		}
	}
	field := func(path, want string) func(any) bool {
		return func(v any) bool { return text(t, v, path) == want }
	}
	every(`project = PROJ AND status = Done`, field("fields.status.name", "Done"))
	every(`project = PROJ AND status != "Done"`, func(v any) bool { return text(t, v, "fields.status.name") != "Done" })
	every(`project = PROJ AND priority in (High, Highest) AND NOT status = Done`, func(v any) bool {
		return strings.HasPrefix(text(t, v, "fields.priority.name"), "High")
	})
	every(`project = PROJ AND issuetype not in (Bug, Task)`, func(v any) bool {
		n := text(t, v, "fields.issuetype.name")
		return n != "Bug" && n != "Task"
	})
	every(`project = PROJ AND assignee is EMPTY`, func(v any) bool { return mustAt(t, v, "fields.assignee") == nil })
	every(`project = PROJ AND assignee = currentUser()`, func(v any) bool {
		return mustAt(t, v, "fields.assignee") != nil
	})
	every(`project = PROJ AND summary ~ "migration"`, func(v any) bool {
		return strings.Contains(text(t, v, "fields.summary"), "migration")
	})
	every(`project = PROJ AND summary !~ "migration"`, func(v any) bool {
		return !strings.Contains(text(t, v, "fields.summary"), "migration")
	})
	every(`project = PROJ AND created >= -90d AND created < startOfDay()`, func(v any) bool {
		when, _ := data.Moment(text(t, v, "fields.created"))
		return !when.Before(noon.AddDate(0, 0, -90))
	})
	every(`project = PROJ AND (status = Done OR labels = urgent)`, func(v any) bool {
		return text(t, v, "fields.status.name") == "Done" ||
			strings.Contains(string(rawjson.Encode(mustAt(t, v, "fields.labels"))), "urgent")
	})
	priority := func(v any) int {
		return slices.Index([]string{"Lowest", "Low", "Medium", "High", "Highest"}, text(t, v, "fields.priority.name"))
	}
	if a, b := search("project = PROJ ORDER BY votes"), search("project = PROJ"); len(a) == 0 || len(a) != len(b) {
		t.Errorf("an order by a field that generated issues lack finds %d of %d", len(a), len(b))
	}
	ordered := search("project = PROJ ORDER BY priority DESC, created ASC")
	for i := 1; i < len(ordered); i++ {
		a, b := priority(ordered[i-1]), priority(ordered[i])
		if a < b || a == b && text(t, ordered[i-1], "fields.created") > text(t, ordered[i], "fields.created") {
			t.Fatalf("order breaks at %d", i)
		}
	}
}

func TestPaymentsSearch(t *testing.T) {
	r := newRig(t, Options{})
	count := func(query string) int {
		t.Helper()
		return len(r.records("payments", "customers", "api_search",
			string(rawjson.Encode(rawjson.NewMap("query", query, "limit", int64(100))))))
	}
	one := r.records("payments", "customers", "list", `{"limit":20}`)
	email := ""
	for _, c := range one {
		if email == "" {
			email = text(t, c, "email")
		}
	}
	if n := count(`email:"` + email + `"`); n != 1 {
		t.Errorf("email finds %d", n)
	}
	if n := count(`-email:"` + email + `"`); n != 100 {
		t.Errorf("a negated email finds %d on a full page", n)
	}
	if n := count(`metadata["plan"]:"team" AND email~"` + email[:5] + `"`); n == 0 {
		t.Error("metadata and a part of the email find nothing")
	}
	if a, b := count(`created>1893456000`), count(`created<1893456000`); a != 0 || b != 100 {
		t.Errorf("created finds %d and %d", a, b)
	}
	if status, _ := r.execute("payments", "customers", "api_search",
		`{"query":"email:\"a\" AND name:\"b\" OR name:\"c\""}`); status != 400 {
		t.Errorf("mixing AND and OR: %d, want 400", status)
	}
	page, meta := r.good("payments", "customers", "api_search", `{"query":"created>1","limit":3}`)
	if strings.Join(meta.Keys, " ") != "has_more next_page" || meta.Value("has_more") != true {
		t.Fatalf("meta: %s", rawjson.Encode(meta))
	}
	next := r.records("payments", "customers", "api_search",
		`{"query":"created>1","limit":3,"page":"`+meta.Text("next_page")+`"}`)
	if text(t, next[0], "id") == text(t, listIn(page)[0], "id") {
		t.Error("the second page is the first")
	}
}

func TestHostingSearch(t *testing.T) {
	r := newRig(t, Options{})
	find := func(entity, query string) []any {
		t.Helper()
		return r.records("code_hosting", entity, "api_search", string(rawjson.Encode(rawjson.NewMap("query", query))))
	}
	open := find("issues", "is:open")
	author := text(t, open[0], "author.login")
	for _, v := range find("issues", "is:open author:"+author+" sort:created-asc") {
		if text(t, v, "state") != "OPEN" || text(t, v, "author.login") != author {
			t.Fatalf("found %.200s", rawjson.Encode(v))
		}
	}
	word := strings.Fields(text(t, open[0], "title"))[0]
	for _, v := range find("issues", word+" in:title -label:urgent") {
		if !strings.Contains(strings.ToLower(text(t, v, "title")), strings.ToLower(word)) ||
			strings.Contains(string(rawjson.Encode(mustAt(t, v, "labels"))), `"urgent"`) {
			t.Fatalf("found %.200s", rawjson.Encode(v))
		}
	}
	for _, v := range find("repositories", "language:go stars:>100 is:public") {
		if n, _ := data.Int(mustAt(t, v, "stargazerCount")); n <= 100 || text(t, v, "isPrivate") != "false" {
			t.Fatalf("found %.200s", rawjson.Encode(v))
		}
	}
}

func TestSOQL(t *testing.T) {
	r := newRig(t, Options{})
	rows := r.records("crm", "contacts", "list",
		`{"q":"SELECT Id, Email, CreatedDate FROM Contact WHERE CreatedDate > LAST_N_DAYS:30 AND Email LIKE `+
			`'%example' ORDER BY CreatedDate ASC LIMIT 5"}`)
	if len(rows) != 5 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, v := range rows {
		if o := v.(*rawjson.Map); o.Has("Name") || !o.Has("attributes") || !o.Has("Email") {
			t.Errorf("row %d: %s", i, rawjson.Encode(v))
		}
		if i > 0 && text(t, rows[i-1], "CreatedDate") > text(t, v, "CreatedDate") {
			t.Error("not in order")
		}
	}
	if status, _ := r.execute("crm", "contacts", "list", `{"q":"SELECT Nope FROM Contact"}`); status != 400 {
		t.Errorf("an unknown column: %d, want 400", status)
	}
}

func TestContextStoreSearch(t *testing.T) {
	r := newRig(t, Options{})
	search := func(params string) (raw []any, meta *rawjson.Map) {
		t.Helper()
		status, body := r.execute("payments", "customers", "context_store_search", params)
		if status != 200 {
			t.Fatalf("%s: %d %s", params, status, body)
		}
		o := parse(t, body)
		if strings.Join(o.Keys, " ") != "data meta" {
			t.Fatalf("the answer has %v, want the bare raw and meta", o.Keys)
		}
		return o.Value("data").([]any), o.Value("meta").(*rawjson.Map)
	}
	raw, meta := search(`{"query":{}}`)
	if len(raw) != 1000 || meta.Value("has_more") != true || strings.Join(meta.Keys, " ") != "has_more cursor took_ms" {
		t.Errorf("%d records, meta %s", len(raw), rawjson.Encode(meta))
	}
	next, last := search(`{"query":{},"cursor":"` + meta.Text("cursor") + `"}`)
	if len(next) != 1000 || last.Value("has_more") != false || last.Value("cursor") != nil ||
		text(t, next[0], "id") == text(t, raw[0], "id") {
		t.Errorf("second page: %d records, meta %s", len(next), rawjson.Encode(last))
	}
	email := ""
	for _, v := range raw {
		if email = text(t, v, "email"); email != "" {
			break
		}
	}
	for filter, min := range map[string]int{
		`{"eq":{"email":"` + email + `"}}`: 1, `{"neq":{"email":"` + email + `"}}`: 1000, `{"gt":{"balance":0}}`: 1,
		`{"lte":{"balance":0}}`:             1,
		`{"in":{"currency":["usd","eur"]}}`: 1, `{"like":{"email":"%example"}}`: 1, `{"fuzzy":{"name":"ada"}}`: 1,
		`{"keyword":{"name":"ada"}}`:        1,
		`{"not":{"eq":{"currency":"usd"}}}`: 1, `{"and":[{"eq":{"currency":"usd"}},{"gte":{"balance":100}}]}`: 1,
		`{"or":[{"eq":{"currency":"usd"}},{"eq":{"currency":"eur"}}]}`: 1,
	} {
		if got, _ := search(`{"query":{"filter":` + filter + `}}`); len(got) < min || min == 1 && len(got) == 2000 {
			t.Errorf("%s finds %d", filter, len(got))
		}
	}
	sorted,
		_ := search(`{"query":{"filter":{"neq":{"balance":null}},"sort":[{"balance":"desc"},{"created":"asc"}]},` +
		`"limit":50,"fields":["id","balance","metadata.plan"]}`)
	for i, v := range sorted {
		if o := v.(*rawjson.Map); strings.Join(o.Keys, " ") != "id balance metadata" {
			t.Fatalf("fields: %v", o.Keys)
		}
		if i > 0 && data.Compare(mustAt(t, sorted[i-1], "balance"), mustAt(t, v, "balance")) < 0 {
			t.Fatal("not sorted by balance")
		}
	}
	api := newRig(t, Options{Shape: ShapeAPI})
	_, body := api.execute("payments", "customers", "context_store_search", `{"query":{},"limit":1}`)
	if inner, _ := parse(t, body).Value("result").(*rawjson.Map); inner == nil || !inner.Has("data") ||
		!inner.Has("meta") {
		t.Errorf("shape api: %.200s", body)
	}
}

// The replica follows writes, and the same seed gives the same records whatever was asked first.
func TestReplicaAndSeed(t *testing.T) {
	a, b := newRig(t, Options{Seed: 7}), newRig(t, Options{Seed: 7})
	a.good("payments", "charges", "list", "")
	one, _ := a.good("payments", "customers", "list", `{"limit":3}`)
	two, _ := b.good("payments", "customers", "list", `{"limit":3}`)
	if string(rawjson.Encode(one)) != string(rawjson.Encode(two)) {
		t.Error("the order of use changes the data")
	}
	other, _ := newRig(t, Options{Seed: 8}).good("payments", "customers", "list", `{"limit":3}`)
	if string(rawjson.Encode(one)) == string(rawjson.Encode(other)) {
		t.Error("the seed changes nothing")
	}
	query := `{"query":{"filter":{"eq":{"email":"new@example.com"}}}}`
	if _, body := a.execute("payments", "customers", "context_store_search",
		query); len(parse(t, body).Value("data").([]any)) != 0 {
		t.Fatal("found before it was made")
	}
	a.good("payments", "customers", "create", `{"email":"new@example.com"}`)
	if _, body := a.execute("payments", "customers", "context_store_search",
		query); len(parse(t, body).Value("data").([]any)) != 1 {
		t.Error("the replica does not follow a creation")
	}
}

// Relations point at records that exist.
func TestRelationsHold(t *testing.T) {
	r := newRig(t, Options{})
	customers := map[string]bool{}
	after := ""
	for {
		list := r.records("payments", "customers", "list", `{"limit":100`+after+`}`)
		for _, c := range list {
			customers[text(t, c, "id")] = true
		}
		if len(list) < 100 {
			break
		}
		after = `,"starting_after":"` + text(t, list[99], "id") + `"`
	}
	for _, c := range r.records("payments", "charges", "list", `{"limit":100}`) {
		if id := text(t, c, "customer"); id != "" && !customers[id] {
			t.Fatalf("the charge %s belongs to %s, who does not exist", text(t, c, "id"), id)
		}
	}
	got, _ := r.good("task_management", "tasks", "list", `{"list_id":"`+text(t, anyList(t, r), "id")+`"}`)
	if len(listIn(got)) == 0 {
		t.Error("the first list has no tasks")
	}
}

func anyList(t *testing.T, r *rig) any {
	team := r.records("task_management", "teams", "list", "")[0]
	space := r.records("task_management", "spaces", "list", `{"team_id":"`+text(t, team, "id")+`"}`)[0]
	for _, f := range r.records("task_management", "folders", "list", `{"space_id":"`+text(t, space, "id")+`"}`) {
		if lists := r.records("task_management", "lists", "list",
			`{"folder_id":"`+text(t, f, "id")+`"}`); len(lists) > 0 {
			return lists[0]
		}
	}
	t.Fatal("no folder of the first space holds a list")
	return nil
}

func TestDownloads(t *testing.T) {
	r := newRig(t, Options{Records: 20})
	call := text(t, r.records("call_recording", "calls", "list", "")[0], "id")
	get := func(kind, entity, params string) (int, string, string) {
		status, h, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("demo", kind)+"/execute",
			`{"entity":"`+entity+`","action":"download","params":`+params+`}`)
		return status, h.Get("Content-Type"), string(raw)
	}
	filter := `{"filter":{"callIds":["` + call + `"]}`
	for entity, want := range map[string][2]string{"call_audio": {"audio/wav", "RIFF"},
		"call_video": {"video/mp4", "\x00\x00\x00"}} {
		status, mime, raw := get("call_recording", entity, filter+"}")
		if status != 200 || mime != want[0] || !strings.HasPrefix(raw, want[1]) {
			t.Errorf("%s: %d %s %.10q", entity, status, mime, raw)
		}
	}
	if status, _, raw := get("call_recording", "call_audio", filter+`,"range_header":"bytes=0-3"}`); status != 206 ||
		raw != "RIFF" {
		t.Errorf("range: %d %q", status, raw)
	}
	if status, _, _ := get("call_recording", "call_audio", filter+`,"range_header":"bytes=999999-"}`); status != 416 {
		t.Errorf("a range outside the file: %d, want 416", status)
	}
	if status, mime, raw := get("crm", "attachments", `{"id":"`+text(t,
		r.records("crm", "attachments", "list", `{"q":"SELECT Id FROM Attachment LIMIT 1"}`)[0],
		"Id")+`"}`); status != 200 || mime != "image/png" || !strings.HasPrefix(raw, "\x89PNG") {
		t.Errorf("attachment: %d %s", status, mime)
	}
}

func TestSemanticSearchRanks(t *testing.T) {
	r := newRig(t, Options{})
	status, body := r.execute("call_recording", "call_transcripts", "semantic_search",
		`{"semantic":{"prompt":"penetration backups"},"limit":3}`)
	o := parse(t, body)
	if raw, _ := o.Value("data").([]any); status != 200 || len(raw) == 0 ||
		!strings.Contains(text(t, o, "meta.ranking"), "sandbox") {
		t.Fatalf("%d %.300s", status, body)
	}
	last := 2.0
	for _, hit := range data.List(o.Value("data")) {
		score, context := func() float64 { f, _ := strconv.ParseFloat(text(t, hit, "metadata.score"), 64); return f }(), strings.ToLower(text(t, hit, "metadata.context"))
		if score > last || score <= 0 || score > 1 || !strings.Contains(context, "penetration") && !strings.Contains(context, "backups") {
			t.Errorf("score %v after %v, context %q", score, last, context)
		}
		if keys := hit.(*rawjson.Map).Value("entity").(*rawjson.Map).Keys; strings.Join(keys, " ") != "callId started" {
			t.Errorf("a hit is told by %v", keys)
		}
		if text(t, hit, "entity.started") == "" || text(t, hit, "metadata.speakerName") == "" {
			t.Errorf("when and who is missing: %.300s", rawjson.Encode(hit))
		}
		last = score
	}
	best := map[string]string{}
	for _, prompt := range []string{"discount on the price", "outage of the checkout", "candidates for interviews",
		"webhook instead of polling", "offline mode of the mobile app"} {
		_, body := r.execute("call_recording", "call_transcripts", "semantic_search",
			string(rawjson.Encode(rawjson.NewMap("semantic", rawjson.NewMap("prompt", prompt), "limit", int64(1)))))
		id := text(t, parse(t, body).Value("data").([]any)[0], "entity.callId")
		if best[id] != "" {
			t.Errorf("%q and %q find the same call", prompt, best[id])
		}
		best[id] = prompt
	}
	if status, _ := r.execute("call_recording", "call_transcripts", "semantic_search",
		`{"semantic":{"prompt":"x"},"limit":101}`); status != 422 {
		t.Errorf("limit 101: %d, want 422", status)
	}
}
