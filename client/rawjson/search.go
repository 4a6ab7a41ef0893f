package rawjson

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Match is where a pattern was found: bytes [From, To) of the source.
type Match struct{ From, To int }

// SearchOptions bounds a search and says who hears of the matches.
type SearchOptions struct {
	// From and To bound where matches may start; To 0 is the end of the source.
	From, To int
	// Max ends the search after so many matches; 0 is no limit.
	Max int
	// Found gets the matches in order, some at a time, from one goroutine at a
	// time. It may be nil when only the count matters.
	Found func([]Match)
	// Progress is told how many bytes have been searched. May be nil.
	Progress func(done, total int)
}

// searchBlock is how much one step of a search covers.
const searchBlock = 1 << 20

// Search finds all matches in the bytes as received and counts them. It uses
// up to two cores, leaves room for others between blocks, and stops with the
// error of ctx. Matches do not overlap. A match of a regular expression is
// found whole up to 4 KiB.
func (p *Pattern) Search(ctx context.Context, src Source, o SearchOptions) (count int, err error) {
	if o.To == 0 || o.To > src.Len() {
		o.To = src.Len()
	}
	s := searcher{p: p, src: src, opts: o, blocks: max(0, (o.To-o.From+searchBlock-1)/searchBlock)}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	var wg sync.WaitGroup
	s.turn.L = &s.mu
	release := context.AfterFunc(ctx, s.wakeAll)
	defer release()
	for range min(2, runtime.GOMAXPROCS(0), s.blocks) {
		wg.Go(func() { s.work(ctx) })
	}
	wg.Wait()
	if s.full {
		return s.count, nil
	}
	return s.count, ctx.Err()
}

// searcher hands blocks to workers and takes their matches in order.
type searcher struct {
	p      *Pattern
	src    Source
	opts   SearchOptions
	blocks int
	next   atomic.Int64
	stop   context.CancelFunc

	mu    sync.Mutex
	turn  sync.Cond
	due   int // the block whose matches are taken next
	last  int // end of the last match taken
	count int
	full  bool
}

func (s *searcher) wakeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn.Broadcast()
}

func (s *searcher) work(ctx context.Context) {
	var buf []byte
	var found []Match
	for ctx.Err() == nil {
		k := int(s.next.Add(1)) - 1
		if k >= s.blocks {
			return
		}
		from := s.opts.From + k*searchBlock
		to := min(from+searchBlock, s.opts.To)
		data := view(s.src, from, min(to+s.p.reach, s.src.Len()), &buf)
		found = s.p.all(data, to-from, found[:0])
		for i := range found {
			found[i].From += from
			found[i].To += from
		}
		s.take(ctx, k, found)
		runtime.Gosched()
	}
}

// take waits until block k is due, then counts and reports its matches.
func (s *searcher) take(ctx context.Context, k int, found []Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.due != k {
		if ctx.Err() != nil {
			return
		}
		s.turn.Wait()
	}
	if ctx.Err() != nil {
		return
	}
	s.deliver(found)
	s.due++
	s.turn.Broadcast()
	if s.opts.Progress != nil {
		total := s.opts.To - s.opts.From
		s.opts.Progress(min(s.due*searchBlock, total), total)
	}
}

func (s *searcher) deliver(found []Match) {
	// A match that began in the block before may reach into this one.
	for len(found) > 0 && found[0].From < s.last {
		found = found[1:]
	}
	if s.opts.Max > 0 && s.count+len(found) >= s.opts.Max {
		found = found[:s.opts.Max-s.count]
		s.full = true
		s.stop()
	}
	if len(found) == 0 {
		return
	}
	s.count += len(found)
	s.last = found[len(found)-1].To
	if s.opts.Found != nil {
		s.opts.Found(slices.Clone(found))
	}
}
