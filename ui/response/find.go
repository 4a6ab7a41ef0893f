package response

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// finder is a search in the text of a view.
type finder struct {
	terms
	// pattern is the text made ready; nil where the view does not search bytes.
	pattern *rawjson.Pattern
	// hits are the offsets of the hits that are kept, rising; total counts all.
	hits  []int
	total int
	// at is the hit under the cursor, cursor where the cursor stood then.
	at, cursor int
	found      bool // the search has ended
	// page and from, to are what was searched.
	page     *answer.Page
	from, to int
	// size is how much of the body was there then.
	size int
}

// hitsKept bounds the memory of a search; hits beyond it are counted only.
const hitsKept = 1 << 20

// count says how many hits there are, and which one is under the cursor.
func (f finder) count() string {
	switch {
	case f.text == "":
		return ""
	case !f.found:
		return "searching"
	case f.total == 0:
		return "no hit"
	}
	return fmt.Sprintf("%s of %s", quantity.Digits(f.at+1), quantity.Digits(f.total))
}

// matches reports whether a drawn text holds the text.
func (f finder) matches(drawn text.Safe) bool {
	switch {
	case f.text == "":
		return false
	case f.pattern != nil:
		return f.pattern.Match([]byte(drawn))
	}
	return strings.Contains(strings.ToLower(string(drawn)), strings.ToLower(f.text))
}

// seeker is a view over bytes of the body: it knows where its cursor is in
// them, and can go somewhere else.
type seeker interface {
	// span bounds what is searched; to 0 is the end of the body.
	span(in Input) (from, to int)
	offset(in Input) int
	goTo(in Input, offset int)
	// place changes whenever the cursor moves.
	place() int
}

// seek searches the bytes of a view beside the update loop and goes to the
// first hit at or behind the cursor.
func (p *Pane) seek(v seeker) intent.Intent {
	if p.find.text == "" {
		return nil
	}
	pattern, err := rawjson.Query{Text: p.find.text, Regexp: p.find.mode == records.Regexp, Fold: true}.Compile()
	if err != nil {
		return intent.Say{Text: err.Error(), Bad: true}
	}
	p.find.pattern = pattern
	page, asked := p.Page(), p.find.terms
	from, to := v.span(p.Input)
	p.find.page, p.find.from, p.find.to, p.find.size = page, from, to, page.Size()
	var hits []int
	work := intent.Work("searching", func(ctx context.Context) (total int, err error) {
		return pattern.Search(ctx, page.Env.Body, rawjson.SearchOptions{From: from, To: to,
			Progress: intent.Report(ctx), Found: func(found []rawjson.Match) {
				for _, m := range found[:min(len(found), hitsKept-len(hits))] {
					hits = append(hits, m.From)
				}
			}})
	}, func(total int) intent.Intent {
		if p.Page() != page || p.find.terms != asked {
			return nil // another one was begun since
		}
		p.find.hits, p.find.total, p.find.found, p.find.at = hits, total, true, 0
		from := v.offset(p.Input)
		if p.line != nil {
			from = p.line.offset // the line says how many there are
		}
		switch {
		case len(hits) > 0:
			at, _ := slices.BinarySearch(hits, from)
			p.hit(v, at%len(hits))
		case p.line != nil:
			v.goTo(p.Input, from)
			p.follow()
		default:
			return intent.Say{Text: "nothing here holds \"" + asked.text + "\"", Bad: true}
		}
		return nil
	})
	work.Undo = func() {
		if p.find.terms == asked && !p.find.found {
			p.find = finder{}
		}
	}
	return work
}

// seekOn searches what is there by now, and continues behind the last hit.
func (p *Pane) seekOn(v seeker) intent.Intent {
	from := v.offset(p.Input) - 1
	if len(p.find.hits) > 0 {
		from = p.find.hits[p.find.at]
	}
	work, ok := p.seek(v).(intent.Task)
	if !ok {
		return nil
	}
	return work.Around(func(apply func() intent.Intent) intent.Intent {
		told := apply()
		if at, _ := slices.BinarySearch(p.find.hits, from+1); at < len(p.find.hits) {
			p.hit(v, at)
		}
		return told
	})
}

func (p *Pane) hit(v seeker, at int) {
	p.find.at = at
	v.goTo(p.Input, p.find.hits[at])
	p.follow()
	p.find.cursor = v.place()
}

// NextHit goes to another hit: from the last one, or from the cursor when that has
// moved since. In a table it goes to another row.
func (p *Pane) NextHit(d int) intent.Intent {
	if _, table := p.view.(*tableView); table {
		p.Move(0, d)
		return nil
	}
	v, ok := p.current().(seeker)
	if !ok || p.find.text == "" {
		return intent.Say{Text: "nothing is searched: / starts", Bad: true}
	}
	n := len(p.find.hits)
	from, to := v.span(p.Input)
	switch {
	case p.find.pattern == nil, !p.find.found, p.find.page != p.Page(), p.find.from != from, p.find.to != to:
		return p.seek(v) // this view shows other bytes than those searched
	case p.find.size != p.Page().Size() && (n == 0 || d > 0 && p.find.at == n-1 && v.place() == p.find.cursor):
		return p.seekOn(v) // more came since
	case n == 0:
		return intent.Say{Text: "nothing here holds \"" + p.find.text + "\"", Bad: true}
	}
	at := p.find.at + d
	if v.place() != p.find.cursor {
		at, _ = slices.BinarySearch(p.find.hits, v.offset(p.Input)+1)
		if d < 0 {
			at--
		}
	}
	p.hit(v, (at%n+n)%n)
	return nil
}
