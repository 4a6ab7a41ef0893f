package sandbox

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"patchbay/client/rawjson"
)

// raw runs an operation on a connector of the workspace of faults.
func (r *rig) raw(name, entity, params string) (*http.Response, []byte, error) {
	r.t.Helper()
	req, err := http.NewRequest("POST", BaseURL+"/api/v1/integrations/connectors/"+r.connector("faults",
		name)+"/execute",
		strings.NewReader(`{"entity":"`+entity+`","action":"list","params":`+params+`}`))
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+Token)
	req.Header.Set("Content-Type", "application/json")
	res, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res, raw, err
}

func TestFaultStatus(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	for _, c := range []struct {
		name, entity string
		want         []int
	}{
		{FaultExpiredToken, "customers", []int{401, 401}},
		{FaultWrongOrg, "customers", []int{403}},
		{FaultMissingScope, "charges", []int{403}},
		{FaultMissingScope, "customers", []int{200}},
		{FaultRateLimit, "customers", []int{429, 200, 429}},
		{FaultErrorOnce, "customers", []int{500, 200, 200}},
	} {
		for i, want := range c.want {
			res, raw, _ := r.raw(c.name, c.entity, "{}")
			if res.StatusCode != want {
				t.Errorf("%s, call %d: %d %.100s, want %d", c.name, i+1, res.StatusCode, raw, want)
			}
			if want == 429 && res.Header.Get("Retry-After") != "1" {
				t.Errorf("429 says Retry-After %q", res.Header.Get("Retry-After"))
			}
		}
	}
}

// Faults that refuse calls fail the check of the credentials, too.
func TestFaultyCredentialsFailTheCheck(t *testing.T) {
	r := newRig(t, Options{Records: 4})
	for name, refused := range map[string]int{FaultExpiredToken: 18, FaultWrongOrg: 18, FaultMissingScope: 1, FaultSlow: 0} {
		status, _, raw := r.send("POST", "/api/v1/integrations/connectors/"+r.connector("faults", name)+"/check", "")
		o, want, failed := parse(t, raw), "succeeded", 0
		if refused > 0 {
			want = "failed"
		}
		for _, e := range o.Value("entity_check_results").([]any) {
			if e.(*rawjson.Map).Text("status") == "failed" {
				failed++
			}
		}
		if status != 200 || o.Text("status") != want || failed != refused ||
			(o.Value("failure_reason") != nil) != (refused > 0) {
			t.Errorf("%s: %d, %s, %d entities refused: %.300s", name, status, o.Text("status"), failed, raw)
		}
	}
}

func TestFaultBodies(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	if _, raw, err := r.raw(FaultCut, "customers", "{}"); !errors.Is(err, io.ErrUnexpectedEOF) || json.Valid(raw) {
		t.Errorf("cut body: %v", err)
	}
	if res, raw, _ := r.raw(FaultHTML, "customers", "{}"); !strings.HasPrefix(res.Header.Get("Content-Type"),
		"text/html") || !strings.HasPrefix(string(raw), "<!DOCTYPE") {
		t.Error("html: no page")
	}
	if res, raw, _ := r.raw(FaultContentType, "customers", "{}"); res.Header.Get("Content-Type") != "text/plain" ||
		!json.Valid(raw) {
		t.Error("content-type: not JSON as text/plain")
	}
	res, raw, _ := r.raw(FaultGzip, "customers", "{}")
	if z, err := gzip.NewReader(strings.NewReader(string(raw))); res.Header.Get("Content-Encoding") != "gzip" ||
		err != nil {
		t.Errorf("gzip: %v", err)
	} else if plain, _ := io.ReadAll(z); !json.Valid(plain) {
		t.Error("gzip: no JSON inside")
	}
	if _, raw, _ := r.raw(FaultInvalidUTF8, "customers", "{}"); utf8.Valid(raw) {
		t.Error("invalid-utf8: the body is valid")
	}
	if _, raw, _ := r.raw(FaultHuge, "customers", "{}"); len(raw) < 50<<20 || !json.Valid(raw[len(raw)-200:]) &&
		raw[len(raw)-1] != '}' {
		t.Errorf("huge: %d bytes", len(raw))
	}
	if _, raw, _ := r.raw(FaultSchema, "customers", "{}"); !strings.Contains(string(raw), "x_unannounced") {
		t.Error("schema: nothing strays")
	}
}

func TestFaultPages(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	meta := func(name, entity, params string) (*rawjson.Map, []any) {
		_, raw, _ := r.raw(name, entity, params)
		o := parse(t, raw)
		m, _ := o.Value("connector_metadata").(*rawjson.Map)
		list, _ := o.Value("result").([]any)
		return m, list
	}
	first, _ := meta(FaultRepeat, "users", `{"page_size":5}`)
	cursor := first.Text("next_cursor")
	if again,
		_ := meta(FaultRepeat, "users",
		`{"page_size":5,"start_cursor":"`+cursor+`"}`); again.Text("next_cursor") != cursor || cursor == "" {
		t.Errorf("repeat-cursor: %q then %q", cursor, again.Text("next_cursor"))
	}
	if m, _ := meta(FaultNoCursor, "users", `{"page_size":5}`); m.Value("has_more") != true ||
		m.Value("next_cursor") != nil {
		t.Errorf("no-cursor: %s", rawjson.Encode(m))
	}
	if _, list := meta(FaultIgnoreLimit, "customers", `{"limit":5}`); len(list) <= 5 {
		t.Errorf("ignore-limit: %d records", len(list))
	}
	m, one := meta(FaultOverlap, "users", `{"page_size":5}`)
	_, two := meta(FaultOverlap, "users", `{"page_size":5,"start_cursor":"`+m.Text("next_cursor")+`"}`)
	if string(rawjson.Encode(one[len(one)-1])) != string(rawjson.Encode(two[2])) {
		t.Error("overlapping-pages: the second page does not begin with the end of the first")
	}
}

func TestSlowWaitsAndCanBeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Options{Records: 10, Now: time.Now})
		began := time.Now()
		if _, _, err := r.raw(FaultSlow, "customers", "{}"); err != nil || time.Since(began) != 3*time.Second {
			t.Errorf("slow: %v after %v", err, time.Since(began))
		}
	})
}

func TestParseFaults(t *testing.T) {
	got, err := ParseFaults("slow=20ms, rate-limit=3,cut-body")
	if err != nil || len(got) != 3 || got[0] != (Fault{FaultSlow, "20ms"}) || got[1].number(1) != 3 {
		t.Errorf("parsed %v, %v", got, err)
	}
	for _, bad := range []string{"nonsense", "slow=soon", "huge=many"} {
		if _, err := ParseFaults(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
