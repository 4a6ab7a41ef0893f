package records

import (
	"bytes"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

func TestLinesOfCSV(t *testing.T) {
	for _, c := range []struct {
		comma    rune
		in, want string
	}{
		{',', "id,name,n\n1,Ada,2.50\n", `{"id":1,"name":"Ada","n":2.50}`},
		{',', "\ufeffid,a.b,a.c\nx,,3\ny,1,\nz,,\n", `{"id":"x","a":{"c":3}} {"id":"y","a":{"b":1}} {"id":"z"}`},
		{',', "a,a.b\n1,2\n", `{"a":1,"a.b":2}`},
		{',', "id,tags,text\n007,\"[1,\"\"x\"\"]\",\"two\nlines, \"\"quoted\"\"\"\n",
			`{"id":"007","tags":[1,"x"],"text":"two\nlines, \"quoted\""}`},
		{'\t', "id\tok\n1\ttrue\n2\n", `{"id":1,"ok":true} {"id":2}`},
		{',', "", ``},
		{',', "id\n", ``},
		{',', "a,a\n1,2\n", `{"a":1,"a":2}`},
		{',', ".,a.,.b\n1,2,3\n", `{".":1,"a.":2,".b":3}`},
		{',', "a,b,c\n1,2\n3,\"4\n5\",6,7\n8\n", `{"a":1,"b":2} {"a":3,"b":"4\n5","c":6,"column 4":7} {"a":8}`},
		{',', "a,column 2\n1,2,3\n1,2,,4\n", `{"a":1,"column 2":2,"column 3":3} {"a":1,"column 2":2,"column 4":4}`},
		{',', "x\n1e5\n+1\n0x1\n--\n[oops\n", `{"x":1e5} {"x":"+1"} {"x":"0x1"} {"x":"--"} {"x":"[oops"}`},
	} {
		var b bytes.Buffer
		if _, err := LinesOfCSV(&b, strings.NewReader(c.in), c.comma); err != nil {
			t.Errorf("%q: %v", c.in, err)
		}
		got := strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", " ")
		if got != c.want {
			t.Errorf("%q gives %s, want %s", c.in, got, c.want)
		}
		for line := range strings.Lines(b.String()) {
			if !rawjson.Valid([]byte(strings.TrimSpace(line))) {
				t.Errorf("%q gives no JSON: %s", c.in, line)
			}
		}
	}
}

func TestRowsWiderThanTheHeadAreCounted(t *testing.T) {
	wider, err := LinesOfCSV(&bytes.Buffer{}, strings.NewReader("a,column 3\n1,2,3\n1\n1,2,3,4\n1,2\n"), ',')
	if wider != 2 || err != nil {
		t.Errorf("%d rows are wider, %v", wider, err)
	}
}
