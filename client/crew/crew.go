// Package crew runs work on goroutines whose panics reach who waits for it, instead of
// ending the program. It is a leaf and imports nothing of ours.
package crew

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a panic of a goroutine brought, and where it was.
type Panic struct {
	Value any
	Stack []byte
}

// Error implements error.
func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Caught is what a recovered panic brought; it is called while the stack is that of the
// panic.
func Caught(r any) *Panic {
	if p, ok := r.(*Panic); ok {
		return p
	}
	return &Panic{r, debug.Stack()}
}

// Crew is a number of goroutines that somebody waits for. The zero value is ready.
type Crew struct {
	wg    sync.WaitGroup
	first atomic.Pointer[Panic]
}

// Go runs f on a goroutine.
func (c *Crew) Go(f func()) {
	c.wg.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				c.first.CompareAndSwap(nil, Caught(r))
			}
		}()
		f()
	})
}

// Wait waits for all of them, and panics with the first panic of theirs.
func (c *Crew) Wait() {
	c.wg.Wait()
	if p := c.first.Load(); p != nil {
		panic(p)
	}
}

// Fallen is the first panic of theirs so far, for who looks before the end; nil where
// there is none. Wait does not bring it again.
func (c *Crew) Fallen() *Panic { return c.first.Swap(nil) }
