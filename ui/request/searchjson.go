package request

import (
	"slices"
	"strings"

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
		return n
	}
	return 0
}

// withJSON puts what a search sends beside its conditions, or below them where
// a few lines are free.
func (r *Pane) withJSON(lines []text.Safe, w, h, side int, s *style.Styles) []text.Safe {
	body := r.searchText()
	switch {
	case len(body) < 2 && side == 0:
		return lines
	case side > 0:
		return besides(lines, body, w, h, side, s)
	case h-len(lines) < 4:
		return lines
	}
	for _, l := range fitted(body, w-5, h-len(lines)) {
		lines = append(lines, "    "+text.Truncate(s.JSON(l), w-5))
	}
	return lines
}

// fitted is the JSON in at most n lines of w cells: indented, else without its spaces.
func fitted(body []string, w, n int) []text.Safe {
	if len(body) <= n {
		return text.Lines(strings.Join(body, "\n"))
	}
	for i := range body {
		body[i] = strings.TrimLeft(body[i], " ")
	}
	return cutMiddle(text.Wrap(text.Sanitize(strings.Join(body, " ")), max(w, 8)), n)
}

func besides(lines []text.Safe, body []string, w, h, side int, s *style.Styles) []text.Safe {
	body = cutMiddle(body, h)
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

// cutMiddle shortens lines to n by leaving out some in the middle, which a mark tells.
func cutMiddle[S ~string](lines []S, n int) []S {
	if len(lines) <= n || n < 3 {
		return lines[:min(len(lines), max(n, 0))]
	}
	head := (n - 1) / 2
	out := append(slices.Clone(lines[:head]), "  …")
	return append(out, lines[len(lines)-(n-head-1):]...)
}
