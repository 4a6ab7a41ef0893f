package local

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"patchbay/client/answer"
)

// A server that does not know what asks for the next page gives the first one again. That
// is seen on the second page, of which nothing is handed on.
func TestAnIgnoredPlaceIsNoticedOnTheSecondPage(t *testing.T) {
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, p *pager) {
		if p.Style == "all" || p.NextAs == "path" {
			return
		}
		l := list("", func(s *standIn) { s.limit, s.deaf = 15, true })
		// One that is a single record may well be like the one before.
		if l.asked != 2 || l.out.Stop != answer.StopVerdict || len(l.handed) != l.first && !p.Single {
			t.Errorf("%d calls, %d records: %s", l.asked, len(l.handed), l.said())
		}
		l.strict(t, "deaf")
	})
}

// An answer without the place of the records is no empty list.
func TestAnotherShapeIsNoEmptyList(t *testing.T) {
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, _ *pager) {
		l := list("", func(s *standIn) { s.foreign = true })
		if l.err == nil || !strings.Contains(l.err.Error(), "unexpected") || len(l.handed) > 0 {
			t.Errorf("%d records: %s", len(l.handed), l.said())
		}
	})
}

// Where the server speaks of more records than come, that is said.
func TestFewerRecordsThanTheTotalAreTold(t *testing.T) {
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, p *pager) {
		if p.Total == "" || p.Cannot != "" {
			return
		}
		l := list("", func(s *standIn) { s.total = 60 })
		if l.out.Stop != answer.StopVerdict || !strings.Contains(l.out.Why, "57 of 60") || len(l.handed) != 57 {
			t.Errorf("%d records: %s", len(l.handed), l.said())
		}
	})
}

// A server that says there is more, by a flag or by a total, but not how to ask for it.
func TestMoreWithoutAWayIsTold(t *testing.T) {
	told := 0
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, p *pager) {
		if p.Next == "" || p.More+p.Last+p.Total == "" || p.More == "@link.results" {
			return
		}
		l := list("", func(s *standIn) { s.limit, s.mute = 15, true })
		if p.Style == "offset" { // it is counted
			l.whole(t, "no next page told")
			return
		}
		says := l.out.Stop == answer.StopVerdict && strings.Contains(l.out.Why, fmt.Sprintf("%d of 57", l.first)) ||
			l.out.Stop == answer.StopUnknown && answer.SaysMore(answer.Tell(l.verdicts))
		if told++; !says || l.asked != 1 || len(l.handed) != l.first {
			t.Errorf("%d calls, %d records: %s", l.asked, len(l.handed), l.said())
		}
	})
	if told < 60 {
		t.Errorf("only %d lists were looked at", told)
	}
}

// A next value on the last page leads to an empty page, and that is the end.
func TestAnEmptyPageBehindTheLastIsTheEnd(t *testing.T) {
	eachList(t, func(t *testing.T, list func(string, func(*standIn)) *listing, p *pager) {
		if p.Style == "all" || p.Single {
			return
		}
		l := list("", func(s *standIn) { s.limit, s.restless = 19, true })
		l.verdicts = slices.DeleteFunc(l.verdicts, func(v answer.Verdict) bool { return v.Name == answer.EmptyInMiddle })
		l.whole(t, "an empty page behind the last")
	})
}
