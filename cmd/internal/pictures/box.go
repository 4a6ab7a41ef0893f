package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// shape says to which sides a box-drawing character reaches.
type shape uint8

const (
	left shape = 1 << iota
	right
	up
	down
	heavy
	round
)

// boxShapes are the characters that are drawn as lines: fonts leave gaps between them.
var boxShapes = map[string]shape{
	"─": left | right, "│": up | down,
	"╭": right | down | round, "╮": left | down | round, "╰": right | up | round, "╯": left | up | round,
	"├": up | down | right, "┤": up | down | left, "┬": left | right | down, "┴": left | right | up,
	"┼": left | right | up | down,
	"━": left | right | heavy, "┃": up | down | heavy, "┏": right | down | heavy, "┓": left | down | heavy,
	"┗": right | up | heavy, "┛": left | up | heavy,
}

// pen is a colour of lines, and their weight.
type pen struct {
	color        string
	faint, heavy bool
}

// bar is a straight line along cells: from the middle or edge of one to that of another, in half cells.
type bar struct{ fixed, from, to int }

// strokes collects lines so that those that meet become one.
type strokes map[pen]*lines

type lines struct {
	across, along []bar
	// corners are quarter circles: the middle of the cell, and where they lead.
	corners []corner
}

type corner struct{ x, y, dx, dy int }

// add adds the lines of one character. Coordinates are half cells, so that the middle of a cell is odd.
func (s strokes) add(k pen, sh shape, x, y int) {
	k.heavy = sh&heavy != 0
	l := s[k]
	if l == nil {
		l = &lines{}
		s[k] = l
	}
	cx, cy := 2*x+1, 2*y+1
	if sh&round != 0 {
		toward := map[bool]int{true: 1, false: -1}
		l.corners = append(l.corners, corner{cx, cy, toward[sh&right != 0], toward[sh&down != 0]})
		return
	}
	half := func(list *[]bar, side shape, fixed, from, to int) {
		if sh&side != 0 {
			*list = append(*list, bar{fixed, from, to})
		}
	}
	half(&l.across, left, cy, cx-1, cx)
	half(&l.across, right, cy, cx, cx+1)
	half(&l.along, up, cx, cy-1, cy)
	half(&l.along, down, cx, cy, cy+1)
}

// joined merges bars that touch.
func joined(list []bar) []bar {
	slices.SortFunc(list, func(a, b bar) int { return cmp.Or(a.fixed-b.fixed, a.from-b.from) })
	var out []bar
	for _, b := range list {
		if n := len(out); n > 0 && out[n-1].fixed == b.fixed && out[n-1].to >= b.from {
			out[n-1].to = max(out[n-1].to, b.to)
			continue
		}
		out = append(out, b)
	}
	return out
}

// write draws one path per colour and weight.
func (s strokes) write(w io.Writer) {
	across := func(halves int) string { return num(float64(halves) * cellW / 2) }
	along := func(halves int) string { return num(float64(halves) * cellH / 2) }
	byLook := func(a, b pen) int { return strings.Compare(a.attributes(), b.attributes()) }
	for _, k := range slices.SortedFunc(maps.Keys(s), byLook) {
		fmt.Fprintf(w, `<path fill="none" %s stroke-linecap="square" d="`, k.attributes())
		for _, b := range joined(s[k].across) {
			fmt.Fprintf(w, "M%s %sH%s", across(b.from), along(b.fixed), across(b.to))
		}
		for _, b := range joined(s[k].along) {
			fmt.Fprintf(w, "M%s %sV%s", across(b.fixed), along(b.from), along(b.to))
		}
		for _, c := range s[k].corners {
			fmt.Fprintf(w, "M%s %sQ%s %s %s %s", across(c.x), along(c.y+c.dy), across(c.x), along(c.y),
				across(c.x+c.dx), along(c.y))
		}
		fmt.Fprint(w, `"/>`+"\n")
	}
}

// attributes are those of the path that the pen draws.
func (p pen) attributes() string {
	width, opacity := "1.2", ""
	if p.heavy {
		width = "2.4"
	}
	if p.faint {
		opacity = ` stroke-opacity=".6"`
	}
	return `stroke="` + p.color + `" stroke-width="` + width + `"` + opacity
}
