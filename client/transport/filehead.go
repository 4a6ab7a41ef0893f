package transport

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"patchbay/client"
)

// AskForPart adds the headers that ask for the part that a writer misses. The
// bytes are to come as they are: offsets of a packed body mean nothing.
func AskForPart(h http.Header, p client.FilePart) {
	h.Set("Accept-Encoding", "identity")
	if p.From > 0 {
		h.Set("Range", RangeOf(p))
		AskUnchanged(h, p)
	}
}

// AskUnchanged adds the header that asks for the whole of a file that is another one by now.
func AskUnchanged(h http.Header, p client.FilePart) {
	if p.From > 0 && p.Validator != "" {
		h.Set("If-Range", p.Validator)
	}
}

// RangeOf is the value of a Range header for a part.
func RangeOf(p client.FilePart) string { return fmt.Sprintf("bytes=%d-", p.From) }

// fileHead reads what an answer says of the file that it brings.
func fileHead(res *http.Response) client.FileHead {
	h := client.FileHead{Status: res.StatusCode, ContentType: res.Header.Get("Content-Type"),
		Name: FileName(res.Header), ETag: res.Header.Get("ETag"), Modified: res.Header.Get("Last-Modified"),
		Total: res.ContentLength, Ranges: strings.EqualFold(res.Header.Get("Accept-Ranges"), "bytes")}
	if res.Header.Get("Content-Encoding") != "" {
		h.Total, h.Ranges = -1, false // what arrives has another size
	}
	if res.StatusCode == http.StatusPartialContent {
		h.From, h.Total = contentRange(res.Header.Get("Content-Range"))
		h.Ranges = h.From >= 0
	}
	return h
}

// contentRange reads "bytes 100-199/500"; from is -1 where it says nothing of use,
// and so is the total.
func contentRange(value string) (from, total int64) {
	span, size, found := strings.Cut(strings.TrimPrefix(value, "bytes "), "/")
	first, _, dash := strings.Cut(span, "-")
	from, err := strconv.ParseInt(strings.TrimSpace(first), 10, 64)
	if !found || !dash || err != nil || from < 0 {
		return -1, -1
	}
	if total, err = strconv.ParseInt(strings.TrimSpace(size), 10, 64); err != nil || total <= from {
		total = -1
	}
	return from, total
}
