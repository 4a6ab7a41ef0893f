package pages

import "fmt"

// Name names a Verdict; it is what people are shown.
type Name string

// The verdicts on the paging of a server.
const (
	CursorStuck     Name = "cursor did not move"
	Loop            Name = "loop"
	Overlap         Name = "pages overlap"
	LimitIgnored    Name = "limit ignored"
	ShortButMore    Name = "short page but more"
	FlagNoCursor    Name = "has_more without a cursor"
	CursorNoFlag    Name = "cursor without has_more"
	EmptyInMiddle   Name = "empty page in the middle"
	OrderChanged    Name = "order changed between pages"
	NoPagesPossible Name = "no paging possible here"
	Doubled         Name = "records twice on one page"
)

// Verdict is something odd about the paging of a server.
type Verdict struct {
	Name Name
	// Page is the page, from 0, that shows it.
	Page int
	// Text says it in one sentence with its numbers. It may hold text of the server.
	Text string
	// Note marks what is odd but harms nothing.
	Note bool
	// Stops marks what makes it pointless to fetch on.
	Stops bool
}

// Verdicts judges the pages so far. A sound server gets none.
func (l *Ledger) Verdicts() []Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Verdict
	orders := watch{}
	for i := range l.pages {
		out = append(out, l.moves(i)...)
		out = append(out, l.signs(i)...)
		if field, broken := orders.broken(l.pages[i].facts.orders); broken && l.pages[i].Repeated == 0 {
			out = append(out, Verdict{Name: OrderChanged, Page: i,
				Text: fmt.Sprintf("order changed between pages: the pages before page %d are sorted by %s, and it is not", i+1, field)})
		}
	}
	return append(out, l.sizes()...)
}

// moves judges whether paging gets anywhere.
func (l *Ledger) moves(i int) []Verdict {
	p := &l.pages[i]
	out := l.stops(i)
	if n := l.overlapping(p); n > 0 {
		out = append(out, Verdict{Name: Overlap, Page: i,
			Text: fmt.Sprintf("pages overlap by %s: page %d repeats records of earlier pages", counted(n, "id"), i+1)})
	}
	if n := p.facts.doubles; n > 0 && p.facts.allFrom < 0 && !l.seen.keyless {
		out = append(out, Verdict{Name: Doubled, Page: i, Note: true,
			Text: fmt.Sprintf("records twice on one page: page %d holds %s more than once", i+1, counted(n, "record"))})
	}
	return append(out, l.empty(i)...)
}

// empty judges a page without rows.
func (l *Ledger) empty(i int) []Verdict {
	p := &l.pages[i]
	f := &p.facts
	v := Verdict{Name: EmptyInMiddle, Page: i}
	switch {
	case f.rows > 0 || f.empties > 0 && f.empties%mostEmpty == 0 && p.Next.State == More:
		return nil // those are told by stops
	case p.Next.State == More || l.rowsAfter(i):
		v.Text = fmt.Sprintf("empty page in the middle: page %d has no rows, but more pages follow", i+1)
	case p.Next.State == Unknown && f.flag.yes:
		v.Text = fmt.Sprintf("empty page in the middle: page %d has no rows, but %s says there is more", i+1, f.flag.from)
	case f.before:
		v.Text = fmt.Sprintf("empty page in the middle: page %d has no rows, but the server speaks of %d records", i+1, f.total)
		v.Note = true // the number may be wrong as well
	default:
		return nil
	}
	return []Verdict{v}
}

// mostEmpty is how many pages without rows may come in a row before fetching
// many of them stops, and asks whether to go on.
const mostEmpty = 100

