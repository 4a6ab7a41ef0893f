package jq

import (
	"errors"
	"reflect"
	"sync"

	"github.com/itchyny/gojq"
)

// product is the name under which programs call *: a text times a number
// makes a text of any size in one step, which nothing can interrupt.
const product = "__product"

var errText = errors.New("a repeated text would be larger than " + megabytes(OneResult))

// multiply is what * does once its result is known to have a size.
var multiply = sync.OnceValues(func() (*gojq.Code, error) {
	q, err := gojq.Parse(".[0] * .[1]")
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q)
})

func bounded() gojq.CompilerOption {
	return gojq.WithFunction(product, 2, 2, func(_ any, xs []any) any {
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
}

// repeats tells whether text times n is too large.
func repeats(text, n any) bool {
	s, isText := text.(string)
	times, isNumber := gojq.ToFloat64(n)
	return isText && isNumber && float64(len(s))*times > OneResult
}

// boundProducts has every * of a program call product.
func boundProducts(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		boundProducts(v.Elem())
		if q, ok := v.Interface().(*gojq.Query); ok && q.Op == gojq.OpMul {
			q.Term = &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: product, Args: []*gojq.Query{q.Left, q.Right}}}
			q.Left, q.Right, q.Op = nil, nil, 0
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				boundProducts(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			boundProducts(v.Index(i))
		}
	}
}
