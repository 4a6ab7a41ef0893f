package jq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/itchyny/gojq"
)

// The bounds of a run whose Options name none. What exceeds them is no answer
// that anybody reads, but would take the memory of the machine.
const (
	// KeptResults and KeptBytes bound the results that are kept.
	KeptResults = 2_000_000
	KeptBytes   = 512 << 20
	// OneResult bounds the text of a single result.
	OneResult = 64 << 20
	// OneInput bounds the text of a single input: decoded it takes six times as much.
	OneInput = 256 << 20
	// WorkingMemory is what a program may hold beside its input and its results.
	WorkingMemory = 512 << 20
)

// The bounds of a computed cell: many are made while a screen is drawn.
const (
	cellResult = 1 << 20
	cellMemory = 64 << 20
)

// decodedSize is about how many bytes a byte of input takes once it is decoded.
const decodedSize = 16

var (
	errEnough = errors.New("enough")
	errMemory = errors.New("memory")
)

// megabytes writes a bound for people.
func megabytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// watchEvery is how often the memory of a run is looked at.
const watchEvery = 10 * time.Millisecond

// watch ends a run that holds more memory than allowed beside what was held at the
// first look: most programs end before that. A single step of a program cannot be
// interrupted, but whatever grows step by step can. Memory that is only waiting to be
// collected does not count.
func watch(ctx context.Context, cancel context.CancelCauseFunc, allowed func() uint64) {
	var base uint64
	exceeded := func() bool {
		now := held()
		return now > base && now-base > allowed()
	}
	for {
		select {
		case <-time.After(watchEvery):
		case <-ctx.Done():
			return
		}
		if base == 0 {
			base = held()
		}
		if !exceeded() {
			continue
		}
		if runtime.GC(); exceeded() {
			cancel(errMemory)
			return
		}
	}
}

// held is how many bytes the objects on the heap take.
func held() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}

// deepest is how deeply a result may be nested; what reads JSON ends there too.
const deepest = 10_000

// fits says why v cannot be a result of at most limit bytes; empty when it can.
// It looks before anything is written: a value that holds another one many
// times over is small in memory and endless as text.
func fits(v any, limit int) string {
	m := measure{left: limit}
	m.value(v, 0)
	switch {
	case m.deep:
		return fmt.Sprintf("a result is nested more than %d levels deep", deepest)
	case m.left < 0:
		return "a result is larger than " + megabytes(limit) + ": let the program give its parts one by one"
	}
	return ""
}

// longestError bounds the value in the words of a failure.
const longestError = 1 << 20

// told is a failure in words. A program may fail with any value, which would be written
// whole.
func told(failure error) string {
	if v, ok := errors.AsType[gojq.ValueError](failure); ok && fits(v.Value(), longestError) != "" {
		return "the program failed with a value that is larger than " + megabytes(longestError)
	}
	return failure.Error()
}

// measure counts down the bytes that a value takes as text.
type measure struct {
	left int
	deep bool
}

func (m *measure) value(v any, depth int) {
	if depth > deepest {
		m.left, m.deep = -1, true
		return
	}
	switch v := v.(type) {
	case string:
		m.left -= len(v) + 2
	case json.Number:
		m.left -= len(v)
	case *big.Int:
		m.left -= v.BitLen() / 3
	case []any:
		m.left -= 2
		for i := 0; i < len(v) && m.left >= 0; i++ {
			m.left--
			m.value(v[i], depth+1)
		}
	case map[string]any:
		m.left -= 2
		for k, inner := range v {
			if m.left -= len(k) + 4; m.left < 0 {
				return
			}
			m.value(inner, depth+1)
		}
	default:
		m.left--
	}
}

// What a program does in one step cannot be interrupted. Steps that may make a text of
// any size of little go through functions of our own, under names of which product
// stands for *, which repeats a text, and looked for what is written as text: a value that
// holds another one many times over is small in memory.
const (
	product = "__product"
	looked  = "__looked"
)

var (
	errText  = errors.New("a repeated text would be larger than " + megabytes(OneResult))
	errWhole = errors.New("a value written as text would be larger than " + megabytes(OneInput))
)

// multiply is what * does once its result is known to have a size.
var multiply = sync.OnceValues(func() (*gojq.Code, error) {
	q, err := gojq.Parse(".[0] * .[1]")
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q)
})

func bounded() []gojq.CompilerOption {
	times := gojq.WithFunction(product, 2, 2, func(_ any, xs []any) any {
		if repeats(xs[0], xs[1]) || repeats(xs[1], xs[0]) {
			return errText
		}
		code, err := multiply()
		if err != nil {
			return err
		}
		v, _ := code.Run(xs).Next()
		return v
	})
	look := gojq.WithFunction(looked, 0, 0, func(v any, _ []any) any {
		if fits(v, OneInput) != "" {
			return errWhole
		}
		return v
	})
	return append(pieces(), times, look)
}

// repeats reports whether text times n is too large.
func repeats(text, n any) bool {
	s, isText := text.(string)
	times, isNumber := gojq.ToFloat64(n)
	return isText && isNumber && float64(len(s))*times > OneResult
}

// boundSteps has a program call our functions.
func boundSteps(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		boundSteps(v.Elem())
		switch n := v.Interface().(type) {
		case *gojq.Query:
			boundProduct(n)
		case *gojq.Term:
			boundText(n)
		case *gojq.String:
			for i, q := range n.Queries {
				if q.Term == nil || q.Term.Str == nil {
					n.Queries[i] = inTerm(piped(q, called(looked)))
				}
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				boundSteps(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			boundSteps(v.Index(i))
		}
	}
}

// boundProduct has l * r and l *= r call product, l / r quotient. l *= r is
// r as $x | l |= . * $x.
func boundProduct(q *gojq.Query) {
	switch q.Op {
	case gojq.OpMul:
		q.Term = called(product, q.Left, q.Right).Term
		q.Left, q.Right, q.Op = nil, nil, 0
	case gojq.OpDiv:
		q.Term = called(quotient, q.Left, q.Right).Term
		q.Left, q.Right, q.Op = nil, nil, 0
	case gojq.OpUpdateMul:
		const factor = "$__factor"
		one := called(product, &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}}, called(factor))
		update := &gojq.Query{Left: q.Left, Op: gojq.OpModify, Right: one}
		q.Left, q.Right, q.Op = q.Right, update, gojq.OpPipe
		q.Patterns = []*gojq.Pattern{{Name: factor}}
	}
}

// boundText looks at a value before it is written as text, joined or taken apart.
func boundText(t *gojq.Term) {
	alone := *t
	alone.SuffixList = nil
	var q *gojq.Query
	if t.Type == gojq.TermTypeFunc && t.Func.Name == "join" && len(t.Func.Args) == 1 {
		q = joined(&alone)
	} else if guard := guardOf(t); guard != "" {
		q = piped(called(guard), &gojq.Query{Term: &alone})
	} else {
		return
	}
	whole := inTerm(q)
	whole.Term.SuffixList = t.SuffixList
	*t = *whole.Term
}

func called(name string, args ...*gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name, Args: args}}}
}

func piped(from, to *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: from, Op: gojq.OpPipe, Right: to}
}

func inTerm(q *gojq.Query) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: q}}
}
