package sandbox

import (
	"slices"
	"sync"
	"sync/atomic"

	"patchbay/client/sandbox/data"
)

// keeper bounds how much generated data stays in memory. Tables that nobody wrote to
// can be made again as they were, so the ones that were asked for longest ago go.
type keeper struct {
	// clock counts uses of tables; fresh is set when one was made since the last look.
	clock atomic.Int64
	fresh atomic.Bool

	// most is how many fields of records are kept.
	most   int
	mu     sync.Mutex
	owners []*connector // that have data
}

// mostCells is how many fields of records a service of the usual size keeps, all tables
// together: a few dozen megabytes. One of more records keeps as many times more.
const mostCells = 250_000

// own remembers a connector that has data now.
func (k *keeper) own(c *connector) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.owners = append(k.owners, c)
}

// kept is a table in memory.
type kept struct {
	of    *dataset
	name  string
	table *data.Table
}

// trim forgets tables until what is left is small enough, but never the one that was
// asked for last. The caller has the lock of its own connector, and no operation of it
// runs; connectors that are at work are left alone.
func (k *keeper) trim(own *connector) {
	if !k.fresh.Swap(false) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var all []kept
	cells := 0
	for _, c := range k.owners {
		if c != own {
			if !c.mu.TryLock() {
				continue
			}
			defer c.mu.Unlock()
		}
		for name, t := range c.data.tables {
			all = append(all, kept{c.data, name, t})
			cells += t.Cells()
		}
	}
	slices.SortFunc(all, func(a, b kept) int { return int(a.table.Used - b.table.Used) })
	for _, one := range all[:max(len(all)-1, 0)] {
		if cells <= k.most {
			return
		}
		if !one.table.Written {
			cells -= one.table.Cells()
			delete(one.of.tables, one.name)
		}
	}
}
