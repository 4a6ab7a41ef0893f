package sandbox

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"unicode/utf8"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Windows of a file that come as JSON.
const (
	presetChars = 20_000
	mostChars   = 100_000 // more are not refused, and not sent
	// presetBytes and presetText are the bytes of a window that is asked for by bytes,
	// mostBytes the most of them.
	presetBytes = 49_152
	presetText  = 15_360
	mostBytes   = 65_536
)

// window is a part of a file as JSON: characters of a text, or bytes.
func (op *operation) window(f *file) *answer {
	asText := op.params.Text(catalog.WindowFormat) == "text"
	if asText && !op.params.Has("range_header") {
		return op.call.envelope(op.characters(f), nil)
	}
	return op.call.envelope(op.bytes(f, asText), nil)
}

// characters is a window of the file's text, which a document has in Markdown.
func (op *operation) characters(f *file) *rawjson.Map {
	whole := f.data
	if f.markdown != "" {
		whole = []byte(f.markdown)
	}
	if !utf8.Valid(whole) {
		op.notText()
	}
	if token := op.params.Text(catalog.WindowToken); token != "" && token != f.token() {
		panic(refuseParam(http.StatusBadRequest, catalog.WindowToken, "invalid_token",
			"The token is not that of this file: read it again from its beginning."))
	}
	text := []rune(string(whole))
	offset, _ := data.Int(op.params.Value(catalog.WindowOffset))
	size, given := data.Int(op.params.Value(catalog.WindowChars))
	if !given {
		size = presetChars
	}
	from := min(int(offset), len(text))
	to := min(from+int(min(size, mostChars)), len(text))
	next := any(nil)
	if to < len(text) {
		next = int64(to)
	}
	return rawjson.NewMap("content", string(text[from:to]), "encoding", "utf-8", "content_type", f.mime,
		"text_offset", int64(from), "next_offset", next, "has_more", next != nil, "download_token", f.token())
}

// byteRange is a range of bytes with both ends.
var byteRange = regexp.MustCompile(`^bytes=(\d+)-(\d+)$`)

// bytes is a window of the file's bytes, in base64 or as text.
func (op *operation) bytes(f *file, asText bool) *rawjson.Map {
	size := presetBytes
	if asText {
		size = presetText
	}
	asked := op.params.Text("range_header")
	if asked == "" {
		asked = fmt.Sprintf("bytes=0-%d", size-1)
	}
	ends := byteRange.FindStringSubmatch(asked)
	if ends == nil {
		panic(refuseParam(http.StatusUnprocessableEntity, "range_header", "format",
			"range_header must name both ends, as in bytes=0-%d.", size-1))
	}
	first, firstErr := strconv.Atoi(ends[1])
	last, lastErr := strconv.Atoi(ends[2])
	if firstErr != nil || lastErr != nil || last < first || last-first+1 > mostBytes {
		panic(refuseParam(http.StatusUnprocessableEntity, "range_header", "range",
			"range_header must name 1 to %d bytes.", mostBytes))
	}
	size = last - first + 1
	first = min(first, len(f.data))
	part := f.data[first:min(first+size, len(f.data))]
	content, encoding := base64.StdEncoding.EncodeToString(part), "base64"
	if asText {
		part = op.wholeRunes(part)
		content, encoding = string(part), "utf-8"
	}
	next, following := first+len(part), any(nil)
	if next < len(f.data) {
		following = fmt.Sprintf("bytes=%d-%d", next, next+size-1)
	}
	return rawjson.NewMap("content", content, "encoding", encoding, "bytes_returned", int64(len(part)),
		"range_requested", asked, "next_range_header", following, "has_more", following != nil, "content_type", f.mime)
}

// wholeRunes leaves out a character that a window of a text cuts in two.
func (op *operation) wholeRunes(part []byte) []byte {
	end := len(part)
	for end > 0 && end > len(part)-utf8.UTFMax && !utf8.Valid(part[:end]) {
		end--
	}
	if !utf8.Valid(part[:end]) || end == 0 && len(part) > 0 {
		op.notText()
	}
	return part[:end]
}

func (op *operation) notText() {
	panic(refuseParam(http.StatusUnprocessableEntity, catalog.WindowFormat, "not_text",
		"The file is no text in UTF-8: ask for it in base64."))
}
