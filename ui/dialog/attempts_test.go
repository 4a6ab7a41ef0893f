package dialog

import (
	"testing"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/ui/intent"
)

// A run that waits to try again says so until it is sent again.
func TestPageProgress(t *testing.T) {
	at, words, posted := time.Unix(0, 0), "", 0
	ctx := intent.WithProgress(t.Context(), intent.Progress{Words: func(w string) { words = w },
		Report: func(int, int) {}, Post: func(func() intent.Intent) { posted++ }})
	p := NewPageProgress(ctx, func() time.Time { return at }, 2, 5)
	wants := func(want string) {
		t.Helper()
		if words != want {
			t.Errorf("it says %q, want %q", words, want)
		}
	}
	wants("2 pages, 5 rows")
	observed := p.Observed(ctx)
	client.Notify(observed, client.Event{Kind: client.EventRetry, Reason: "503", Wait: time.Second})
	wants("2 pages, 5 rows, waiting to try again: 503")
	client.Notify(observed, client.Event{Kind: client.EventSend})
	wants("2 pages, 5 rows")
	at = at.Add(10 * time.Second)
	p.Tell(answer.Progress{Pages: 3, Rows: 40, Total: 80, RowsPerSecond: 8,
		Elapsed: 5 * time.Second, Left: time.Second})
	if posted != 1 {
		t.Errorf("%d lines were logged", posted)
	}
	wants("3 pages, 45 rows of 80, 4 rows/s, about 10s left")
}
