package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// growing is a player that shows what is written into a buffer meanwhile.
type growing struct {
	*player
	buffer *rawjson.Buffer
}

// adds writes records and lets the program take them in.
func (g growing) adds(format string, from, to int) {
	for i := from; i < to; i++ {
		fmt.Fprintf(g.buffer, format+"\n", i)
	}
	time.Sleep(time.Second)
	synctest.Wait()
	g.send(tickMsg{})
}

func grows(t *testing.T, first string, test func(g growing)) {
	synctest.Test(t, func(t *testing.T) {
		g := growing{buffer: &rawjson.Buffer{}}
		_, _ = g.buffer.Write([]byte(first))
		d := answer.OpenDocument(t.Context(), g.buffer, answer.Reading{Name: "stdin", Size: -1})
		g.player = play(t, Deps{Document: d}, 120, 36)
		g.send(tickMsg{})
		test(g)
		g.buffer.Close(nil)
	})
}

const twoRecords = "{\"id\":1}\n{\"id\":2}\n"

// A few records are shown as they are there: nothing waits for many.
func TestASlowStreamIsShownFromItsFirstRecordsOn(t *testing.T) {
	grows(t, twoRecords, func(g growing) {
		g.wants("2 rows", "reading, 18 B so far")
		g.adds(`{"id":%d,"late":true}`, 3, 9)
		g.wants("8 rows")
		g.onColumn("late")
	})
}

func TestAFilterTakesInWhatComes(t *testing.T) {
	grows(t, twoRecords, func(g growing) {
		g.adds(`{"id":%d,"level":"error"}`, 3, 9)
		g.keys("/")
		g.typed("error")
		g.keys("enter", "j")
		g.wants(`rows with "error" · 6 of 8`, "row 2 of 6")
		g.adds(`{"id":%d,"level":"info"}`, 9, 12)
		g.adds(`{"id":%d,"level":"error"}`, 12, 15)
		g.wants(`rows with "error" · 9 of 14`, "row 2 of 9")
	})
}

func TestASortTakesInWhatComesAndEndsNoOtherWork(t *testing.T) {
	grows(t, twoRecords, func(g growing) {
		g.keys("o", "o")
		held := g.hold("s")
		g.adds(`{"id":%d}`, 3, 9)
		g.wants("id▼", "row 1 of 2")
		g.run(held)
		g.keys("esc")
		g.send(tickMsg{})
		g.wants("id▼", "8 rows")
		if s := g.screen(); !strings.Contains(s, " 8     8") {
			t.Errorf("the last row does not come first:\n%s", s)
		}
	})
}

func TestASearchGoesOnInWhatCame(t *testing.T) {
	grows(t, "{\"id\":1}\n{\"id\":\"red\"}\n", func(g growing) {
		g.keys("]", "]", "]")
		g.wants("[Raw]") // drawn, it knows how much stands in a line
		g.keys("/")
		g.typed("red")
		g.keys("enter")
		g.wants("1 of 1")
		g.adds(`{"id":"red %d"}`, 3, 6)
		g.keys("n")
		g.wants("2 of 4")
		g.keys("n", "n")
		g.wants("4 of 4")
		g.keys("n")
		g.wants("1 of 4")
	})
}

func TestWhatIsAwaitedIsNamed(t *testing.T) {
	buffer := &rawjson.Buffer{}
	m := New(Deps{Catalog: testCatalog, Now: now, Document: answer.OpenDocument(t.Context(), buffer, answer.Reading{Name: "stdin", Size: -1})})
	p := &player{t: t, m: m}
	m.later = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	m.Init() // not run: nothing of it is there yet
	p.keys("3")
	m.width, m.height = 120, 36
	m.fit()
	p.wants("stdin is shown as soon as a record of it is there", "0 B so far")
	p.lacks("Nothing was asked")
}

// fallible is a source that panics when a pass over all of it comes to its middle.
type fallible struct{ rawjson.Bytes }

func (f fallible) Slice(from, to int) []byte {
	if to-from > 10_000 && from >= 200_000 {
		panic("in the reading")
	}
	return f.Bytes.Slice(from, to)
}

// A defect in the reading of a document is told, and what was read before is shown.
func TestADefectInReadingEndsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat(twoRecords, 30_000)
		ctx, cancel := context.WithCancel(t.Context())
		src := fallible{rawjson.Bytes(long)}
		d := answer.OpenDocument(ctx, src, answer.Reading{Name: "x", Size: int64(src.Len())})
		p := play(t, Deps{Document: d}, 120, 36)
		p.guard = Guarded(p.m)
		time.Sleep(time.Second)
		p.send(tickMsg{})
		p.wants("A defect in patchbay", "in the reading")
		p.keys("esc", "esc")
		for range 3 {
			p.send(tickMsg{})
		}
		p.wants("29,127 lines", "a defect ended the reading")
		p.keys("j")
		p.wants("row 2 of")
		cancel()
		d.End()
	})
}
