package records

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// LinesOfCSV writes the rows of a table of text, whose first row names the
// columns, as JSON lines, one object for each. Dotted names become nested
// objects again, cells that are JSON numbers, true, false, arrays or objects
// become these, and empty cells are left out. Cells beyond the columns named
// get a column by number each; wider tells in how many rows there are such.
func LinesOfCSV(w io.Writer, r io.Reader, comma rune) (wider int, err error) {
	in := csv.NewReader(r)
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.ReuseRecord = comma, true, -1, true
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("the head of the table cannot be read: %w", err)
	}
	names := append([]string(nil), header...)
	names[0] = strings.TrimPrefix(names[0], "\ufeff")
	root, taken, named := nest(names), map[string]bool{}, len(names)
	for _, name := range names {
		taken[name] = true
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var line []byte
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return wider, out.Flush()
		}
		if err != nil {
			return wider, errors.Join(out.Flush(), err)
		}
		if len(cells) > named {
			wider++
			for len(names) < len(cells) {
				name := fmt.Sprintf("column %d", len(names)+1)
				for taken[name] {
					name += "'"
				}
				taken[name] = true
				root.members = append(root.members, csvMember{name: name, column: len(names)})
				names = append(names, name)
			}
		}
		line, _ = root.append(line[:0], cells)
		if _, err := out.Write(append(line, '\n')); err != nil {
			return wider, err
		}
	}
}

// csvObject is one object that the names of the columns make.
type csvObject struct{ members []csvMember }

// csvMember is a cell of a row, or an object of several.
type csvMember struct {
	name   string
	column int
	below  *csvObject // nil for a cell
}

// nest makes objects of dotted names. A name that would be an object and a
// value at once stays as it is.
func nest(names []string) *csvObject {
	root := &csvObject{}
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	for i, name := range names {
		at, rest := root, name
		for {
			head, tail, more := strings.Cut(rest, ".")
			if !more || head == "" || tail == "" || taken[strings.TrimSuffix(name, "."+tail)] {
				break
			}
			k := slices.IndexFunc(at.members, func(m csvMember) bool { return m.name == head && m.below != nil })
			if k < 0 {
				k = len(at.members)
				at.members = append(at.members, csvMember{name: head, below: &csvObject{}})
			}
			at, rest = at.members[k].below, tail
		}
		at.members = append(at.members, csvMember{name: rest, column: i})
	}
	return root
}

// append writes the object that a row holds; held is false where that is nothing.
func (o *csvObject) append(dst []byte, cells []string) (out []byte, held bool) {
	dst = append(dst, '{')
	for _, m := range o.members {
		before, holds := len(dst), false
		if held {
			dst = append(dst, ',')
		}
		dst = append(rawjson.AppendQuoted(dst, m.name), ':')
		if m.below != nil {
			dst, holds = m.below.append(dst, cells)
		} else if m.column < len(cells) && cells[m.column] != "" {
			dst, holds = appendCell(dst, cells[m.column]), true
		}
		if !holds {
			dst = dst[:before]
		}
		held = held || holds
	}
	return append(dst, '}'), held
}

// appendCell writes a cell as the value that its text is.
func appendCell(dst []byte, cell string) []byte {
	switch c := cell[0]; {
	case cell == "true", cell == "false", (c == '-' || c >= '0' && c <= '9') && len(cell) < 40 &&
		rawjson.Valid([]byte(cell)),
		(c == '{' || c == '[') && !strings.ContainsAny(cell, "\r\n") && rawjson.Valid([]byte(cell)):
		return append(dst, cell...)
	}
	return rawjson.AppendQuoted(dst, strings.ToValidUTF8(cell, "\uFFFD"))
}
