package answer

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"patchbay/client/jq"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

const (
	// drawnTime bounds how long a computed cell may take: a program can loop for ever.
	// Written to a file it may take writtenTime.
	drawnTime   = 100 * time.Millisecond
	writtenTime = time.Second
	// mostWasted is how much time the cells of a column may waste in all before the
	// column is given up: they are computed while the screen is drawn.
	mostWasted = 3 * drawnTime
)

// Computed is a column that a jq program computes. It is used by many
// goroutines.
type Computed struct {
	records.Computed
	code  *jq.Program
	limit time.Duration
	// bad is why the program cannot run at all.
	bad string
	// wasted is the time that cells took without an end, in nanoseconds.
	wasted atomic.Int64
}

// NewComputed makes a column ready; one whose program is wrong is there too,
// and says so.
func NewComputed(c records.Computed) *Computed {
	out := &Computed{Computed: c, limit: drawnTime}
	code, err := jq.Compile(c.Program)
	if err != nil {
		out.bad = err.Error()
	}
	out.code = code
	return out
}

// Broken says why the column computes nothing; empty when it does.
func (c *Computed) Broken() string {
	if c.bad == "" && c.limit == drawnTime && c.wasted.Load() >= int64(mostWasted) {
		return "its program takes too long for a cell"
	}
	return c.bad
}

// Cell computes the value for a record.
func (c *Computed) Cell(record rawjson.Node) ([]byte, error) {
	if why := c.Broken(); why != "" {
		return nil, errors.New(why)
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	b, err := c.code.First(ctx, record)
	if took := time.Since(began); took >= c.limit {
		c.wasted.Add(int64(took))
	}
	return b, err
}

// Column is the column as a table shows it.
func (c *Computed) Column() records.Column {
	return records.Column{Name: c.Name, Title: c.Name, Doc: "jq " + c.Program, Program: c.Program,
		Derive: func(record rawjson.Node) rawjson.Node {
			b, err := c.Cell(record)
			if err != nil || b == nil {
				return rawjson.Node{}
			}
			return rawjson.Parse(b)
		}}
}
