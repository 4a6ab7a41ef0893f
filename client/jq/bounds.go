package jq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
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

// or is the bound that counts: the one given, else the usual one.
func or(given, usual int) int {
	if given > 0 {
		return given
	}
	return usual
}

// megabytes writes a bound for people.
func megabytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", n>>10)
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// watchEvery is how often the memory of a run is looked at.
const watchEvery = 10 * time.Millisecond

// watch ends a run that holds too much memory. A single step of a program
// cannot be interrupted, but whatever grows step by step can.
type watch struct {
	cancel context.CancelCauseFunc
	// base is what was held at the first look: most programs end before that.
	base uint64
	// allowed is how much more than base there may be now.
	allowed func() uint64

	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

func startWatch(cancel context.CancelCauseFunc, allowed func() uint64) *watch {
	w := &watch{cancel: cancel, allowed: allowed}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(watchEvery, w.look)
	return w
}

// look compares what the program holds with what it may. Memory that is only
// waiting to be collected does not count.
func (w *watch) look() {
	if w.base == 0 {
		w.base = held()
	}
	if w.exceeded() {
		runtime.GC()
		if w.exceeded() {
			w.cancel(errMemory)
			return
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.timer.Reset(watchEvery)
	}
}

func (w *watch) exceeded() bool {
	now := held()
	return now > w.base && now-w.base > w.allowed()
}

func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.timer.Stop()
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