// overlapping is how many rows of a page were on earlier ones. Where ids turned
// out to tell nothing apart, those found by id do not count.
func (l *Ledger) overlapping(p *Page) int {
	switch {
	case p.facts.allFrom >= 0:
		return 0
	case p.facts.byBytes:
		return p.Repeated
	case l.seen.keyless:
		return 0
	}
	return p.facts.again
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// stalePages is how many pages in a row may hold nothing new before going on is
// pointless: one may, where records moved while they were read.
const stalePages = 2

// stops are the verdicts that make it pointless to go on after a page.
func (l *Ledger) stops(i int) []Verdict {
	p := &l.pages[i]
	var out []Verdict
	switch back := p.facts.backTo; {
	case back == i:
		out = append(out, Verdict{Name: CursorStuck, Page: i, Stops: true,
			Text: fmt.Sprintf("cursor did not move: page %d was asked for with %s, and the next one would be too", i+1, short(p.Next.Value))})
	case back >= 0:
		out = append(out, Verdict{Name: Loop, Page: i, Stops: true,
			Text: fmt.Sprintf("loop: after page %d comes %s, which already gave page %d", i+1, short(p.Next.Value), back+1)})
	}
	if n := p.facts.empties; n > 0 && n%mostEmpty == 0 && p.Next.State == More {
		out = append(out, Verdict{Name: EmptyInMiddle, Page: i, Stops: true,
			Text: fmt.Sprintf("empty page in the middle: page %d and the %d before it have no rows, but more pages follow", i+1, mostEmpty-1)})
	}
	switch {
	case p.facts.allFrom >= 0:
		out = append(out, Verdict{Name: Loop, Page: i, Stops: true,
			Text: fmt.Sprintf("loop: page %d holds the %s of page %d again", i+1, counted(p.Rows, "record"), p.facts.allFrom+1)})
	case p.facts.stale >= stalePages && p.Rows > 0 && !l.seen.keyless:
		out = append(out, Verdict{Name: Loop, Page: i, Stops: true,
			Text: fmt.Sprintf("loop: page %d and the one before it hold only records of earlier pages", i+1)})
	}
	return out
}

// Blocked returns the verdict that makes it pointless to fetch on after the
// last page, if there is one.
func (l *Ledger) Blocked() (Verdict, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pages) == 0 {
		return Verdict{}, false
	}
	if v := l.stops(len(l.pages) - 1); len(v) > 0 {
		return v[0], true
	}
	return Verdict{}, false
}

func (l *Ledger) rowsAfter(i int) bool { return i < l.lastFilled }

// signs judges what the answer says of the next page.
func (l *Ledger) signs(i int) []Verdict {
	p := &l.pages[i]
	f := &p.facts
	switch {
	case p.Next.State == Unknown && f.flag.yes && f.documented && !f.hasValue:
		return []Verdict{{Name: FlagNoCursor, Page: i, Text: "has_more without a cursor: " + p.Next.Why}}
	case p.Next.State == Unknown && p.Rows > 0:
		return []Verdict{{Name: NoPagesPossible, Page: i, Note: !f.flag.yes && !f.hasValue, Text: "no paging possible here: " + p.Next.Why}}
	case p.Next.State == None && f.asked > 0 && p.Rows >= f.asked:
		return []Verdict{{Name: NoPagesPossible, Page: i, Note: true,
			Text: fmt.Sprintf("no paging possible here: all %d rows asked for came, and nothing says whether there are more", f.asked)}}
	case !f.hasValue || f.marksEnd:
		return nil
	case f.flag.known && !f.flag.yes && f.documented:
		return []Verdict{{Name: CursorNoFlag, Page: i, Note: true,
			Text: fmt.Sprintf("cursor without has_more: %s says this is the last page, yet %s holds a value", f.flag.from, f.valueName)}}
	case f.flag.missing:
		return []Verdict{{Name: CursorNoFlag, Page: i, Note: true,
			Text: fmt.Sprintf("cursor without has_more: %s holds a value, and the flag beside it is missing", f.valueName)}}
	}
	return nil
}

// sizes judges the row counts against what was asked for.
func (l *Ledger) sizes() []Verdict {
	var short []int
	full := false
	for i := range l.pages {
		f := &l.pages[i].facts
		switch {
		case f.asked == 0 || f.rows == 0:
		case f.rows > f.asked:
			return []Verdict{limitIgnored(i, f)}
		case f.rows == f.asked:
			full = true
		case l.leadsOn(i):
			short = append(short, i)
		}
	}
	if len(short) == 0 {
		return nil
	}
	if first := &l.pages[short[0]].facts; !full && l.allAlike(short) && (len(short) > 1 || first.rows == first.usual) {
		return []Verdict{limitIgnored(short[0], first)}
	}
	var out []Verdict
	for _, i := range short {
		f := &l.pages[i].facts
		out = append(out, Verdict{Name: ShortButMore, Page: i, Note: true,
			Text: fmt.Sprintf("short page but more: page %d has %d of %d rows, and more pages follow", i+1, f.rows, f.asked)})
	}
	return out
}

// leadsOn tells whether rows come behind a page. Where no flag says so, a next
// value alone does, until the pages behind it turn out to be empty.
func (l *Ledger) leadsOn(i int) bool {
	p := &l.pages[i]
	switch {
	case p.facts.flag.known && p.facts.flag.yes || l.rowsAfter(i):
		return true
	case p.Next.State != More || p.facts.marksEnd:
		return false
	}
	return i == len(l.pages)-1 || l.pages[len(l.pages)-1].Next.State == More
}

func (l *Ledger) allAlike(pages []int) bool {
	for _, i := range pages {
		if l.pages[i].facts.rows != l.pages[pages[0]].facts.rows {
			return false
		}
	}
	return true
}

func limitIgnored(i int, f *facts) Verdict {
	return Verdict{Name: LimitIgnored, Page: i, Text: fmt.Sprintf("limit ignored (asked %d, got %d)", f.asked, f.rows)}
}
