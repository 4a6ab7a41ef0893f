package jq

import (
	"cmp"
	"errors"
	"fmt"
	"sync"

	"github.com/itchyny/gojq"
)

// Steps that take a text apart make a value of each piece, and all matches of an
// expression are found in time that grows with the square of the text.
const (
	onePieces  = 8 << 20
	oneMatched = 256 << 10
)

// The names under which programs call what stands before such steps, and what takes the
// place of the operator that splits.
const (
	parted   = "__parted"
	matched  = "__matched"
	joinable = "__joinable"
	quotient = "__quotient"
)

// guards stand before functions, some before those with a number of arguments only.
var guards = map[string]string{
	"tojson": looked, "tostring": looked, "flatten": looked, "add": looked, "implode": looked, "format": looked,
	"explode": parted, "split/1": parted, "indices": parted, "index": parted, "rindex": parted,
	"match/2": matched, "capture/2": matched, "scan": matched, "split/2": matched, "splits": matched, "sub/3": matched,
	"gsub": matched,
}

// guardOf names what stands before a step; empty for nothing.
func guardOf(t *gojq.Term) string {
	switch {
	case t.Type == gojq.TermTypeFormat && t.Str == nil:
		return looked
	case t.Type == gojq.TermTypeFunc:
		return cmp.Or(guards[t.Func.Name], guards[fmt.Sprintf("%s/%d", t.Func.Name, len(t.Func.Args))])
	}
	return ""
}

// shorter refuses a text that is longer than most.
func shorter(v any, most int, what string) error {
	if s, isText := v.(string); isText && len(s) > most {
		return fmt.Errorf("a text of more than %s is not %s", megabytes(most), what)
	}
	return nil
}

var errJoined = errors.New("a joined text would be larger than " + megabytes(OneInput))

// divide is what / does once its text is known not to be too long.
var divide = sync.OnceValues(func() (*gojq.Code, error) {
	q, err := gojq.Parse(".[0] / .[1]")
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q)
})

// pieces makes the functions known to a program.
func pieces() []gojq.CompilerOption {
	before := func(name string, most int, what string) gojq.CompilerOption {
		return gojq.WithFunction(name, 0, 0, func(v any, _ []any) any {
			if err := shorter(v, most, what); err != nil {
				return err
			}
			return v
		})
	}
	return []gojq.CompilerOption{
		before(parted, onePieces, "taken apart"), before(matched, oneMatched, "searched for all matches"),
		gojq.WithFunction(joinable, 1, 1, func(v any, by []any) any {
			list, _ := v.([]any)
			if s, _ := by[0].(string); len(s)*len(list) > OneInput {
				return errJoined
			}
			return v
		}),
		gojq.WithFunction(quotient, 2, 2, func(_ any, xs []any) any {
			if err := shorter(xs[0], onePieces, "taken apart"); err != nil {
				return err
			}
			code, err := divide()
			if err != nil {
				return err
			}
			v, _ := code.Run(xs).Next()
			return v
		}),
	}
}

// joined is join($by) of what can be joined so.
func joined(join *gojq.Term) *gojq.Query {
	by, name := join.Func.Args[0], "$__by"
	join.Func = &gojq.Func{Name: join.Func.Name, Args: []*gojq.Query{called(name)}}
	q := piped(called(looked), piped(called(joinable, called(name)), &gojq.Query{Term: join}))
	return &gojq.Query{Left: by, Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: name}}, Right: q}
}
