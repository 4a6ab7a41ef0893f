package export

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// head writes what stands before the first record.
func (e *Encoder) head() {
	switch e.format {
	case JSON:
		e.write([]byte("["))
	case CSV, Markdown:
		e.header()
	}
}

func (e *Encoder) header() {
	e.buf = e.buf[:0]
	for i := range e.opts.Columns {
		e.cell(i, []byte(e.opts.Columns[i].Name), false)
	}
	e.endRow()
	if e.format == Markdown {
		for range e.opts.Columns {
			e.buf = append(e.buf, "| --- "...)
		}
		e.buf = append(e.buf, "|\n"...)
	}
	e.write(e.buf)
}

// whole appends a record as received, on one line.
func (e *Encoder) whole(n rawjson.Node) {
	e.buf, _ = n.AppendCompact(e.buf, 0)
	e.buf = oneLine(e.buf)
	e.endValue()
}

// object appends an object with the columns that the record has.
func (e *Encoder) object(n rawjson.Node, names client.Names) {
	e.cells = e.plan.Cells(n, names, e.cells)
	e.buf = append(e.buf, '{')
	first := true
	for i, c := range e.cells {
		if !c.Node.Exists() {
			continue
		}
		if !first {
			e.buf = append(e.buf, ',')
		}
		first = false
		e.buf = rawjson.AppendQuoted(e.buf, e.opts.Columns[i].Name)
		e.buf = append(e.buf, ':')
		e.buf, _ = c.Node.AppendCompact(e.buf, 0)
	}
	e.buf = oneLine(append(e.buf, '}'))
	e.endValue()
}

func (e *Encoder) endValue() {
	if e.format == NDJSON {
		e.buf = append(e.buf, '\n')
	}
}

// oneLine escapes control characters: none stands outside strings any more, and inside they are not allowed.
func oneLine(b []byte) []byte {
	if bytes.IndexFunc(b, isControl) < 0 {
		return b
	}
	var out []byte
	for _, c := range b {
		if c < 0x20 || c == 0x7f {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, c)
		}
	}
	return out
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

func (e *Encoder) row(n rawjson.Node, names client.Names) {
	e.cells = e.plan.Cells(n, names, e.cells)
	for i, c := range e.cells {
		e.cell(i, cellText(c), c.Node.Kind() == rawjson.String)
	}
	e.endRow()
}

// cellText is a cell in full: strings decoded, numbers as received, containers
// as compact JSON, nothing for null and absent.
func cellText(c records.Cell) []byte {
	switch c.Node.Kind() {
	case rawjson.Invalid, rawjson.Null:
		return nil
	case rawjson.Array, rawjson.Object:
		text, _ := c.Node.AppendCompact(nil, 0)
		return text
	}
	return []byte(c.Node.Text())
}

func (e *Encoder) endRow() {
	if e.format == Markdown {
		e.buf = append(e.buf, " |\n"...)
		return
	}
	e.buf = append(e.buf, '\n')
}

func (e *Encoder) cell(i int, text []byte, isText bool) {
	if e.format == Markdown {
		lead := " | "
		if i == 0 {
			lead = "| "
		}
		e.buf = appendMarkdown(append(e.buf, lead...), text)
		return
	}
	if i > 0 {
		e.buf = append(e.buf, ',')
	}
	if len(text) == 0 && len(e.opts.Columns) == 1 {
		// A row of one empty field would be an empty line, which readers skip.
		e.buf = append(e.buf, '"', '"')
		return
	}
	e.buf = appendCSV(e.buf, text, isText && e.opts.SafeFormulas)
}

// appendCSV appends a field; control characters other than line breaks and
// tabs are written as \u001b, so that the file can be shown on a terminal.
func appendCSV(dst, text []byte, safe bool) []byte {
	if safe && len(text) > 0 && bytes.IndexByte([]byte("=+-@\t"), text[0]) >= 0 {
		text = append([]byte{'\''}, text...)
	}
	if !needsQuotes(text) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for _, r := range string(text) {
		switch {
		case r == '"':
			dst = append(dst, '"', '"')
		case unsafe(r) && r != '\n' && r != '\t':
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

func needsQuotes(text []byte) bool {
	return bytes.IndexFunc(text, func(r rune) bool {
		return r == ',' || r == '"' || r == utf8.RuneError || unsafe(r)
	}) >= 0 || len(text) > 0 && (text[0] == ' ' || text[len(text)-1] == ' ')
}

// unsafe tells whether a terminal or a reader might act on a rune instead of
// showing it: control characters and marks that turn the writing direction.
func unsafe(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	case r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// MarkdownText is text from anywhere as it can stand in Markdown: on one line,
// and with nothing in it that ends a table's cell or starts markup.
func MarkdownText(s string) string { return string(appendMarkdown(nil, []byte(s))) }

// appendMarkdown appends the text of a table cell: one line, nothing in it ends
// the cell or starts markup of HTML.
func appendMarkdown(dst, text []byte) []byte {
	for _, r := range string(text) {
		switch {
		case r == '|' || r == '\\' || r == '`' || r == '*' || r == '[':
			dst = append(dst, '\\', byte(r))
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '\n':
			dst = append(dst, "<br>"...)
		case r == '\t':
			dst = append(dst, ' ')
		case r == '\r':
		case unsafe(r):
			dst = fmt.Appendf(dst, `\\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}
