package result

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/ui/text"
)

// Broken says in what way a document is not what it should be; empty when it
// is sound, or as long as that is not known.
func (p *Page) Broken() string {
	if p.Document == nil {
		return ""
	}
	if err := sourceErr(p.Document.Source); err != nil {
		return "not what it was: " + err.Error()
	}
	if !p.complete {
		return ""
	}
	if flaw := p.Document.flaw.Load(); flaw != nil {
		return *flaw
	}
	if t := p.Document.badSoFar(); t != "" {
		return t
	}
	if p.Document.Index.Err() == nil && p.Index != nil {
		return ""
	}
	return p.Document.ending(p.Index != nil)
}

// sourceErr is why the bytes of a source are not all those that were opened.
// It does not tell of a stream that ended early: that has another end.
func sourceErr(src rawjson.Source) error {
	if f, ok := src.(*rawjson.File); ok {
		return f.Err()
	}
	return nil
}

// lookForFlaws holds a document against the rules of JSON.
func (d *Document) lookForFlaws(ctx context.Context, json bool) string {
	flaw := d.flawInBytes(ctx, json)
	if sourceErr(d.Source) != nil {
		return "" // it is told of for itself; what is missing says nothing
	}
	return flaw
}

func (d *Document) flawInBytes(ctx context.Context, json bool) string {
	if t := d.ending(json); t != "" && (d.Index.Shape() != rawjson.Lines || !d.Index.CutRecord()) {
		return t
	}
	if d.Index.Shape() == rawjson.Lines {
		return d.badLines(ctx)
	}
	return brokenAt(rawjson.ValidateSeen(ctx, d.Source, markLen(d.Source), d.Source.Len(), d.pace()))
}

// unhurried is the size from which the look at all of a document takes so long
// that somebody waits for other things meanwhile.
const unhurried = 256 << 20

// pace leaves half of the time to others while a large document is looked at.
func (d *Document) pace() func(int) {
	if d.Source.Len() < unhurried {
		return func(int) {}
	}
	last := time.Now()
	return func(int) {
		time.Sleep(time.Since(last))
		last = time.Now()
	}
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

// linesNamed is how many bad lines are named.
const linesNamed = 5

// badLines tells of the values of an NDJSON document that are not JSON: which
// they are, and what is wrong with the first. Reading goes on behind them.
func (d *Document) badLines(ctx context.Context) string {
	var first error
	var named []string
	n, at, line := 0, 0, 1
	bad := func(i int) {
		from, to := d.Index.Span(i)
		if n++; n == 1 {
			first = rawjson.Validate(ctx, d.Source, from, to)
		}
		if n <= linesNamed {
			line += breaks(d.Source, at, from)
			at, named = from, append(named, groupDigits(line))
		}
		d.bad.Store(int64(n))
	}
	pace := d.pace()
	err := d.Index.Check(ctx, bad, func(n int) { d.checked.Store(int64(n)); pace(n) })
	switch {
	case err != nil, n == 0:
		return ""
	case n == 1 && d.Index.CutRecord():
		return brokenAt(first)
	case n == 1:
		return fmt.Sprintf("broken: 1 of %s is no JSON, line %s: %s", linesText(d.Index), named[0], wrong(first))
	case n > linesNamed:
		named = append(named, fmt.Sprintf("%s more", groupDigits(n-linesNamed)))
	}
	last := len(named) - 1
	return fmt.Sprintf("broken: %s of %ss are no JSON, lines %s and %s. The first: %s",
		groupDigits(n), groupDigits(d.Index.Len())+" "+linesWord(d.Index), strings.Join(named[:last], ", "), named[last], wrong(first))
}

// badSoFar tells of the lines that are known to be no JSON while all of them are
// looked at, which takes a while for many; empty while there is none.
func (d *Document) badSoFar() string {
	n, all := int(d.bad.Load()), d.Index.Len()
	if n == 0 || all == 0 {
		return ""
	}
	return fmt.Sprintf("broken: %s no JSON so far, %d%% looked at", text.Count(n, linesWord(d.Index)+" is", linesWord(d.Index)+"s are"), d.checked.Load()*100/int64(all))
}

// breaks counts the line breaks in bytes [from, to).
func breaks(src rawjson.Source, from, to int) int {
	n := 0
	for from < to {
		end := min(from+64<<10, to)
		n += bytes.Count(src.Slice(from, end), []byte{'\n'})
		from = end
	}
	return n
}

// wrong says what is wrong with one line.
func wrong(err error) string {
	var bad *rawjson.SyntaxError
	switch {
	case !errors.As(err, &bad):
		return err.Error()
	case bad.Cut:
		return bad.Expected + " expected, the end of the line found"
	}
	return fmt.Sprintf("%s expected, %s found in column %s", bad.Expected, bad.Found, groupDigits(bad.Column))
}

// flawOf says that a record is no JSON and what is wrong with it; empty where
// its first and last bytes belong together.
func flawOf(record rawjson.Node) string {
	if !record.Exists() || record.Kind() != rawjson.Invalid && !record.Cut() {
		return ""
	}
	if record.Size() > smallBody {
		return "no JSON"
	}
	if err := rawjson.Validate(context.Background(), rawjson.Bytes(record.Raw()), 0, record.Size()); err != nil {
		return "no JSON: " + wrong(err)
	}
	return ""
}

// recordsTried is how many records are looked at for one that is JSON.
const recordsTried = 8

// noJSON tells that not even one of the first values is JSON.
func noJSON(x *rawjson.Index) bool {
	first := x.Record(0)
	if x.Shape() == rawjson.List || first.Size() > smallBody {
		return false
	}
	if first.Kind() >= rawjson.String && x.Shape() == rawjson.Lines {
		return false
	}
	for i := range min(max(x.Len(), 1), recordsTried) {
		if n := x.Record(i); (i == 0 || n.Kind() > rawjson.String) && n.Size() <= smallBody && rawjson.Valid(n.Raw()) {
			return false
		}
	}
	return first.Kind() < rawjson.String
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
