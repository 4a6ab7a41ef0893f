package export

import (
	"fmt"
	"unicode/utf8"
)

// Markdown is a table.
var Markdown Format = &markdownTable{about{
	name: "markdown", title: "Markdown table", endings: []string{"md"}, tabular: true}}

type markdownTable struct{ about }

func (f *markdownTable) Head(dst []byte, o Options) []byte {
	dst = f.Record(dst, &Record{Cells: o.names()})
	for range o.Columns {
		dst = append(dst, "| --- "...)
	}
	return append(dst, "|\n"...)
}

func (*markdownTable) Record(dst []byte, r *Record) []byte {
	for _, c := range r.Cells {
		dst = append(appendMarkdown(append(dst, "| "...), c.Text), ' ')
	}
	return append(dst, "|\n"...)
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
