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
)

// raw runs an operation on a connector of the workspace of faults.
func (r *rig) raw(name, entity, params string) (*http.Response, []byte, error) {
	r.t.Helper()
	req, err := http.NewRequest("POST", BaseURL+"/api/v1/integrations/connectors/"+r.connector("faults", name)+"/execute",
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
	data, err := io.ReadAll(res.Body)
	return res, data, err
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
			res, data, _ := r.raw(c.name, c.entity, "{}")
			if res.StatusCode != want {
				t.Errorf("%s, call %d: %d %.100s, want %d", c.name, i+1, res.StatusCode, data, want)
			}
			if want == 429 && res.Header.Get("Retry-After") != "1" {
				t.Errorf("429 says Retry-After %q", res.Header.Get("Retry-After"))
			}
		}
	}
}

func TestFaultBodies(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	if _, data, err := r.raw(FaultCut, "customers", "{}"); !errors.Is(err, io.ErrUnexpectedEOF) || json.Valid(data) {
		t.Errorf("cut body: %v", err)
	}
	if res, data, _ := r.raw(FaultHTML, "customers", "{}"); !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || !strings.HasPrefix(string(data), "<!DOCTYPE") {
		t.Error("html: no page")
	}
	if res, data, _ := r.raw(FaultContentType, "customers", "{}"); res.Header.Get("Content-Type") != "text/plain" || !json.Valid(data) {
		t.Error("content-type: not JSON as text/plain")
	}
	res, data, _ := r.raw(FaultGzip, "customers", "{}")
	if z, err := gzip.NewReader(strings.NewReader(string(data))); res.Header.Get("Content-Encoding") != "gzip" || err != nil {
		t.Errorf("gzip: %v", err)
	} else if plain, _ := io.ReadAll(z); !json.Valid(plain) {
		t.Error("gzip: no JSON inside")
	}
	if _, data, _ := r.raw(FaultInvalidUTF8, "customers", "{}"); utf8.Valid(data) {
		t.Error("invalid-utf8: the body is valid")
	}
	if _, data, _ := r.raw(FaultHuge, "customers", "{}"); len(data) < 50<<20 || !json.Valid(data[len(data)-200:]) && data[len(data)-1] != '}' {
		t.Errorf("huge: %d bytes", len(data))
	}
	if _, data, _ := r.raw(FaultSchema, "customers", "{}"); !strings.Contains(string(data), "x_unannounced") {
		t.Error("schema: nothing strays")
	}
}

func TestFaultPages(t *testing.T) {
	r := newRig(t, Options{Records: 40})
	meta := func(name, entity, params string) (*object, []any) {
		_, data, _ := r.raw(name, entity, params)
		o := parse(t, data)
		m, _ := o.value("connector_metadata").(*object)
		list, _ := o.value("result").([]any)
		return m, list
	}
	first, _ := meta(FaultRepeat, "users", `{"page_size":5}`)
	cursor := first.text("next_cursor")
	if again, _ := meta(FaultRepeat, "users", `{"page_size":5,"start_cursor":"`+cursor+`"}`); again.text("next_cursor") != cursor || cursor == "" {
		t.Errorf("repeat-cursor: %q then %q", cursor, again.text("next_cursor"))
	}
	if m, _ := meta(FaultNoCursor, "users", `{"page_size":5}`); m.value("has_more") != true || m.value("next_cursor") != nil {
		t.Errorf("no-cursor: %s", appendObject(nil, m))
	}
	if _, list := meta(FaultIgnoreLimit, "customers", `{"limit":5}`); len(list) <= 5 {
		t.Errorf("ignore-limit: %d records", len(list))
	}
	m, one := meta(FaultOverlap, "users", `{"page_size":5}`)
	_, two := meta(FaultOverlap, "users", `{"page_size":5,"start_cursor":"`+m.text("next_cursor")+`"}`)
	if string(appendJSON(nil, one[len(one)-1])) != string(appendJSON(nil, two[overlap-1])) {
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
