package local

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
)

// listing is a run over all pages of one list of a stand-in.
type listing struct {
	*standIn
	out      answer.Outcome
	err      error
	verdicts []answer.Verdict
	handed   []string // the records handed on
	first    int      // how many of them were on the first page
}

// eachList runs a check for every list of every kind.
func eachList(t *testing.T, check func(t *testing.T, list func(params string, change func(*standIn)) *listing,
	p *pager)) {
	cat := catalog.New()
	for _, summary := range cat.Kinds() {
		t.Run(summary.Name, func(t *testing.T) {
			kind, err := cat.Kind(summary.Name)
			if err != nil {
				t.Fatal(err)
			}
			up := readUpstream(t, summary.Name)
			for name, p := range readPagers(t, summary.Name) {
				e := kind.Entity(p.entity)
				if e == nil || e.Action(p.action) == nil {
					t.Errorf("%s: the catalog has no such list", name)
					continue
				}
				t.Run(name, func(t *testing.T) {
					check(t, func(params string, change func(*standIn)) *listing {
						return list(t, cat, up, e, p, params, change)
					}, p)
				})
			}
		})
	}
}

// list fetches all pages as --all does.
func list(t *testing.T, cat *catalog.Catalog, up *upstream, e *catalog.Entity, p *pager, size string,
	change func(*standIn)) *listing {
	t.Helper()
	l := &listing{standIn: &standIn{pager: p, up: up, call: up.leastOf(t, p), rows: 57}}
	p.key = e.Key
	if change != nil {
		change(l.standIn)
	}
	a := e.Action(p.action)
	op := client.Operation{Entity: e.Name, Action: a.Name, Params: l.call.Params}
	if size != "" {
		op.Params = answer.WithParam(op.Params, a.Page.Size, []byte(size))
	}
	run := answer.NewRun(e, a)
	f := answer.Fetcher{Run: run, Start: op, DropBodies: true,
		Ask: answer.AskOf(up.client(cat, l.standIn), client.Target{Kind: up.Kind, Local: true, Name: "mine"}),
		OnPage: func(page answer.Entry, take int) error {
			if l.asked == 1 {
				l.first = page.Rows
			}
			for i := range take {
				l.handed = append(l.handed, string(page.Index.Record(i).Raw()))
			}
			return nil
		}}
	l.out, l.err = f.Fetch(context.Background(), answer.Limits{Pages: 100})
	l.verdicts = slices.DeleteFunc(run.Verdicts(), func(v answer.Verdict) bool { return v.Note })
	return l
}

// leastOf is the recorded call of a list with the fewest params.
func (up *upstream) leastOf(t *testing.T, p *pager) recorded {
	t.Helper()
	var out *recorded
	for i := range up.Calls {
		c := &up.Calls[i]
		if c.Entity == p.entity && c.Action == p.action && (out == nil || len(c.Params) < len(out.Params)) {
			out = c
		}
	}
	if out == nil {
		t.Fatal("nothing is recorded of this list")
	}
	return *out
}

// whole fails unless all records came, each once, and nothing is said against the paging.
func (l *listing) whole(t *testing.T, what string) {
	t.Helper()
	handed := slices.Clone(l.handed)
	slices.Sort(handed)
	if n := len(slices.Compact(handed)); n != l.rows || len(l.handed) != l.rows {
		t.Errorf("%s: %d of %d records, %d handed on: %s", what, n, l.rows, len(l.handed), l.said())
	}
	if l.err != nil || len(l.verdicts) > 0 || l.out.Stop != answer.StopEnd && l.out.Next.State != answer.None {
		t.Errorf("%s: %s", what, l.said())
	}
	l.strict(t, what)
}

// strict fails for what the stand-in refused.
func (l *listing) strict(t *testing.T, what string) {
	t.Helper()
	for _, w := range l.wrong {
		t.Errorf("%s: %s", what, w)
	}
}

// said is all that a person is told of how it ended.
func (l *listing) said() string {
	text := fmt.Sprintf("after %d calls: %v %s", l.asked, l.err, l.out.Why)
	for _, v := range l.verdicts {
		text += "; " + v.Text
	}
	return text
}

func TestEveryListHasAStandIn(t *testing.T) {
	cat := catalog.New()
	for _, summary := range cat.Kinds() {
		kind, err := cat.Kind(summary.Name)
		if err != nil {
			t.Fatal(err)
		}
		pagers := readPagers(t, summary.Name)
		for i := range kind.Entities {
			for j := range kind.Entities[i].Actions {
				e, a := &kind.Entities[i], &kind.Entities[i].Actions[j]
				lists := a.Name == catalog.ActionList || a.Name == catalog.ActionAPISearch
				if lists && a.Binding != nil && pagers[e.Name+"."+a.Name] == nil {
					t.Errorf("nothing says how the vendor pages %s %s %s", kind.Name, e.Name, a.Name)
				}
			}
		}
	}
}

// All records come with the sizes that the vendor takes by itself, with those that are
// asked for, from servers with smaller pages, and where a page ends at the last record.
func TestAllRecordsOfEveryList(t *testing.T) {
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, p *pager) {
		if p.Cannot != "" {
			if l := list("", nil); !strings.Contains(l.said(), p.Cannot) || l.out.Stop != answer.StopVerdict {
				t.Errorf("%s, want %q", l.said(), p.Cannot)
			}
			return
		}
		if p.Style == "all" {
			l := list("", func(s *standIn) { s.rows = rowsOf(p) })
			l.whole(t, "all at once")
			return
		}
		list("", func(s *standIn) { s.rows = rowsOf(p) }).whole(t, "the vendor's own size")
		list("", func(s *standIn) { s.limit = 15 }).whole(t, "pages of 15")
		list("", func(s *standIn) { s.limit = 19 }).whole(t, "a full last page")
		if p.Size == "" {
			return
		}
		size := 20
		if p.Max > 0 {
			size = min(size, p.Max)
		}
		asked := fmt.Sprint(size)
		list(asked, nil).whole(t, "a size asked for")
		list(asked, func(s *standIn) { s.rows = 3 * size }).whole(t, "full pages asked for")
		list(asked, func(s *standIn) { s.rows = 0 }).whole(t, "no records")
		l := list(asked, func(s *standIn) { s.limit = size - 3 })
		l.verdicts = slices.DeleteFunc(l.verdicts, func(v answer.Verdict) bool { return v.Name == answer.LimitIgnored })
		l.whole(t, "a server with smaller pages than asked for")
	})
}

// rowsOf is 57, or one where an answer is one record and has no pages.
func rowsOf(p *pager) int {
	if p.Single && p.Style == "all" {
		return 1
	}
	return 57
}
