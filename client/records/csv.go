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
	root, named := nest(names), len(names)
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
				names = append(names, numbered(names))
				root.put(names[len(names)-1], len(names)-1)
			}
		}
		line = append(root.append(line[:0], cells), '\n')
		if _, err := out.Write(line); err != nil {
			return wider, err
		}
	}
}

// numbered is a name for the next column that the head does not name.
func numbered(names []string) string {
	name := fmt.Sprintf("column %d", len(names)+1)
	for slices.Contains(names, name) {
		name += "'"
	}
	return name
}

// csvObject is one object that the names of the columns make.
type csvObject struct {
	names   []string
	columns []int        // -1 where below is set
	below   []*csvObject // nil for a cell
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
			at, rest = at.child(head), tail
		}
		at.put(rest, i)
	}
	return root
}

// put adds the member that a column fills.
func (b *csvObject) put(name string, column int) {
	b.names, b.columns, b.below = append(b.names, name), append(b.columns, column), append(b.below, nil)
}

func (b *csvObject) child(name string) *csvObject {
	for i := range b.names {
		if b.names[i] == name && b.below[i] != nil {
			return b.below[i]
		}
	}
	next := &csvObject{}
	b.names, b.columns, b.below = append(b.names, name), append(b.columns, -1), append(b.below, next)
	return next
}

// append writes the object that a row holds.
func (b *csvObject) append(dst []byte, cells []string) []byte {
	dst = append(dst, '{')
	first := true
	for i, name := range b.names {
		if !b.holds(i, cells) {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(rawjson.AppendQuoted(dst, name), ':')
		if b.below[i] != nil {
			dst = b.below[i].append(dst, cells)
			continue
		}
		dst = appendCell(dst, cells[b.columns[i]])
	}
	return append(dst, '}')
}

// holds tells whether a row has something for member i.
func (b *csvObject) holds(i int, cells []string) bool {
	if b.below[i] == nil {
		return b.columns[i] < len(cells) && cells[b.columns[i]] != ""
	}
	for k := range b.below[i].names {
		if b.below[i].holds(k, cells) {
			return true
		}
	}
	return false
}

// appendCell writes a cell as the value that its text is.
func appendCell(dst []byte, cell string) []byte {
	switch c := cell[0]; {
	case cell == "true", cell == "false", (c == '-' || c >= '0' && c <= '9') && len(cell) < 40 && rawjson.Valid([]byte(cell)),
		(c == '{' || c == '[') && !strings.ContainsAny(cell, "\r\n") && rawjson.Valid([]byte(cell)):
		return append(dst, cell...)
	}
	return rawjson.AppendQuoted(dst, strings.ToValidUTF8(cell, "\uFFFD"))
}
