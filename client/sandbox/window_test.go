package sandbox

import (
	"encoding/base64"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// A file that is read window by window, as text and in base64, is the file.
func TestWindowsMakeTheFile(t *testing.T) {
	r := newRig(t, Options{})
	const download = `{"entity":"call_audio","action":"download","params":{"filter":{"callIds":["%ID"]},"contentSelector":{}%MORE}}`
	first := r.records("call_recording", "calls", "list", `{"fromDateTime":"2000-01-01T00:00:00Z"}`)[0].(*rawjson.Map).Text("id")
	path := "/api/v1/integrations/connectors/" + r.connector("demo", "call_recording") + "/execute"
	fetch := func(want int, more string) (*rawjson.Map, string) {
		t.Helper()
		status, _, raw := r.send("POST", path, strings.NewReplacer("%ID", first, "%MORE", more).Replace(download))
		if status != want {
			t.Fatalf("%s: %d %.300s", more, status, raw)
		}
		if want != 200 || more == "" {
			return nil, string(raw)
		}
		return objectIn(parse(t, raw), "result"), ""
	}
	_, whole := fetch(200, "")
	got := ""
	for next, windows := "bytes=0-99", 0; next != ""; windows++ {
		o, _ := fetch(200, `,"_airbyte_response_type":"json","range_header":"`+next+`"`)
		part, err := base64.StdEncoding.DecodeString(o.Text("content"))
		if err != nil || o.Text("encoding") != "base64" || windows > len(whole)/100+1 ||
			o.Value("has_more") != (o.Value("next_range_header") != nil) {
			t.Fatalf("%s: %v %s", next, err, rawjson.Encode(o))
		}
		got, next = got+string(part), o.Text("next_range_header")
	}
	if got != whole {
		t.Errorf("%d bytes in windows, %d in all", len(got), len(whole))
	}
	for _, more := range []string{`,"_airbyte_response_type":"json","_airbyte_response_format":"text"`, // no text
		`,"_airbyte_response_type":"xml"`, `,"_airbyte_response_type":"json","range_header":"bytes=5-"`,
		`,"_airbyte_response_type":"json","range_header":"bytes=0-65536"`,
		`,"_airbyte_response_type":"json","_airbyte_response_format":"text","_airbyte_max_chars":0`} {
		fetch(422, more)
	}
}

// A text comes in windows of characters, a document in Markdown, and a token is of its file.
func TestWindowsOfCharacters(t *testing.T) {
	op := &operation{params: &rawjson.Map{}}
	f := &file{"a.txt", "text/plain", []byte("añb€c"), ""}
	got := ""
	for next := any(int64(0)); next != nil; {
		op.params = rawjson.NewMap("_airbyte_max_chars", int64(2), "_airbyte_text_offset", next, "_airbyte_download_token", f.token())
		o := op.characters(f)
		if o.Value("has_more") != (o.Value("next_offset") != nil) {
			t.Fatalf("%s", rawjson.Encode(o))
		}
		got, next = got+o.Text("content"), o.Value("next_offset")
	}
	if got != string(f.data) {
		t.Errorf("windows make %q", got)
	}
	op.params = rawjson.NewMap("range_header", "bytes=0-1", "_airbyte_response_format", "text")
	if o := op.bytes(f, true); o.Text("content") != "a" || o.Text("next_range_header") != "bytes=1-2" {
		t.Errorf("a cut character: %s", rawjson.Encode(o))
	}
	op.params = &rawjson.Map{}
	if o := op.characters(makeFile("files", "1", "pdf")); !strings.HasPrefix(o.Text("content"), "# ") {
		t.Errorf("a document: %s", rawjson.Encode(o))
	}
	defer func() {
		if _, refused := recover().(*answer); !refused {
			t.Error("the token of another file is taken")
		}
	}()
	op.params = rawjson.NewMap("_airbyte_download_token", "another")
	op.characters(f)
}
