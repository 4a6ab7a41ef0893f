package local

import (
	"io"
	"net/http"
	"testing"

	"patchbay/client"
	"patchbay/client/download"
)

// TestTheRestOfAFileIsAskedForDirectly breaks the second step of a download and goes on.
func TestTheRestOfAFileIsAskedForDirectly(t *testing.T) {
	const whole = "0123456789"
	s := &server{}
	s.answer = func(r *http.Request, _ string) (int, map[string]string, string) {
		h := map[string]string{"ETag": `"a"`, "Accept-Ranges": "bytes"}
		switch {
		case r.URL.Host != "files.example.com":
			s.cut = false
			return 200, nil, `{"attachments":[{"url":"https://files.example.com/f.pdf"}]}`
		case r.Header.Get("Range") == "":
			s.cut = true
			return 200, h, whole
		}
		if r.Header.Get("Range") != "bytes=5-" || r.Header.Get("If-Range") != `"a"` || r.Header.Get("Accept-Encoding") != "identity" ||
			r.Header.Get("Authorization") != "" {
			t.Errorf("asked with %v", r.Header)
		}
		h["Content-Range"] = "bytes 5-9/10"
		return 206, h, whole[5:]
	}
	c := testClient(s, map[string]string{"PATCHBAY_RECRUITING_API_KEY": "key"})
	op := client.Operation{Entity: "candidate_attachment", Action: "download", Params: []byte(`{"id":1,"attachment_index":0}`)}
	f := download.Spooled()
	if _, err := f.Fetch(t.Context(), c, client.Target{Kind: "recruiting", Local: true}, op); err == nil {
		t.Fatal("the file did not break off")
	}
	if _, err := f.Fetch(t.Context(), c, client.Target{Kind: "recruiting", Local: true}, op); err != nil {
		t.Fatal(err)
	}
	if got, _ := io.ReadAll(f.Result(t.Context(), "f").Spool.Reader()); string(got) != whole {
		t.Errorf("%q", got)
	}
}
