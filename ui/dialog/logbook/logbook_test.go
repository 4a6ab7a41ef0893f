package logbook

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// clock is the program as the feature sees it.
type clock struct{ dialog.Host }

func (clock) Now() time.Time { return time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC) }

func TestTheNewestLinesAreKept(t *testing.T) {
	f := &Feature{Host: clock{}}
	for i := range kept + 3 {
		f.Add(intent.Log{Group: intent.LogNote, Text: fmt.Sprintf("line %d\x1b[2J", i)})
	}
	f.Add(intent.Log{Group: intent.LogProblem, Text: "it failed"})
	items := f.items(intent.LogNote)
	if len(items) != kept-1 || items[0].Title != fmt.Sprintf("10:00:00  note     line %d", kept+2)+"␛[2J" {
		t.Errorf("%d lines, the first is %q", len(items), items[0].Title)
	}
	if all := f.items(""); len(all) != kept || all[0].Title != "10:00:00  problem  it failed" {
		t.Errorf("%d lines, the first is %q", len(all), all[0].Title)
	}
}

func TestRequestsOpenTheirAnswers(t *testing.T) {
	f := &Feature{Host: clock{}}
	page := &answer.Page{}
	f.Add(intent.Log{Page: page})
	f.Add(intent.Log{Group: intent.LogCopy, Text: "value copied"})
	if in, ok := reopen(f.items(intent.LogCall)[0]).(intent.ShowPage); !ok || in.Page != page {
		t.Errorf("a request opens %v", in)
	}
	in, ok := reopen(f.items(intent.LogCopy)[0]).(intent.Push)
	if !ok || in.Overlay.(*overlay.Reader).CopyText != "value copied" {
		t.Errorf("a copy opens %v", in)
	}
}

// Session is one that keeps runs.
func (clock) Session() dialog.Session { return dialog.Session{} }

// However many answers come, those that are held have a bound; the newest stays, and a
// line without its answer says where that is.
func TestAnswersHaveABoundInBytes(t *testing.T) {
	f := &Feature{Host: clock{}, History: true}
	page := func(size int) *answer.Page {
		return &answer.Page{Env: &client.Envelope{Body: rawjson.Bytes(make([]byte, size))}}
	}
	held := func() (n, bytes int) {
		for _, e := range f.entries {
			if e.page != nil {
				n, bytes = n+1, bytes+e.page.Weight()
			}
		}
		return n, bytes
	}
	for range 48 {
		f.Add(intent.Log{Page: page(20 << 20)})
		f.Add(intent.Log{Text: strings.Repeat("é", 1<<20), Group: intent.LogNote})
	}
	if n, bytes := held(); n != 3 || bytes > keptAnswers {
		t.Errorf("%d answers of %d bytes are held", n, bytes)
	}
	for _, e := range f.entries {
		if len(e.text) > longest+len("…") || !utf8.ValidString(e.text) {
			t.Fatalf("a line of %d bytes is kept", len(e.text))
		}
	}
	items := f.items(intent.LogCall)
	if len(items) != 48 || strings.Contains(items[2].Title, "no longer") || !strings.Contains(items[3].Title, "no longer") {
		t.Errorf("%d lines: %q, %q", len(items), items[2].Title, items[3].Title)
	}
	reader := reopen(items[3]).(intent.Push).Overlay.(*overlay.Reader)
	if last := reader.Body[len(reader.Body)-1].Text; !strings.Contains(last, "The history (H) keeps the run") {
		t.Errorf("it says %q", last)
	}
	f.Add(intent.Log{Page: page(keptAnswers + 1)})
	if n, _ := held(); n != 1 || f.entries[len(f.entries)-1].page == nil {
		t.Errorf("%d answers are held, not only the one on the screen", n)
	}
}
