package answer

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/client/quantity"
)

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
	FewerThanTotal  Name = "fewer records than the total"
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
}

// odd is a verdict whose text begins with its name; noted harms nothing.
func odd(name Name, page int, format string, args ...any) Verdict {
	return Verdict{Name: name, Page: page, Text: string(name) + ": " + fmt.Sprintf(format, args...)}
}

func noted(name Name, page int, format string, args ...any) Verdict {
	return Verdict{Name: name, Page: page, Text: odd(name, page, format, args...).Text, Note: true}
}

// Verdicts judges the pages so far. A sound server gets none.
func (l *Run) Verdicts() []Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []Verdict
	orders := watch{}
	for i := range l.pages {
		p := &l.pages[i]
		out = append(out, l.stops(i)...)
		// Rows of earlier pages. Where ids turned out to tell nothing apart, those found by id do not count.
		again := 0
		switch {
		case p.facts.allFrom >= 0:
		case p.facts.byBytes:
			again = p.Repeated
		case !l.seen.keyless:
			again = p.facts.again
		}
		if again > 0 {
			out = append(out, Verdict{Name: Overlap, Page: i, Text: fmt.Sprintf(
				"pages overlap by %s: page %d repeats records of earlier pages", quantity.Plain(again, "id"), i+1)})
		}
		if n := p.facts.doubles; n > 0 && p.facts.allFrom < 0 && !l.seen.keyless {
			out = append(out, noted(Doubled, i, "page %d holds %s more than once", i+1, quantity.Plain(n, "record")))
		}
		out = append(out, l.empty(i)...)
		out = append(out, l.signs(i)...)
		if field, broken := orders.broken(p.facts.orders); broken && p.Repeated == 0 {
			out = append(out, odd(OrderChanged, i, "the pages before page %d are sorted by %s, and it is not", i+1,
				field))
		}
	}
	return slices.Concat(out, l.sizes(), l.fewer())
}

// empty judges a page without rows.
func (l *Run) empty(i int) []Verdict {
	p := &l.pages[i]
	f := &p.facts
	switch {
	case f.rows > 0 || f.empties > 0 && f.empties%mostEmpty == 0 && p.Next.State == More:
		return nil // those are told by stops
	case p.Next.State == More || i < l.lastFilled:
		return []Verdict{odd(EmptyInMiddle, i, "page %d has no rows, but more pages follow", i+1)}
	case p.Next.State == Unknown && f.flag.yes:
		return []Verdict{odd(EmptyInMiddle, i, "page %d has no rows, but %s says there is more", i+1, f.flag.from)}
	case f.before && !l.pages[0].facts.begins: // the number may be wrong as well
		return []Verdict{noted(EmptyInMiddle, i, "page %d has no rows, but the server speaks of %d records", i+1,
			f.total)}
	}
	return nil
}

// fewer judges a run that came to its end from its beginning: whether it brought as
// many records as the server speaks of.
func (l *Run) fewer() []Verdict {
	n := len(l.pages)
	if n == 0 || !l.pages[0].facts.begins {
		return nil
	}
	if last := l.pages[n-1].Next.State; last != End && last != None {
		return nil
	}
	rows, total := 0, -1
	for i := range l.pages {
		f := &l.pages[i].facts
		rows += f.rows
		if f.totalKnown {
			total = f.total
		}
	}
	if rows >= total {
		return nil
	}
	return []Verdict{odd(FewerThanTotal, n-1, "%d of %d: the server gave no next page", rows, total)}
}

// mostEmpty is how many pages without rows may come in a row before fetching
// many of them stops, and asks whether to continue.
const mostEmpty = 100

// stalePages is how many pages in a row may hold nothing new before continuing is
// pointless: one may, where records moved while they were read.
const stalePages = 2

// stops are the verdicts that make it pointless to continue after a page.
func (l *Run) stops(i int) []Verdict {
	p := &l.pages[i]
	var out []Verdict
	switch back := p.facts.backTo; {
	case back == i:
		out = append(out, odd(CursorStuck, i, "page %d was asked for with %s, and the next one would be too",
			i+1, short(p.Next.Value)))
	case back >= 0:
		out = append(out, odd(Loop, i, "after page %d comes %s, which already gave page %d", i+1,
			short(p.Next.Value), back+1))
	}
	if n := p.facts.empties; n > 0 && n%mostEmpty == 0 && p.Next.State == More {
		out = append(out, odd(EmptyInMiddle, i,
			"page %d and the %d before it have no rows, but more pages follow", i+1, mostEmpty-1))
	}
	switch {
	case p.facts.allFrom >= 0:
		out = append(out, odd(Loop, i, "page %d holds the %s of page %d again", i+1,
			quantity.Plain(p.Rows, "record"), p.facts.allFrom+1))
	case p.facts.stale >= stalePages && p.Rows > 0 && !l.seen.keyless:
		out = append(out, odd(Loop, i, "page %d and the one before it hold only records of earlier pages", i+1))
	}
	return out
}

