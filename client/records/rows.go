package records

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Progress is told how far long work has come, from any goroutine. It may be nil.
type Progress func(done, total int)

func (p Progress) tell(done, total int) {
	if p != nil {
		p(done, total)
	}
}

// blockRows is how many rows a worker takes at once. Between blocks it lets
// other goroutines run, so that the screen stays alive while all cores work.
const blockRows = 1024

// AllRows returns the rows 0 to n-1.
func AllRows(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// rowsOf returns rows, or all rows of the set when it is nil.
func rowsOf(set *Set, rows []int32) []int32 {
	if rows == nil {
		return AllRows(set.Len())
	}
	return rows
}

// eachBlock calls work for all blocks of n items on as many goroutines as there
// are cores. block counts from 0; blocks come in no order. It stops with the error of ctx.
func eachBlock(ctx context.Context, n int, progress Progress, work func(block, from, to int)) error {
	var next, done atomic.Int64
	blocks := (n + blockRows - 1) / blockRows
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), blocks) {
		wg.Go(func() {
			for ctx.Err() == nil {
				k := int(next.Add(1)) - 1
				if k >= blocks {
					return
				}
				from := k * blockRows
				to := min(from+blockRows, n)
				work(k, from, to)
				progress.tell(int(done.Add(int64(to-from))), n)
				runtime.Gosched()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
