package sandbox

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// What is read and written again is the same value, its numbers as they were written.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5,null,true,"\u001b\ud83d\ude80"],"b":{}}`, `[]`, `"x"`, `{"a":1,"a":2}`,
		"[1e400]", "{", "-0.0", "[-0,-0e00,1.50,1E+2,123456789012345678901234567890,0.1e-7]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := data.Parse(raw)
		if err != nil {
			return
		}
		first := rawjson.Encode(v)
		if !json.Valid(first) {
			t.Fatalf("%q became %q, which is not JSON", raw, first)
		}
		if was, now := numbersOf(raw), numbersOf(first); !bytes.Contains(raw, []byte(`"`)) && !slices.Equal(was, now) {
			t.Fatalf("the numbers %q became %q", was, now)
		}
		again, err := data.Parse(first)
		if err != nil || !bytes.Equal(first, rawjson.Encode(again)) {
			t.Fatalf("%q became %q (%v)", raw, first, err)
		}
	})
}

// numbersOf are the numbers of a JSON document as they are written.
func numbersOf(raw []byte) (list []string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return list
		}
		if n, ok := token.(json.Number); ok {
			list = append(list, string(n))
		}
	}
}

// No query breaks the service, whatever language it is meant for.
func FuzzQueries(f *testing.F) {
	for _, s := range []string{`project = PROJ AND (status in (Done, "To Do") OR NOT labels is empty) ORDER BY key`,
		`email:"a" AND -name~"bcd"`, `metadata["k"]:"v"`,
		`is:open author:x -label:"a b" in:title word`,
		`SELECT Id FROM Account WHERE Name LIKE 'a%' ORDER BY Name LIMIT 3`, `FIND {a b} RETURNING Account(Id)`,
		`created >= -7d`, `((((`, `project = `} {
		f.Add(s)
	}
	r := newRig(f, Options{Records: 3, Catalog: catalog.New()})
	f.Fuzz(func(t *testing.T, s string) {
		rig := &rig{t: t, s: r.s, http: r.http, ids: r.ids, data: r.data}
		q := string(rawjson.AppendQuoted(nil, s))
		for _, c := range [][4]string{
			{"issue_tracker", "issues", "api_search", `{"jql":` + q + `}`},
			{"payments", "customers", "api_search", `{"query":` + q + `}`},
			{"code_hosting", "issues", "api_search", `{"query":` + q + `}`},
			{"crm", "accounts", "list", `{"q":` + q + `}`}, {"crm", "accounts", "api_search", `{"q":` + q + `}`},
			{"payments", "customers", "list", `{"starting_after":` + q + `,"email":` + q + `}`},
			{"team_wiki", "pages", "list", `{"cursor":` + q + `}`},
		} {
			if status, raw := rig.execute(c[0], c[1], c[2], c[3]); status != 200 && status != 400 && status != 422 ||
				!json.Valid(raw) {
				t.Fatalf("%v: %d %.200s", c, status, raw)
			}
		}
	})
}

// A range of a file is a part of it, or is refused.
func FuzzRange(f *testing.F) {
	f.Add("bytes=0-3")
	f.Add("bytes=-3")
	r := newRig(f, Options{Records: 3, Catalog: catalog.New()})
	call := text(f, r.records("call_recording", "calls", "list", "")[0], "id")
	f.Fuzz(func(t *testing.T, header string) {
		rig := &rig{t: t, s: r.s, http: r.http, ids: r.ids, data: r.data}
		params := `{"filter":{"callIds":["` + call + `"]},"range_header":` + string(rawjson.AppendQuoted(nil, header)) + `}`
		status, part := rig.execute("call_recording", "call_audio", "download", params)
		if status != 200 && status != 416 && (status != 206 || !bytes.Contains(tone, part)) {
			t.Fatalf("%q: %d %.100q", header, status, part)
		}
	})
}
