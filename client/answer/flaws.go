package answer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"patchbay/client/quantity"
	"patchbay/client/rawjson"
)

// Broken says in what way a document is not what it should be; empty when it
// is sound, or as long as that is not known.
func (p *Page) Broken() string {
	if p.Document == nil {
		return ""
	}
	d := p.Document
	if err := SourceErr(d.Source); err != nil {
		return "not what it was: " + err.Error()
	}
	if !p.complete {
		return ""
	}
	if flaw := d.flaw.Load(); flaw != nil {
		return *flaw
	}
	// All lines are looked at beside this, which takes a while for many.
	if n, all := int(d.bad.Load()), d.Index.Len(); n > 0 && all > 0 {
		word := linesWord(d.Index)
		return fmt.Sprintf("broken: %s no JSON so far, %d%% looked at",
			quantity.Count(n, word+" is", word+"s are"), d.checked.Load()*100/int64(all))
	}
	if d.Index.Err() == nil && p.Index != nil {
		return ""
	}
	return d.ending(p.Index != nil)
}

// SourceErr is why the bytes of a source are not all those that were opened.
// It does not tell of a stream that ended early: that has another end.
func SourceErr(src rawjson.Source) error {
	if f, ok := src.(*rawjson.File); ok {
		return f.Err()
	}
	return nil
}

// lookForFlaws holds a document against the rules of JSON.
func (d *Document) lookForFlaws(ctx context.Context, json bool) string {
	flaw, lines := d.ending(json), d.Index.Shape() == rawjson.Lines
	switch {
	case flaw != "" && (!lines || !d.Index.CutRecord()):
	case lines:
		flaw = d.badLines(ctx)
	default:
		at := from(rawjson.Root(d.Source)) // a byte order mark is no JSON
		flaw = brokenAt(rawjson.ValidateSeen(ctx, d.Source, at, d.Source.Len(), d.pace()))
	}
	if SourceErr(d.Source) != nil {
		return "" // it is told of for itself; what is missing says nothing
	}
	return flaw
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
	case Blank(d.Source):
		return "empty: there is nothing in it"
	case !json:
		return "not JSON, but " + looksLike(Head(d.Source)) + ": only its bytes can be shown"
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
		return fmt.Sprintf("cut off at line %s, after %s bytes: %s expected, the end found",
			quantity.Digits(bad.Line), quantity.Digits(bad.Offset), bad.Expected)
	case errors.As(err, &bad):
		return fmt.Sprintf("broken at line %s, column %s: %s expected, %s found", quantity.Digits(bad.Line),
			quantity.Digits(bad.Column), bad.Expected, bad.Found)
	}
	return "not readable to its end: " + err.Error()
}

// linesNamed is how many bad lines are named.
const linesNamed = 5

// badLines tells of the values of an NDJSON document that are not JSON: which
// they are, and what is wrong with the first. Reading continues behind them.
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
			at, named = from, append(named, quantity.Digits(line))
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
		return fmt.Sprintf("broken: 1 of %s is no JSON, line %s: %s", LinesText(d.Index), named[0], wrong(first))
	case n > linesNamed:
		named = append(named, fmt.Sprintf("%s more", quantity.Digits(n-linesNamed)))
	}
	last := len(named) - 1
	return fmt.Sprintf("broken: %s of %ss are no JSON, lines %s and %s. The first: %s",
		quantity.Digits(n), quantity.Digits(d.Index.Len())+" "+linesWord(d.Index), strings.Join(named[:last], ", "),
		named[last], wrong(first))
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
	return fmt.Sprintf("%s expected, %s found in column %s", bad.Expected, bad.Found, quantity.Digits(bad.Column))
}

// FlawOf says that a record is no JSON and what is wrong with it; empty where
// its first and last bytes belong together.
func FlawOf(record rawjson.Node) string {
	if !record.Exists() || record.Kind() != rawjson.Invalid && !record.Cut() {
		return ""
	}
	if record.Size() > SmallBody {
		return "no JSON"
	}
	if err := rawjson.Validate(context.Background(), rawjson.Bytes(record.Raw()), 0, record.Size()); err != nil {
		return "no JSON: " + wrong(err)
	}
	return ""
}

// recordsTried is how many records are looked at for one that is JSON.
const recordsTried = 8

// noJSON reports that not even one of the first values is JSON.
func noJSON(x *rawjson.Index) bool {
	first := x.Record(0)
	if x.Shape() == rawjson.List || first.Size() > SmallBody {
		return false
	}
	if first.Kind() >= rawjson.String && x.Shape() == rawjson.Lines {
		return false
	}
	for i := range min(max(x.Len(), 1), recordsTried) {
		if n := x.Record(i); (i == 0 || n.Kind() > rawjson.String) && n.Size() <= SmallBody && rawjson.Valid(n.Raw()) {
			return false
		}
	}
	return first.Kind() < rawjson.String
}

// Blank reports whether there is nothing but white space.
func Blank(src rawjson.Source) bool {
	n := src.Len()
	return n < 64<<10 && len(bytes.TrimSpace(src.Slice(0, n))) == 0
}

// Head is the beginning of a body.
func Head(src rawjson.Source) []byte { return src.Slice(0, min(src.Len(), 4<<10)) }

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
