package transport

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"patchbay/client"
	"patchbay/client/crew"
	"patchbay/client/secret"
)

func fetching(n *atomic.Int64, takes time.Duration, err error) FetchToken {
	return func(ctx context.Context) (Token, []client.Attempt, error) {
		n.Add(1)
		select {
		case <-time.After(takes):
		case <-ctx.Done():
			return Token{}, nil, ctx.Err()
		}
		now := time.Now()
		return Token{Value: secret.New("t"), Fetched: true, Issued: now, Ends: now.Add(time.Hour)}, []client.Attempt{{N: 1}}, err
	}
}

// A call that is canceled while it waits does not fail the others, and does not
// make them fetch anew; the attempts belong to the one who asked first.
func TestCallersShareOneFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetched, attempts, canceled atomic.Int64
		tokens := New(Options{}).NewTokens(Token{}, "")
		first, cancel := context.WithCancel(context.Background())
		go func() {
			if _, _, err := tokens.Get(first, fetching(&fetched, time.Second, nil)); client.AsError(err).Class == client.ClassCanceled {
				canceled.Add(1)
			}
		}()
		synctest.Wait()
		for range 10 {
			go func() {
				token, sent, err := tokens.Get(context.Background(), fetching(&fetched, time.Second, nil))
				if err != nil || token.Value.Reveal() != "t" {
					t.Errorf("%v, %v", token, err)
				}
				attempts.Add(int64(len(sent)))
			}()
		}
		synctest.Wait()
		cancel()
		synctest.Wait()
		if canceled.Load() != 1 {
			t.Error("the canceled call waits on")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if fetched.Load() != 1 || attempts.Load() != 0 {
			t.Errorf("%d fetches, %d attempts for those who only waited", fetched.Load(), attempts.Load())
		}
	})
}

func TestTokensAreKeptUntilTheyEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetched atomic.Int64
		tokens := New(Options{}).NewTokens(Token{Value: secret.New("given"), Ends: time.Now().Add(-time.Hour)}, "")
		get := func() Token {
			token, _, err := tokens.Get(context.Background(), fetching(&fetched, 0, nil))
			if err != nil {
				t.Error(err)
			}
			return token
		}
		given := get()
		if given.Value.Reveal() != "given" {
			t.Error("a token that was handed over is used until it is refused")
		}
		tokens.Drop(given)
		tokens.Drop(get())
		tokens.Drop(given)
		get()
		time.Sleep(58 * time.Minute)
		get()
		if fetched.Load() != 2 {
			t.Errorf("%d fetches, want 2", fetched.Load())
		}
		time.Sleep(time.Minute + time.Second)
		if get(); fetched.Load() != 3 {
			t.Error("a token is not renewed before its end")
		}
	})
}

// A token of the future, as after a clock was set back, is renewed: it may have ended.
func TestTokensAfterTheClockWasSetBack(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	token := Token{Value: secret.New("x"), Fetched: true, Issued: at, Ends: at.Add(time.Hour)}
	for now, want := range map[time.Time]bool{at: true, at.Add(-time.Second): true, at.Add(50 * time.Minute): true,
		at.Add(-time.Hour): false, at.AddDate(-3, 0, 0): false, at.Add(2 * time.Hour): false} {
		if token.Fresh(now) != want {
			t.Errorf("at %s it is fresh: %v", now, !want)
		}
	}
}

// A panic of a fetch ends no program: it reaches those who wait for it.
func TestAFetchThatPanics(t *testing.T) {
	tokens := New(Options{}).NewTokens(Token{}, "")
	for range 2 {
		func() {
			defer func() {
				if p, ok := recover().(*crew.Panic); !ok || p.Error() != "in the fetch" {
					t.Errorf("it brings %v", p)
				}
			}()
			_, _, _ = tokens.Get(t.Context(), func(context.Context) (Token, []client.Attempt, error) { panic("in the fetch") })
		}()
	}
}

func TestAFetchThatFailsIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fetched atomic.Int64
		tokens := New(Options{}).NewTokens(Token{}, "")
		broken := errors.New("broken")
		for range 2 {
			if _, sent, err := tokens.Get(context.Background(), fetching(&fetched, 0, broken)); !errors.Is(err, broken) || len(sent) != 1 {
				t.Error(sent, err)
			}
		}
		if fetched.Load() != 2 {
			t.Errorf("%d fetches, want 2", fetched.Load())
		}
	})
}