// Blocked returns the verdict that makes it pointless to fetch on after the
// last page, or impossible to have all records, if there is one.
func (l *Run) Blocked() (Verdict, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.pages); n > 0 {
		if v := append(l.stops(n-1), l.fewer()...); len(v) > 0 {
			return v[0], true
		}
	}
	return Verdict{}, false
}

// signs judges what the answer says of the next page.
func (l *Run) signs(i int) []Verdict {
	p := &l.pages[i]
	f := &p.facts
	switch {
	case p.Next.State == Unknown && f.flag.yes && f.documented && !f.hasValue:
		return []Verdict{odd(FlagNoCursor, i, "%s", p.Next.Why)}
	case p.Next.State == Unknown && p.Rows > 0:
		v := odd(NoPagesPossible, i, "%s", p.Next.Why)
		v.Note = !f.flag.yes && !f.hasValue
		return []Verdict{v}
	case p.Next.State == None && f.asked > 0 && p.Rows >= f.asked:
		return []Verdict{noted(NoPagesPossible, i,
			"all %d rows asked for came, and nothing says whether there are more", f.asked)}
	case !f.hasValue || f.marksEnd:
		return nil
	case f.flag.known && !f.flag.yes && f.documented:
		return []Verdict{noted(CursorNoFlag, i, "%s says this is the last page, yet %s holds a value", f.flag.from,
			f.valueName)}
	case f.flag.missing:
		return []Verdict{noted(CursorNoFlag, i, "%s holds a value, and the flag beside it is missing", f.valueName)}
	}
	return nil
}

// sizes judges the row counts against what was asked for.
func (l *Run) sizes() []Verdict {
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
	first := &l.pages[short[0]].facts
	others := slices.ContainsFunc(short, func(i int) bool { return l.pages[i].facts.rows != first.rows })
	if !full && !others && (len(short) > 1 || first.rows == first.usual) {
		return []Verdict{limitIgnored(short[0], first)}
	}
	var out []Verdict
	for _, i := range short {
		f := &l.pages[i].facts
		out = append(out, noted(ShortButMore, i, "page %d has %d of %d rows, and more pages follow", i+1, f.rows,
			f.asked))
	}
	return out
}

// leadsOn reports whether rows come behind a page. Where no flag says so, a next
// value alone does, until the pages behind it turn out to be empty.
func (l *Run) leadsOn(i int) bool {
	p := &l.pages[i]
	switch {
	case p.facts.flag.known && p.facts.flag.yes || i < l.lastFilled:
		return true
	case p.Next.State != More || p.facts.marksEnd:
		return false
	}
	return i == len(l.pages)-1 || l.pages[len(l.pages)-1].Next.State == More
}

func limitIgnored(i int, f *facts) Verdict {
	return Verdict{Name: LimitIgnored, Page: i, Text: fmt.Sprintf("limit ignored (asked %d, got %d)", f.asked, f.rows)}
}

// Told is a verdict with all the pages that it was given for.
type Told struct {
	Verdict
	// Also are the other pages, from 0, that show the same.
	Also []int
}

// Tell gathers verdicts of one name, so that twenty short pages are told of
// once. What harms comes before what is merely odd.
func Tell(list []Verdict) []Told {
	var out []Told
	at := map[Name]int{}
	for _, v := range list {
		i, known := at[v.Name]
		switch {
		case !known:
			at[v.Name] = len(out)
			out = append(out, Told{Verdict: v})
		case v.Page != out[i].Page && !slices.Contains(out[i].Also, v.Page):
			out[i].Also = append(out[i].Also, v.Page)
		}
	}
	odd := slices.DeleteFunc(slices.Clone(out), func(t Told) bool { return !t.Note })
	return append(slices.DeleteFunc(out, func(t Told) bool { return t.Note }), odd...)
}

// mostNumbers is how many page numbers are told one by one.
const mostNumbers = 8

// Sentence begins with the name of the verdict and says of which pages it
// speaks. It may hold text of the server.
func (t Told) Sentence() string {
	out := t.Text
	if here := fmt.Sprintf("page %d", t.Page+1); !strings.Contains(out, here) {
		out += ", on " + here
	}
	if len(t.Also) == 0 {
		return out
	}
	numbers := make([]string, 0, mostNumbers)
	for _, p := range t.Also[:min(len(t.Also), mostNumbers)] {
		numbers = append(numbers, fmt.Sprint(p+1))
	}
	out += "; also page " + strings.Join(numbers, ", ")
	if n := len(t.Also) - mostNumbers; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

// SaysMore reports whether the server said that there is more without saying how
// to ask for it.
func SaysMore(told []Told) bool {
	return slices.ContainsFunc(told, func(t Told) bool {
		return t.Name == FlagNoCursor || (t.Name == NoPagesPossible || t.Name == EmptyInMiddle) && !t.Note
	})
}
