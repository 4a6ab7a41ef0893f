package transport

import (
	"net/http"
	"testing"

	"patchbay/client"
)

func TestWhatAnAnswerSaysOfItsFile(t *testing.T) {
	header := func(pairs ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	for name, c := range map[string]struct {
		status int
		header http.Header
		want   client.FileHead
	}{
		"whole": {200, header("Content-Type", "text/csv", "ETag", `"a"`, "Accept-Ranges", "bytes", "Content-Disposition", `attachment; filename="../a.csv"`),
			client.FileHead{Status: 200, ContentType: "text/csv", ETag: `"a"`, Total: 10, Ranges: true, Name: "a.csv"}},
		"packed":                    {200, header("Content-Encoding", "gzip", "Accept-Ranges", "bytes"), client.FileHead{Status: 200, Total: -1}},
		"part":                      {206, header("Content-Range", "bytes 5-9/15"), client.FileHead{Status: 206, From: 5, Total: 15, Ranges: true}},
		"part of what nobody knows": {206, header("Content-Range", "bytes 5-9/*"), client.FileHead{Status: 206, From: 5, Total: -1, Ranges: true}},
		"part of nothing":           {206, header("Content-Range", "bytes */15"), client.FileHead{Status: 206, From: -1, Total: -1}},
		"part that is not told":     {206, header(), client.FileHead{Status: 206, From: -1, Total: -1}},
	} {
		if got := fileHead(&http.Response{StatusCode: c.status, Header: c.header, ContentLength: 10}); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestOnlyAStrongTagAsksForARest(t *testing.T) {
	for _, c := range []struct{ tag, modified, want string }{{`"a"`, "x", `"a"`}, {`W/"a"`, "x", "x"}, {`W/"a"`, "", ""}, {"", "", ""}} {
		if got := (client.FileHead{ETag: c.tag, Modified: c.modified}).Validator(); got != c.want {
			t.Errorf("%q %q: %q", c.tag, c.modified, got)
		}
	}
	h := http.Header{}
	AskForPart(h, client.FilePart{From: 7, Validator: `"a"`})
	if h.Get("Range") != "bytes=7-" || h.Get("If-Range") != `"a"` || h.Get("Accept-Encoding") != "identity" {
		t.Error(h)
	}
}
