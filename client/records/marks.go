package records

// Marks are rows that a person chose. The zero Marks is empty and ready. A row
// keeps its mark however the table is filtered or sorted.
type Marks struct {
	bits  []uint64
	count int
}

// Has tells whether a row is marked.
func (m *Marks) Has(row int) bool {
	return row >= 0 && row/64 < len(m.bits) && m.bits[row/64]>>(row%64)&1 == 1
}

// Set marks a row, or takes its mark away.
func (m *Marks) Set(row int, on bool) {
	if row < 0 || m.Has(row) == on {
		return
	}
	if row/64 >= len(m.bits) {
		m.bits = append(m.bits, make([]uint64, row/64+1-len(m.bits))...)
	}
	m.bits[row/64] ^= 1 << (row % 64)
	if on {
		m.count++
	} else {
		m.count--
	}
}

// Toggle turns the mark of a row around.
func (m *Marks) Toggle(row int) { m.Set(row, !m.Has(row)) }

// Clear takes all marks away.
func (m *Marks) Clear() { *m = Marks{} }

// Len is the number of marked rows.
func (m *Marks) Len() int { return m.count }

// Rows returns the marked rows in rising order.
func (m *Marks) Rows() []int32 {
	rows := make([]int32, 0, m.count)
	for row := range len(m.bits) * 64 {
		if m.Has(row) {
			rows = append(rows, int32(row))
		}
	}
	return rows
}

// In returns those of rows that are marked, in the order of rows.
func (m *Marks) In(rows []int32) []int32 {
	out := make([]int32, 0, m.count)
	for _, row := range rows {
		if m.Has(int(row)) {
			out = append(out, row)
		}
	}
	return out
}
