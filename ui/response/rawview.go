package response

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/ui/input"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// rawView shows the exact bytes, made safe for the screen: in pieces of one
// screen's width, or line by line.
type rawView struct {
	base
	width  int
	scroll input.Scroll
	// starts are the offsets of the lines; nil while the view shows pieces.
	starts []int
	left   int
}

func (v *rawView) fits(in Input) bool {
	return in.HasAnswer() && (in.Page().Size() > 0 || in.Page().Document != nil)
}
func (v *rawView) reset(Input) { v.scroll, v.starts, v.left = input.Scroll{}, nil, 0 }

// rawGutter is the width of the offsets before each row.
const rawGutter = 15

// chunk is how many bytes a piece shows: a fixed number, so that any row of a
// body of any size is found without reading what stands before it.
func (v *rawView) chunk() int { return max(v.width-rawGutter, 8) }

func (v *rawView) rows(in Input) int {
	if v.starts != nil {
		return len(v.starts)
	}
	n := v.chunk()
	return (in.Page().Size() + n - 1) / n
}

// bytesOf bounds the bytes of a row.
func (v *rawView) bytesOf(in Input, row int) (from, to int) {
	if v.starts == nil {
		return row * v.chunk(), min((row+1)*v.chunk(), in.Page().Size())
	}
	to = in.Page().Size()
	if row+1 < len(v.starts) {
		to = v.starts[row+1] - 1 // without the line feed
	}
	return min(v.starts[row]+v.left, to), to
}

func (v *rawView) fit(in Input, w, h int) {
	if w != v.width && v.starts == nil {
		at := v.scroll.Cursor * v.chunk()
		v.width = w
		v.scroll.Cursor = at / v.chunk()
	}
	v.width = w
	v.scroll.Fit(v.rows(in), h)
}

func (v *rawView) lines(in Input, w, h int, s *style.Styles, focused bool) []text.Safe {
	from, to := v.scroll.Window(v.rows(in), h)
	out := make([]text.Safe, 0, h)
	for i := from; i < to; i++ {
		a, b := v.bytesOf(in, i)
		line := text.Truncate(s.Data(text.Sanitize(string(in.Page().Env.Body.Slice(a, min(b, a+4*v.chunk()))))),
			max(w-rawGutter, 0))
		num := s.Muted.Render(text.PadLeft(text.Digits(a), rawGutter-2) + "  ")
		switch {
		case i == v.scroll.Cursor && focused:
			out = append(out, num+s.Selected.Render(line))
		case in.find.matches(line):
			out = append(out, num+s.Match.Render(line))
		default:
			out = append(out, num+s.JSON(line))
		}
	}
	return out
}

func (v *rawView) move(in Input, dx, dy int) {
	v.scroll.Move(dy, v.rows(in))
	if v.starts != nil {
		v.left = max(v.left+dx*v.chunk()/2, 0)
	}
}

func (v *rawView) where(in Input) text.Safe {
	at := text.Sprintf("byte %s of %s", text.Digits(v.offset(in)), text.Digits(in.Page().Size()))
	if v.starts != nil {
		return text.Sprintf("line %s of %s, %s", text.Digits(v.scroll.Cursor+1), text.Digits(len(v.starts)), at)
	}
	return at
}

func (v *rawView) span(Input) (from, to int) { return 0, 0 }
func (v *rawView) place() int                { return v.scroll.Cursor }

func (v *rawView) offset(in Input) int {
	if v.rows(in) == 0 {
		return 0
	}
	from, _ := v.bytesOf(in, min(v.scroll.Cursor, v.rows(in)-1))
	return from
}

func (v *rawView) goTo(_ Input, offset int) {
	if v.starts == nil {
		v.scroll.Cursor = offset / v.chunk()
		return
	}
	at, _ := slices.BinarySearch(v.starts, offset+1)
	v.scroll.Cursor = max(at-1, 0)
	v.left = max(offset-v.starts[v.scroll.Cursor]-v.chunk()/2, 0)
}

func (v *rawView) click(in Input, _, y int, _ bool) press {
	v.scroll.Cursor = min(v.scroll.Top+y, v.rows(in)-1)
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
	at := v.offset(p.Input)
	if v.starts != nil {
		v.starts, v.left = nil, 0
		v.goTo(p.Input, at)
		return nil
	}
	page := p.Page()
	return intent.Work("finding lines", func(ctx context.Context) ([]int, error) { return lineStarts(ctx, page) },
		func(starts []int) intent.Intent {
			if p.Page() == page {
				v.starts = starts
				v.goTo(p.Input, at)
			}
			return nil
		})
}

func lineStarts(ctx context.Context, page *answer.Page) ([]int, error) {
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
				return nil, fmt.Errorf("the body has more than %s lines; only pieces can be shown",
					quantity.Digits(rawLinesMax))
			}
		}
	}
	return starts, nil
}
