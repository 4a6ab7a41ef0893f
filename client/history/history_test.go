package history

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/records"
	"patchbay/client/secret"
)

var ctx = context.Background()

func answer(rows int) *client.Envelope {
	var list []string
	for i := range rows {
		list = append(list, fmt.Sprintf(`{"id":%d,"name":"row %d"}`, i, i))
	}
	body := `{"data":[` + strings.Join(list, ",") + `],"meta":{"cursor":"c2"}}`
	at := strings.LastIndex(body, `,"meta":`)
	return &client.Envelope{Body: client.Bytes(body), Shape: client.ShapeDataMeta, RecordsPath: "data", MetaPath: "meta", ContentType: "application/json",
		Records: client.Span{From: 8, To: at}, Meta: client.Span{From: at + 8, To: len(body) - 1}, Status: 200, Names: client.Wire,
		Started: time.UnixMilli(1_700_000_000_123), Took: 42 * time.Millisecond, ServerTime: 7 * time.Millisecond,
		Attempts: []client.Attempt{{N: 1, Method: "POST", URL: "https://x.example/execute", Status: 200, Total: 40 * time.Millisecond, Purpose: "call"}}}
}

func run(rows int) Run {
	return Run{Target: client.Target{Profile: "prod", Kind: "payments", Workspace: "default", Name: "Payments EU"},
		Op: client.Operation{Entity: "customers", Action: "list", Params: json.RawMessage(`{"limit":1.50,"q":"50%_off"}`)}, Env: answer(rows)}
}

