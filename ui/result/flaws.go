package result

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"patchbay/client/rawjson"
)

// checkedBytes is the size up to which all of a document is held against the
// rules of JSON: a few seconds of work.
const checkedBytes = 512 << 20

// Broken says in what way a document is not what it should be; empty when it
// is sound, or as long as that is not known.
func (p *Page) Broken() string {
	if p.Document == nil || !p.complete {
		return ""
	}
	if flaw := p.Document.flaw.Load(); flaw != nil {
		return *flaw
	}
	if p.Document.Index.Err() == nil && p.Index != nil {
		return ""
	}
	return p.Document.ending(p.Index != nil)
}

// lookForFlaws holds a document against the rules of JSON.
func (d *Document) lookForFlaws(ctx context.Context, json bool) string {
	if t := d.ending(json); t != "" {
		return t
	}
	if d.Source.Len() > checkedBytes {
		return ""
	}
	if d.Index.Shape() == rawjson.Lines {
		return d.badLines(ctx)
	}
	return brokenAt(rawjson.Validate(ctx, d.Source, markLen(d.Source), d.Source.Len()))
}

// ending says how the reading of a document went wrong.
func (d *Document) ending(json bool) string {
	switch {
	case blank(d.Source):
		return "empty: there is nothing in it"
	case !json:
		return "not JSON, but " + looksLike(head(d.Source)) + ": only its bytes can be shown"
	}
	return brokenAt(d.Index.Err())
}

// brokenAt says where a body stops being JSON; empty for no error.
func brokenAt(err error) string {
	var bad *rawjson.SyntaxError
	switch {
	case err == nil, errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &bad) && bad.Cut:
		return fmt.Sprintf("cut off at line %s, after %s bytes: %s expected, the end found", groupDigits(bad.Line), groupDigits(bad.Offset), bad.Expected)
	case errors.As(err, &bad):
		return fmt.Sprintf("broken at line %s, column %s: %s expected, %s found", groupDigits(bad.Line), groupDigits(bad.Column), bad.Expected, bad.Found)
	}
	return "not readable to its end: " + err.Error()
}

// badLines tells of the values of an NDJSON document that are not JSON.
func (d *Document) badLines(ctx context.Context) string {
	first, n := "", 0
	for i := range d.Index.Len() {
		from, to := d.Index.Span(i)
		err := rawjson.Validate(ctx, d.Source, from, to)
		if ctx.Err() != nil {
			return ""
		}
		if err == nil {
			continue
		}
		if n++; n == 1 {
			first = brokenAt(err)
		}
	}
	if n > 1 {
		first += fmt.Sprintf("; %s of %s values are not JSON", groupDigits(n), groupDigits(d.Index.Len()))
	}
	return first
}

// noJSON tells that not even the first value is JSON.
func noJSON(x *rawjson.Index) bool {
	first := x.Record(0)
	if x.Shape() == rawjson.List || first.Size() > smallBody {
		return false
	}
	return first.Kind() < rawjson.String && !rawjson.Valid(first.Raw())
}

// blank tells whether there is nothing but white space.
func blank(src rawjson.Source) bool {
	n := src.Len()
	return n < 64<<10 && len(bytes.TrimSpace(src.Slice(0, n))) == 0
}

// markLen is the length of the byte order mark that a body begins with.
func markLen(src rawjson.Source) int {
	if src.Len() >= 3 && string(src.Slice(0, 3)) == "\xef\xbb\xbf" {
		return 3
	}
	return 0
}

// head is the beginning of a body.
func head(src rawjson.Source) []byte { return src.Slice(0, min(src.Len(), 4<<10)) }

// looksLike says what bytes are that are no JSON.
func looksLike(head []byte) string {
	trimmed := bytes.TrimSpace(head)
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return "UTF-16 text (iconv -f UTF-16 -t UTF-8 makes it UTF-8)"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "compressed by zstd (zstd -dc FILE | patchbay open - reads it)"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a zip archive (unzip -p FILE | patchbay open - reads it)"
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "a Parquet file"
	case bytes.IndexByte(head, 0) >= 0:
		return "binary data"
	case bytes.HasPrefix(trimmed, []byte("<")):
		return "HTML or XML"
	}
	return "text"
}
