package rawjson

import "context"

// Check holds the records published so far against the rules of JSON, one after
// the other, and tells bad of each that breaks them. It reads what lies together
// at once and keeps nothing of it. seen is told now and then how many records
// are behind; it may be nil. The error is that of ctx.
func (x *Index) Check(ctx context.Context, bad func(i int), seen func(n int)) error {
	var buf []byte
	for i, n := 0, x.Len(); i < n; {
		if err := ctx.Err(); err != nil {
			return err
		}
		from, to := x.Span(i)
		end := i + 1
		for ; end < n; end++ {
			a, b := x.Span(end)
			if a < to || b > from+windowSize {
				break
			}
			to = b
		}
		if to-from <= windowSize {
			x.checkTogether(i, end, from, view(x.src, from, to, &buf), bad)
		} else if !validSpan(ctx, x.src, from, to) && ctx.Err() == nil {
			bad(i)
		}
		if i = end; seen != nil {
			seen(i)
		}
	}
	return ctx.Err()
}

// checkTogether checks records [i, end), which lie in data at offset base.
func (x *Index) checkTogether(i, end, base int, data []byte, bad func(i int)) {
	for ; i < end; i++ {
		from, to := x.Span(i)
		c := dataCursor(data[from-base:to-base], from)
		if v := (validator{cursor: &c}); !v.document() {
			bad(i)
		}
	}
}

// validSpan tells whether bytes [from, to) are one JSON value, without finding out
// where they are not: the number of a line takes reading all before it.
func validSpan(ctx context.Context, src Source, from, to int) bool {
	v := validator{cursor: newCursor(src, from, to)}
	v.ctx = ctx
	return v.document()
}
