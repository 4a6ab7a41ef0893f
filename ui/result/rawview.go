package result

import (
	"bytes"
	"context"
	"fmt"

	"patchbay/ui/intent"
	"patchbay/ui/pane"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// rawView shows the exact bytes, made safe for the screen: in pieces of one
// screen's width, or line by line.
type rawView struct {
	base
	width  int
	scroll pane.Scroll
	// starts are the offsets of the lines; nil while the view shows pieces.
	starts []int
	left   int
}

func (v *rawView) name() string     { return "Raw" }
func (v *rawView) tab(*Pane) string { return "Raw" }
func (v *rawView) scope() string    { return "raw" }
func (v *rawView) fits(p *Pane) bool {
	return p.HasAnswer() && (p.page().Size() > 0 || p.page().Document != nil)
}
func (v *rawView) reset(*Pane) { v.scroll, v.starts, v.left = pane.Scroll{}, nil, 0 }

// rawGutter is the width of the offsets before each row.
const rawGutter = 15

// rawChunk is how many bytes a piece shows: a fixed number, so that any row of a
// body of any size is found without reading what stands before it.
func (v *rawView) chunk() int { return max(v.width-rawGutter, 8) }

func (v *rawView) rows(p *Pane) int {
	if v.starts != nil {
		return len(v.starts)
	}
	n := v.chunk()
	return (p.page().Size() + n - 1) / n
}

// bytesOf bounds the bytes of a row.
func (v *rawView) bytesOf(p *Pane, row int) (from, to int) {
	if v.starts == nil {
		return row * v.chunk(), min((row+1)*v.chunk(), p.page().Size())
	}
	to = p.page().Size()
	if row+1 < len(v.starts) {
		to = v.starts[row+1] - 1 // without the line feed
	}
	return min(v.starts[row]+v.left, to), to
}

func (v *rawView) lines(p *Pane, w, h int, s *style.Styles, focused bool) []string {
	if w != v.width && v.starts == nil {
		at := v.scroll.Cursor * v.chunk()
		v.width = w
		v.scroll.Cursor = at / v.chunk()
	}
	v.width = w
	v.scroll.Fit(v.rows(p), h)
	from, to := v.scroll.Window(v.rows(p), h)
	out := make([]string, 0, h)
	for i := from; i < to; i++ {
		a, b := v.bytesOf(p, i)
		line := text.Truncate(s.Data(text.Sanitize(string(p.page().Env.Body.Slice(a, min(b, a+4*v.chunk()))))), max(w-rawGutter, 0))
		num := s.Muted.Render(text.PadLeft(groupDigits(a), rawGutter-2) + "  ")
		switch {
		case i == v.scroll.Cursor && focused:
			out = append(out, num+s.Selected.Render(line))
		case p.find.matches(line):
			out = append(out, num+s.Match.Render(line))
		default:
			out = append(out, num+s.JSON(line))
		}
	}
	return out
}

func (v *rawView) move(p *Pane, dx, dy int) {
	v.scroll.Move(dy, v.rows(p))
	if v.starts != nil {
		v.left = max(v.left+dx*v.chunk()/2, 0)
	}
}

func (v *rawView) where(p *Pane) string {
	at := fmt.Sprintf("byte %s of %s", groupDigits(v.offset(p)), groupDigits(p.page().Size()))
	if v.starts != nil {
		return fmt.Sprintf("line %s of %s, %s", groupDigits(v.scroll.Cursor+1), groupDigits(len(v.starts)), at)
	}
	return at
}

func (v *rawView) span(*Pane) (from, to int) { return 0, 0 }
func (v *rawView) place() int                { return v.scroll.Cursor }

func (v *rawView) offset(p *Pane) int {
	if v.rows(p) == 0 {
		return 0
	}
	from, _ := v.bytesOf(p, min(v.scroll.Cursor, v.rows(p)-1))
	return from
}

func (v *rawView) goTo(_ *Pane, offset int) {
	if v.starts == nil {
		v.scroll.Cursor = offset / v.chunk()
		return
	}
	v.scroll.Cursor = lineAt(v.starts, offset)
	v.left = max(offset-v.starts[v.scroll.Cursor]-v.chunk()/2, 0)
}

func lineAt(starts []int, offset int) int {
	lo, hi := 0, len(starts)
	for lo < hi {
		if mid := (lo + hi) / 2; starts[mid] <= offset {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return max(lo-1, 0)
}

func (v *rawView) click(p *Pane, _, y int, _ bool) intent.Intent {
	v.scroll.Cursor = min(v.scroll.Top+y, v.rows(p)-1)
	return nil
}

// rawLinesMax bounds the memory of the line mode.
const rawLinesMax = 8 << 20

// ToggleLines shows the bytes line by line, or in pieces of the screen's width.
func (p *Pane) ToggleLines() intent.Intent {
	v, ok := p.current().(*rawView)
	if !ok {
		return nil
	}
	at := v.offset(p)
	if v.starts != nil {
		v.starts, v.left = nil, 0
		v.goTo(p, at)
		return nil
	}
	page := p.page()
	return intent.Work{What: "finding lines", Do: func(ctx context.Context) (func() intent.Intent, error) {
		starts, err := lineStarts(ctx, page)
		if err != nil {
			return nil, err
		}
		return func() intent.Intent {
			if p.page() == page {
				v.starts = starts
				v.goTo(p, at)
			}
			return nil
		}, nil
	}}
}

func lineStarts(ctx context.Context, page *Page) ([]int, error) {
	const window = 1 << 20
	starts, n := []int{0}, page.Size()
	for from := 0; from < n; from += window {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		intent.Report(ctx)(from, n)
		part := page.Env.Body.Slice(from, min(from+window, n))
		for at := 0; ; {
			i := bytes.IndexByte(part[at:], '\n')
			if i < 0 {
				break
			}
			at += i + 1
			if from+at < n {
				starts = append(starts, from+at)
			}
			if len(starts) > rawLinesMax {
				return nil, fmt.Errorf("the body has more than %s lines; only pieces can be shown", groupDigits(rawLinesMax))
			}
		}
	}
	return starts, nil
}