func newStore(t *testing.T, o Options) *Store {
	t.Helper()
	s := New(filepath.Join(t.TempDir(), "sub #1?%", FileName), o)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func add(t *testing.T, s *Store, r Run) int64 {
	t.Helper()
	id, err := s.Add(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestOpenAgain(t *testing.T) {
	s := newStore(t, Options{})
	if _, err := os.Stat(s.path); err == nil {
		t.Fatal("the file is made before it is needed")
	}
	id := add(t, s, run(3))
	e, env, err := s.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	want := run(3)
	if e.Target != want.Target || string(e.Op.Params) != string(want.Op.Params) || e.Rows != 3 || e.Status != 200 || !e.OK() || e.Kept != KeptWhole ||
		e.Took != want.Env.Took || !e.Started.Equal(want.Env.Started) || len(e.Attempts) != 1 || e.Attempts[0].Total != 40*time.Millisecond {
		t.Errorf("%+v", e)
	}
	if string(env.Body.Slice(0, env.Body.Len())) != string(want.Env.Body.Slice(0, want.Env.Body.Len())) || env.Records != want.Env.Records || env.Meta != want.Env.Meta || env.Names != client.Wire {
		t.Errorf("%+v", env)
	}
	if x := records.IndexEnvelope(env); x.Len() != 3 {
		t.Errorf("%d records", x.Len())
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, _, err := s.Get(ctx, 999); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// No secret reaches the file, and records are found again in a body that lost some.
func TestNoSecrets(t *testing.T) {
	const hidden = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	r := &secret.Redactor{}
	r.Add(secret.New(hidden))
	s := newStore(t, Options{Redactor: r})
	body := `{"data":[{"id":1,"access_token":"` + "other-token-value" + `","echo":"` + hidden + `"},{"id":2}],"meta":{"cursor":"x"}}`
	in := run(0)
	in.Env.Body = client.Bytes(body)
	at := strings.LastIndex(body, `,"meta":`)
	in.Env.Records, in.Env.Meta = client.Span{From: 8, To: at}, client.Span{From: at + 8, To: len(body) - 1}
	in.Op.Params = json.RawMessage(`{"password":"hunter2hunter2","note":"` + hidden + `"}`)
	in.Env.Attempts = []client.Attempt{{URL: "https://u:" + hidden + "@x.example/?api_key=" + hidden, RequestHeaders: []client.Header{{Name: "Authorization", Value: "Bearer " + hidden}},
		RequestBody: []byte(`{"a":"` + hidden + `"}`), Error: "failed with " + hidden}}
	in.Err = &client.Error{Class: client.ClassUpstream, Message: "bad", Server: "no such key " + hidden, Attempts: in.Env.Attempts}
	id := add(t, s, in)
	e, env, err := s.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	shown, _ := json.Marshal(e)
	all := string(shown) + string(env.Body.Slice(0, env.Body.Len()))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal"} {
		data, _ := os.ReadFile(s.path + suffix)
		all += string(data)
	}
	for _, word := range []string{hidden, "hunter2hunter2", "other-token-value"} {
		if strings.Contains(all, word) {
			t.Errorf("%q is kept", word)
		}
	}
	if n := records.IndexEnvelope(env).Len(); n != 2 {
		t.Errorf("%d records found again", n)
	}
}

func TestBodies(t *testing.T) {
	s := newStore(t, Options{MaxBody: 60})
	id := add(t, s, run(50))
	e, env, err := s.Get(ctx, id)
	if err != nil || e.Kept != KeptStart || env.Body.Len() != 60 || e.Size < 1000 || e.Rows != 50 {
		t.Errorf("%+v %v", e, err)
	}
	if n := records.IndexEnvelope(env).Len(); n < 1 {
		t.Error("no record in the start of the body")
	}
	r := run(5)
	r.NoBody = true
	e, env, err = s.Get(ctx, add(t, s, r))
	if err != nil || e.Kept != KeptNot || env.Body != nil || e.Rows != 5 || e.Stored != 0 {
		t.Errorf("%+v %v", e, err)
	}
	r = run(0)
	r.Env, r.Err, r.Started = nil, &client.Error{Class: client.ClassNetwork, Message: "no route"}, time.UnixMilli(5)
	e, env, err = s.Get(ctx, add(t, s, r))
	if err != nil || env != nil || e.Class != client.ClassNetwork || e.OK() || !e.Started.Equal(r.Started) {
		t.Errorf("%+v %v %v", e, env, err)
	}
}

func TestFind(t *testing.T) {
	s := newStore(t, Options{})
	first := add(t, s, run(1))
	r := run(2)
	r.Target.Kind, r.Op.Entity = "crm", "contacts"
	second := add(t, s, r)
	r = run(0)
	r.Env, r.Err = nil, &client.Error{Class: client.ClassRateLimited, Status: 429, Message: "Too many requests"}
	third := add(t, s, r)
	for _, c := range []struct {
		q    Query
		want []int64
	}{
		{Query{}, []int64{third, second, first}},
		{Query{Limit: 1}, []int64{third}},
		{Query{Kind: "crm"}, []int64{second}},
		{Query{Kind: "payments", Entity: "customers"}, []int64{third, first}},
		{Query{Text: "CONTACTS payments eu"}, []int64{second}},
		{Query{Text: "50%_off"}, []int64{third, second, first}},
		{Query{Text: "50_%off"}, nil},
		{Query{Text: "too many"}, []int64{third}},
		{Query{Status: "ok"}, []int64{second, first}},
		{Query{Status: "failed"}, []int64{third}},
		{Query{Status: "429"}, []int64{third}},
		{Query{Status: "2xx"}, []int64{second, first}},
		{Query{Status: "rate_limited"}, []int64{third}},
	} {
		got, err := s.Find(ctx, c.q)
		var ids []int64
		for _, e := range got {
			ids = append(ids, e.ID)
		}
		if err != nil || fmt.Sprint(ids) != fmt.Sprint(c.want) {
			t.Errorf("%+v: %v %v, want %v", c.q, ids, err, c.want)
		}
	}
	if _, err := s.Find(ctx, Query{Status: "fine"}); err == nil {
		t.Error("an unknown status is taken")
	}
}

func TestDeleteAndPrune(t *testing.T) {
	s := newStore(t, Options{})
	var ids []int64
	for i := range 6 {
		r := run(200)
		r.Env.Started = time.UnixMilli(int64(i) * 1000)
		ids = append(ids, add(t, s, r))
	}
	for want, id := range []int64{12345, ids[0]} {
		if n, err := s.Delete(ctx, id); err != nil || n != want {
			t.Error(n, err)
		}
	}
	if n, err := s.Prune(ctx, Bounds{OlderThan: time.UnixMilli(2000)}); err != nil || n != 1 {
		t.Error(n, err)
	}
	if n, err := s.Prune(ctx, Bounds{Runs: 3}); err != nil || n != 1 {
		t.Error(n, err)
	}
	db, _ := s.open(ctx)
	var stored int64
	if err := db.QueryRow(`SELECT sum(stored) FROM runs`).Scan(&stored); err != nil || stored == 0 {
		t.Error(stored, err)
	}
	if n, err := s.Prune(ctx, Bounds{Bytes: stored - 1}); err != nil || n != 1 {
		t.Error(n, err)
	}
	if n, err := s.Prune(ctx, Bounds{OlderThan: time.UnixMilli(1), Bytes: stored, Runs: 10}); err != nil || n != 0 {
		t.Error(n, err)
	}
	left, err := s.Find(ctx, Query{})
	if err != nil || len(left) != 2 || left[0].ID != ids[5] {
		t.Error(left, err)
	}
	var bodies int
	if err := db.QueryRow(`SELECT count(*) FROM bodies`).Scan(&bodies); err != nil || bodies != 2 {
		t.Errorf("%d bodies left, %v", bodies, err)
	}
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	var told []string
	s := New(path, Options{Tell: func(t string) { told = append(told, t) }})
	defer func() { _ = s.Close() }()
	if id, err := s.Add(ctx, run(1)); err != nil || id != 1 {
		t.Errorf("run %d, %v", id, err)
	}
	kept, err := os.ReadFile(path + ".unreadable-1")
	if err != nil || !strings.HasPrefix(string(kept), "this is no") || len(told) != 1 ||
		!strings.Contains(told[0], path+".unreadable-1") {
		t.Errorf("kept %.20q, told %q, %v", kept, told, err)
	}
}

// Pages that are overwritten while the file is in use are found out when a run is kept.
func TestDamagedPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	first := New(path, Options{})
	for range 50 {
		add(t, first, run(200))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(data); i++ {
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	told := 0
	var stores []*Store
	var wg sync.WaitGroup
	for range 3 { // as three programs do at once: one new file is begun
		s := New(path, Options{Tell: func(string) { mu.Lock(); told++; mu.Unlock() }})
		stores = append(stores, s)
		wg.Go(func() {
			if _, err := s.Add(ctx, run(1)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	list, err := stores[0].Find(ctx, Query{})
	if err != nil || len(list) != 3 || told != 1 {
		t.Errorf("%d runs, told %d times, %v", len(list), told, err)
	}
	for _, s := range stores {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A file that others could read, and what belongs to it, is the owner's alone after
// the first use.
func TestOthersCannotReadAnOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := New(path, Options{})
	add(t, s, run(1))
	for _, end := range companions {
		if err := os.Chmod(path+end, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again := New(path, Options{})
	add(t, again, run(1))
	for _, end := range companions {
		if info, err := os.Stat(path + end); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", end, info.Mode(), err)
		}
	}
	if err := errors.Join(s.Close(), again.Close()); err != nil {
		t.Error(err)
	}
}

// A file of a newer program is neither read nor changed; a full disk and a folder that
// cannot be written are told, and what is there stays.
func TestFilesThatCannotBeWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := New(path, Options{})
	add(t, s, run(3))
	db, err := s.open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(ctx, run(20_000)); err == nil || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("a full disk: %v", err)
	}
	if list, err := s.Find(ctx, Query{}); err != nil || len(list) != 1 {
		t.Errorf("%d runs, %v", len(list), err)
	}
	if _, err := db.Exec("PRAGMA user_version = 7"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := New(path, Options{}).Add(ctx, run(1)); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("a newer file: %v", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside it: %v, %v", entries, err)
	}
}

// childFile tells the test binary to add runs to a file until it is killed.
const childFile = "PATCHBAY_TEST_HISTORY"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		keepAdding(path)
	}
	os.Exit(m.Run())
}

func keepAdding(path string) {
	s := New(path, Options{})
	for {
		id, err := s.Add(ctx, run(500))
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(id)
	}
}

// Programs are killed in the middle of writing, two at a time on one file: every run
// that was reported as kept is there and whole, and the file stays sound.
func TestKilledWhileWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	reported := map[int64]bool{}
	for round := range 4 {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				ids, err := untilKilled(path, 5+round)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				for _, id := range ids {
					if reported[id] {
						t.Errorf("run %d was reported twice", id)
					}
					reported[id] = true
				}
			})
		}
		wg.Wait()
	}
	s := New(path, Options{})
	defer func() { _ = s.Close() }()
	for id := range reported {
		e, env, err := s.Get(ctx, id)
		if err != nil || e.Kept != KeptWhole || records.IndexEnvelope(env).Len() != 500 {
			t.Fatalf("run %d is not whole: %+v %v", id, e, err)
		}
	}
	db, err := s.open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity: %s %v", verdict, err)
	}
	if len(reported) < 40 {
		t.Errorf("only %d runs were kept", len(reported))
	}
}

// untilKilled starts a program that keeps runs, kills it once it has reported
// some, and returns the ids that it reported.
func untilKilled(path string, enough int) ([]int64, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childFile+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var ids []int64
	killed := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		id, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			if killed {
				break
			}
			return ids, errors.New(lines.Text())
		}
		ids = append(ids, id)
		if len(ids) == enough && !killed {
			killed = true
			if err := cmd.Process.Kill(); err != nil {
				return ids, err
			}
		}
	}
	// The exit status tells that it was killed.
	_ = cmd.Wait()
	return ids, nil
}

func BenchmarkAdd(b *testing.B) {
	s := New(filepath.Join(b.TempDir(), FileName), Options{})
	defer func() { _ = s.Close() }()
	r := run(100)
	for b.Loop() {
		if _, err := s.Add(ctx, r); err != nil {
			b.Fatal(err)
		}
	}
}
