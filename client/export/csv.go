package export

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// CSV is RFC 4180 with a header; nested fields are columns a.b.
var CSV Format = &csvRows{about{name: "csv", title: "CSV", endings: []string{"csv"}, tabular: true}}

type csvRows struct{ about }

func (f *csvRows) Head(dst []byte, o Options) []byte {
	return f.Record(dst, &Record{Cells: o.names(), Options: o})
}

func (*csvRows) Record(dst []byte, r *Record) []byte {
	for i, c := range r.Cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		if len(c.Text) == 0 && len(r.Cells) == 1 {
			// A row of one empty field would be an empty line, which readers skip.
			dst = append(dst, '"', '"')
			continue
		}
		dst = appendCSV(dst, c.Text, c.IsText && r.SafeFormulas)
	}
	return append(dst, '\n')
}

// appendCSV appends a field; control characters other than line breaks and
// tabs are written as \u001b, so that the file can be shown on a terminal.
func appendCSV(dst, text []byte, safe bool) []byte {
	if safe && len(text) > 0 && bytes.IndexByte([]byte("=+-@\t"), text[0]) >= 0 {
		text = append([]byte{'\''}, text...)
	}
	special := func(r rune) bool { return r == ',' || r == '"' || r == utf8.RuneError || unsafe(r) }
	if bytes.IndexFunc(text, special) < 0 && len(bytes.Trim(text, " ")) == len(text) {
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
