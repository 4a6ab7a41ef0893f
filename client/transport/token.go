package transport

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"patchbay/client"
	"patchbay/client/crew"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

const (
	// renewBefore is how long before its end a token is renewed.
	renewBefore = time.Minute
	// tokenPatience bounds the call of a token endpoint.
	tokenPatience = 30 * time.Second
)

// Token is a bearer token and how long it can be used.
type Token struct {
	Value secret.Secret
	// Ends is zero when unknown; Issued is when a fetched token was asked for.
	Issued, Ends time.Time
	// Fetched is set for tokens that this program asked for.
	Fetched bool
}

// Fresh reports whether the token can still be used. One that was handed to us
// is used to its very end, as nothing is known about a successor.
func (t Token) Fresh(now time.Time) bool {
	if t.Value.Empty() {
		return false
	}
	if t.Ends.IsZero() || !t.Fetched {
		return true
	}
	if now.Before(t.Issued.Add(-renewBefore)) { // the clock was set back: nothing tells how old it is
		return false
	}
	// A token that lives less than two margins is renewed after half its life.
	margin := min(renewBefore, t.Ends.Sub(t.Issued)/2)
	return now.Before(t.Ends.Add(-margin))
}

// FetchToken asks a token endpoint; the attempts are given beside an error, too.
type FetchToken func(context.Context) (Token, []client.Attempt, error)

// Tokens keeps the token of one identity and has it fetched when there is none
// that can be used. It is safe for concurrent use.
type Tokens struct {
	now     func() time.Time
	address string // of the service, for the texts of errors
	mu      sync.Mutex
	current Token
	flights singleflight.Group
}

// NewTokens returns a cache that holds a token to begin with; the zero Token is none.
func (c *Client) NewTokens(first Token, address string) *Tokens {
	return &Tokens{now: c.Now, address: address, current: first}
}

// Current is the token that was used last; the zero Token when there is none.
func (t *Tokens) Current() Token {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current
}

// Set puts a token in place of the current one.
func (t *Tokens) Set(token Token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current = token
}

// Drop forgets a token that was not accepted, unless another took its place already.
func (t *Tokens) Drop(used Token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.current.Value == used.Value {
		t.current = Token{}
	}
}

// Get returns a token that can be used. All who wait for one share a fetch,
// which outlives the caller that began it, so that a canceled call does not fail
// the others; the attempts go to that caller alone.
func (t *Tokens) Get(ctx context.Context, fetch FetchToken) (Token, []client.Attempt, error) {
	if current := t.Current(); current.Fresh(t.now()) {
		return current, nil, nil
	}
	var attempts []client.Attempt
	done := t.flights.DoChan("", func() (got any, err error) {
		defer func() {
			if r := recover(); r != nil { // it would end the program here, and reaches who waits so
				got, err = crew.Caught(r), nil
			}
		}()
		if current := t.Current(); current.Fresh(t.now()) {
			return current, nil // a fetch ended between the look above and this one
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tokenPatience)
		defer cancel()
		token, sent, err := fetch(ctx)
		attempts = sent
		if err == nil {
			t.Set(token)
		}
		return token, err
	})
	client.Notify(ctx, client.Event{Kind: client.EventToken})
	select {
	case r := <-done:
		if p, fell := r.Val.(*crew.Panic); fell {
			panic(p)
		}
		return r.Val.(Token), attempts, r.Err
	case <-ctx.Done():
		return Token{}, nil, Classify(context.Cause(ctx), t.address)
	}
}

// AskToken makes the call of a token endpoint and reads its answer: the token and
// the object that tells it. The token is empty where none came. refine may add to
// the error of a bad status what is known about the endpoint; the body is nobody's
// to browse.
func (c *Client) AskToken(
	ctx context.Context, call Call, refine func(*client.Error, *Result),
) (token Token, answer rawjson.Node, res *Result, err error) {
	started := c.Now()
	if res, err = c.Do(ctx, call); err != nil {
		return token, answer, &Result{Attempts: client.AsError(err).Attempts}, err
	}
	if !res.OK() {
		e := c.Failure(call, res)
		if e.Envelope = nil; e.Layer != client.LayerProxy {
			refine(e, res)
		}
		return token, answer, res, e
	}
	answer = rawjson.Root(res.Body)
	token = Token{Fetched: true, Issued: started}
	for _, name := range []string{"access_token", "token"} {
		if v, _ := answer.Get(name); v.Kind() == rawjson.String && token.Value.Empty() {
			token.Value = secret.New(v.Text())
		}
	}
	c.Redactor().Add(token.Value)
	life, _ := answer.Get("expires_in")
	if s, err := strconv.ParseFloat(life.Text(), 64); err == nil && s > 0 && s < 1e9 {
		token.Ends = started.Add(time.Duration(s * float64(time.Second)))
	}
	return token, answer, res, nil
}
