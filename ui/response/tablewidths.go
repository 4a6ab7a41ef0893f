package response

import (
	"slices"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/text"
)

// Kinds of columns by how they give way where there is little room.
const (
	ofText    = iota // cut at the end
	ofTimes          // shown in a shorter form
	ofIDs            // cut in the middle
	ofNumbers        // never cut
)

const (
	// leastText and leastID are what columns of texts and of ids keep.
	leastText, leastID = 10, 14
	// widestNumber is how wide a column of numbers becomes by itself.
	widestNumber = 60
	// widestText is how wide a column of texts becomes where there is room.
	widestText = 80
)

// timeForms are the widths of a time in its forms: a date with the time to the second,
// to the minute, a date alone.
var timeForms = []int{19, 16, 10}

// measure finds the widths from the first records, so that nothing jumps while scrolling.
func (v *tableView) measure() {
	for i := range v.columns {
		c := &v.columns[i]
		c.need = max(text.Width(text.Sanitize(c.Title))+2, minColumnWidth)
	}
	type counts struct{ seen, numbers, times int }
	held := make([]counts, len(v.columns))
	var cells []records.Cell
	for row := range min(v.set.Len(), widthSample) {
		cells = v.table.Row(row, cells)
		for i, cell := range cells {
			if cell.State != records.Value {
				continue
			}
			c, h := &v.columns[i], &held[i]
			shown := cellText(&c.Column, cell, nil)
			h.seen++
			switch {
			case timeWidth(shown, widest) > 0:
				h.times++
			case cell.Node.Kind() == rawjson.Number:
				h.numbers++
			}
			if c.need < widestText {
				c.need = max(c.need, min(text.Width(shown)+1, widestText))
			}
		}
	}
	for i := range v.columns {
		c, h := &v.columns[i], held[i]
		switch {
		case h.seen > 0 && h.times == h.seen:
			c.of = ofTimes
		case h.seen > 0 && h.numbers == h.seen && !identifies(&c.Column):
			c.of = ofNumbers
		case identifies(&c.Column):
			c.of = ofIDs
		default:
			c.of = ofText
		}
		c.right = h.seen > 0 && h.numbers == h.seen
		c.need += text.Width(v.brokenMark(c.Name)) // the sample may have shown it
		most := maxColumnWidth
		if c.of == ofNumbers {
			most = widestNumber
		}
		c.natural = min(c.need, most)
		if w := v.widths[c.Name]; w > 0 {
			c.natural, c.need = w, w
		}
		c.width = c.natural
	}
}

// byHand reports whether a person set the width of a column.
func (v *tableView) byHand(c *column) bool { return v.widths[c.Name] > 0 }

// least is the width down to which a column gives way.
func (v *tableView) least(c *column) int {
	least := c.natural
	switch {
	case v.byHand(c):
	case c.of == ofText:
		least = leastText
	case c.of == ofIDs:
		least = leastID
	case c.of == ofTimes:
		least = timeForms[len(timeForms)-1]
	}
	return min(least, c.natural)
}

// unshare gives each column the width that it would have alone.
func (v *tableView) unshare() {
	v.until = len(v.columns)
	for i := range v.columns {
		v.columns[i].width = v.columns[i].natural
	}
}

// share divides w cells among the columns on the screen by what they need: one that would
// be cut at the right edge and is no text takes room from texts, then from times, then from ids.
func (v *tableView) share(w int) {
	list := v.shown(w)
	if len(list) == 0 {
		return
	}
	used := v.gutter() - 1
	for _, i := range list {
		used += v.columns[i].width + 1
	}
	last := &v.columns[list[len(list)-1]]
	switch {
	case used > w && last.of == ofText, used > w && v.giveWay(list, used-w):
	case used > w && len(list) > 1: // half of it would mislead
		v.until = list[len(list)-1]
		if used -= last.width + 1; used < w {
			v.widen(list[:len(list)-1], w-used)
		}
	case used < w:
		v.widen(list, w-used)
	}
}

// giveWay takes cells from the columns; false, and nothing taken, where they cannot
// give as many.
func (v *tableView) giveWay(list []int, over int) bool {
	spare := 0
	for _, i := range list {
		spare += v.columns[i].width - v.least(&v.columns[i])
	}
	if spare < over {
		return false
	}
	for _, of := range []int{ofText, ofTimes, ofIDs} {
		for over > 0 {
			c := v.widestOf(list, of)
			if c == nil {
				break
			}
			less := c.width - 1
			if of == ofTimes {
				less = timeForms[slices.IndexFunc(timeForms, func(form int) bool { return form < c.width })]
			}
			over -= c.width - less
			c.width = less
		}
	}
	if over < 0 { // a date gave more than was asked for
		v.widen(list, -over)
	}
	return true
}

// widestOf is the widest column of a kind that can give way; nil without one.
func (v *tableView) widestOf(list []int, of int) (found *column) {
	for _, i := range list {
		c := &v.columns[i]
		if c.of == of && c.width > v.least(c) && (found == nil || c.width > found.width) {
			found = c
		}
	}
	return found
}

// widen gives air to the columns that are narrower than what they hold, from the left.
func (v *tableView) widen(list []int, air int) {
	for _, i := range list {
		c := &v.columns[i]
		if c.of == ofTimes || v.byHand(c) {
			continue
		}
		more := min(max(c.need-c.width, 0), air)
		c.width += more
		air -= more
	}
}

// timeWidth is the width of the longest form of a time that fits into w cells; 0 where
// the text is no time, or not even its date fits.
func timeWidth(t text.Safe, w int) int {
	if !isTime(string(t)) {
		return 0
	}
	if len(t) <= w {
		return len(t)
	}
	for _, form := range timeForms {
		if form <= w && form <= len(t) {
			return form
		}
	}
	return 0
}

// isTime reports whether a text is a date, or a date with a time, as programs write it.
func isTime(t string) bool {
	return begins(t, "0000-00-00") && (len(t) == 10 ||
		len(t) <= 35 && (t[10] == 'T' || t[10] == ' ') && begins(t[11:], "00:00"))
}

// begins reports whether a text has digits where the pattern has 0, and is equal elsewhere.
func begins(t, pattern string) bool {
	if len(t) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if digit := t[i] >= '0' && t[i] <= '9'; pattern[i] == '0' && !digit || pattern[i] != '0' && t[i] != pattern[i] {
			return false
		}
	}
	return true
}
