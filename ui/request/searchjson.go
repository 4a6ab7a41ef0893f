package request

import (
	"encoding/json"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// besideWidth is how wide the pane must be for the JSON of a search to stand
// beside its conditions.
const besideWidth = 108

// searchText is the JSON of the search as lines; nil where a form is open.
func (r *Pane) searchText() []string {
	if _, ok := r.ed.(*searchEditor); !ok || r.json != nil {
		return nil
	}
	return strings.Split(r.indented(), "\n")
}

// jsonBeside is how many columns the JSON takes at the right; 0 when it does not stand there.
func (r *Pane) jsonBeside(w int) int {
	if w < besideWidth || r.searchText() == nil {
		return 0
	}
	return w * 2 / 5
}

// jsonBelow is how many lines the JSON would like below the conditions.
func (r *Pane) jsonBelow() int {
	if r.width >= besideWidth {
		return 0
	}
	if n := len(r.searchText()); n > 1 {
		return n + 1
	}
	return 0
}

// withJSON puts what a search sends beside its conditions, or below them where all of it,
// folded if need be, has room.
func (r *Pane) withJSON(lines []text.Safe, w, h, side int, s *style.Styles) []text.Safe {
	body := r.searchText()
	switch {
	case len(body) < 2 && side == 0:
		return lines
	case side > 0:
		return besides(lines, folded(r.Params(), h), w, side, s)
	}
	below := folded(r.Params(), h-len(lines)-1)
	if len(below) > 0 {
		lines = append(lines, "")
	}
	for _, l := range below {
		lines = append(lines, "    "+text.Truncate(s.JSON(text.Sanitize(l)), w-5))
	}
	return lines
}

func besides(lines []text.Safe, body []string, w, side int, s *style.Styles) []text.Safe {
	for len(lines) < len(body) {
		lines = append(lines, "")
	}
	for i := range lines {
		var part text.Safe
		if i < len(body) {
			part = text.Truncate(s.JSON(text.Sanitize(body[i])), side-3)
		}
		lines[i] = text.Pad(lines[i], w-side) + s.Border.Render("│") + " " + part
	}
	return lines
}

// leastLevels is how deep a search must be unfolded to tell more than its form.
const leastLevels = 4

// folded is JSON in at most n lines, with the deepest levels folded where all of them have
// no room; nothing where even that does not help.
func folded(raw json.RawMessage, n int) []string {
	for levels := 24; levels >= leastLevels; levels-- {
		if out := foldAt(rawjson.Parse(raw), "", "", levels); len(out) <= n {
			return out
		}
	}
	return nil
}

// foldAt writes a value as lines, what lies deeper than some levels as {…} or […].
func foldAt(n rawjson.Node, indent, lead string, levels int) []string {
	open, shut := "{", "}"
	switch n.Kind() {
	case rawjson.Array:
		open, shut = "[", "]"
	case rawjson.Object:
	default:
		return []string{indent + lead + string(n.Raw())}
	}
	if levels == 0 {
		return []string{indent + lead + open + "…" + shut}
	}
	out := []string{indent + lead + open}
	if n.Len() == 0 {
		return []string{indent + lead + open + shut}
	}
	for name, value := range n.Children() {
		lead := ""
		if name.Exists() {
			lead = string(name.Raw()) + ": "
		}
		if len(out) > 1 {
			out[len(out)-1] += ","
		}
		out = append(out, foldAt(value, indent+"  ", lead, levels-1)...)
	}
	return append(out, indent+shut)
}
