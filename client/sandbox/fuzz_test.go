package sandbox

import (
	"bytes"
	"encoding/json"
	"testing"

	"patchbay/catalog"
)

// What is read and written again is the same value.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5,null,true,"\u001b\ud83d\ude80"],"b":{}}`, `[]`, `"x"`, `{"a":1,"a":2}`, "[1e400]", "{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseJSON(data)
		if err != nil {
			return
		}
		first := appendJSON(nil, v)
		if !json.Valid(first) {
			t.Fatalf("%q became %q, which is not JSON", data, first)
		}
		again, err := parseJSON(first)
		if err != nil || !bytes.Equal(first, appendJSON(nil, again)) {
			t.Fatalf("%q became %q (%v)", data, first, err)
		}
	})
}

// No query breaks the service, whatever language it is meant for.
func FuzzQueries(f *testing.F) {
	for _, s := range []string{`project = PROJ AND (status in (Done, "To Do") OR NOT labels is empty) ORDER BY key`, `email:"a" AND -name~"bcd"`, `metadata["k"]:"v"`,
		`is:open author:x -label:"a b" in:title word`, `SELECT Id FROM Account WHERE Name LIKE 'a%' ORDER BY Name LIMIT 3`, `FIND {a b} RETURNING Account(Id)`, `created >= -7d`, `((((`, `project = `} {
		f.Add(s)
	}
	r := newRig(f, Options{Records: 3, Catalog: catalog.New()})
	f.Fuzz(func(t *testing.T, s string) {
		rig := &rig{t: t, s: r.s, http: r.http, ids: r.ids, data: r.data}
		q := string(appendString(nil, s))
		for _, c := range [][4]string{
			{"issue_tracker", "issues", "api_search", `{"jql":` + q + `}`}, {"payments", "customers", "api_search", `{"query":` + q + `}`},
			{"code_hosting", "issues", "api_search", `{"query":` + q + `}`}, {"crm", "accounts", "list", `{"q":` + q + `}`}, {"crm", "accounts", "api_search", `{"q":` + q + `}`},
			{"payments", "customers", "list", `{"starting_after":` + q + `,"email":` + q + `}`}, {"team_wiki", "pages", "list", `{"cursor":` + q + `}`},
		} {
			if status, data := rig.execute(c[0], c[1], c[2], c[3]); status != 200 && status != 400 && status != 422 || !json.Valid(data) {
				t.Fatalf("%v: %d %.200s", c, status, data)
			}
		}
	})
}

func FuzzRange(f *testing.F) {
	f.Add("bytes=0-3", 10)
	f.Add("bytes=-3", 10)
	f.Fuzz(func(t *testing.T, header string, size int) {
		size = size & 0xffff
		if from, to, fits := byteRange(header, size); fits && (from < 0 || to > size || from > to) {
			t.Fatalf("%q of %d: [%d, %d)", header, size, from, to)
		}
	})
}
