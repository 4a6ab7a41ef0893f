package transport

import (
	"context"

	"patchbay/client"
)

// Signed is a call that carries a token.
type Signed struct {
	// Doing says what the call is for, in errors that do not know it.
	Doing string
	// Before are attempts that led to this call.
	Before []client.Attempt
	// Token returns the token to use, and the attempts of fetching it.
	Token FetchToken
	// Call makes the call that carries the token.
	Call func(Token) (Call, error)
	// Renews is asked when the answer is no success: whether the token was refused and
	// another one can be had. What was refused was not carried out, so that this
	// holds for writes, too.
	Renews func(*Result, Token) bool
}

// DoSigned is Do with a token, which is renewed once when it is not accepted.
// The attempts of token calls stand before those of the call. The token and the
// call returned are those of the last try.
func (c *Client) DoSigned(ctx context.Context, s Signed) (*Result, Token, Call, error) {
	before := s.Before[:len(s.Before):len(s.Before)]
	for again := false; ; again = true {
		token, attempts, err := s.Token(ctx)
		if err != nil {
			return nil, token, Call{}, led(err, s.Doing, before)
		}
		before = append(before, attempts...)
		call, err := s.Call(token)
		if err != nil {
			return nil, token, call, err
		}
		res, err := c.Do(ctx, call)
		if err == nil && !again && !res.OK() && s.Renews(res, token) {
			before = append(before, res.Attempts...)
			continue
		}
		if res != nil {
			res.Attempts = append(before[:len(before):len(before)], res.Attempts...)
		}
		if err != nil {
			err = led(err, s.Doing, before)
		}
		return res, token, call, err
	}
}

// led adds to an error what was wanted and the attempts that led to it.
func led(err error, doing string, before []client.Attempt) error {
	e := *client.AsError(err)
	if e.Doing == "" {
		e.Doing = doing
	}
	e.Attempts = append(before[:len(before):len(before)], e.Attempts...)
	return &e
}
