package ui

import (
	"sync/atomic"
	"testing"

	"patchbay/ui/input/bound"
)

// Every key that the library binds is pressed at some places of a text, wherever one
// can be written: the screen stays whole and no key ends the program.
func TestBoundKeysInEveryText(t *testing.T) {
	var texts atomic.Int32
	t.Cleanup(func() {
		if n := texts.Load(); n < 20 {
			t.Errorf("only %d texts were found", n)
		}
	})
	for _, st := range states() {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			p := st.make(t, 80, 24)
			if !p.m.takesText() {
				return
			}
			texts.Add(1)
			for _, name := range bound.Keys() {
				if name == "enter" || name == "ctrl+m" {
					continue // they send what is written, and the sandbox is shared
				}
				for back := range 2 {
					if !p.m.takesText() {
						p = st.make(t, 80, 24)
					}
					p.typed("a b")
					for range back {
						p.keys("left")
					}
					p.keys(name)
					p.screen()
				}
			}
		})
	}
}
