package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"patchbay/client"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

// Renewed is what a token endpoint gave in place of a refresh token that can be used
// once only. Without it the credential that a person configured is lost.
type Renewed struct {
	RefreshToken, AccessToken secret.Secret
	// Issued and Ends are those of the access token; Ends is zero when unknown.
	Issued, Ends time.Time
	// Sets are values that override the configuration.
	Sets map[string]string
}

// Keeper hands what is kept under the name of an origin to renew, and keeps what that
// returns, unless it is the same; the zero Renewed is nothing. While renew runs, no other program
// is at it. place tells for people where it is kept. When renew was run, err says that
// its outcome could not be kept.
type Keeper func(ctx context.Context, origin string, renew func(Renewed) Renewed) (place string, err error)

// Origin names what is kept in place of a refresh token. The token cannot be told from it.
func Origin(kind string, given secret.Secret) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + given.Reveal()))
	return kind + "." + hex.EncodeToString(sum[:12])
}

// shared renews a token that other programs may renew, too: the one who comes first does,
// and the others take what it was given.
func (s *session) shared(ctx context.Context, p *plan, a *auth) (
	token transport.Token, sent []client.Attempt, err error,
) {
	ran, replaced := false, false
	place, problem := p.c.cfg.Keep(ctx, Origin(p.kind.Name, s.given), func(kept Renewed) Renewed {
		ran = true
		if token = s.take(p, kept); !token.Value.Empty() {
			return kept
		}
		before := s.current()
		if token, sent, err = s.ask(ctx, p, a); err != nil {
			if client.AsError(err).Class == client.ClassAuth {
				return Renewed{} // it is of no more use
			}
			return kept
		}
		if replaced = s.current() != before; !replaced && kept.RefreshToken.Empty() {
			return kept
		}
		return Renewed{s.current(), token.Value, token.Issued, token.Ends, s.sets}
	})
	if !ran {
		token, sent, err = s.ask(ctx, p, a)
		replaced = s.current() != s.given
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !replaced || err != nil:
	case problem != nil:
		s.note = "the third party replaced the refresh token, and the new one could not be kept: " +
			p.c.t.Redactor().Text(problem.Error())
	default:
		s.note = "the third party replaced the refresh token from " + a.fields["refresh_token"].from +
			"; the new one is kept in " + place + " and used in its place"
	}
	return token, sent, err
}

// take makes use of what is kept, and returns its access token where that may still work.
func (s *session) take(p *plan, kept Renewed) (token transport.Token) {
	if kept.RefreshToken.Empty() {
		return token
	}
	p.c.t.Redactor().Add(kept.RefreshToken)
	p.c.t.Redactor().Add(kept.AccessToken)
	token = transport.Token{Value: kept.AccessToken, Issued: kept.Issued, Ends: kept.Ends, Fetched: true}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refresh = kept.RefreshToken
	if kept.AccessToken == s.refused || !token.Fresh(p.c.t.Now()) {
		return transport.Token{}
	}
	s.sets = kept.Sets
	return token
}

// current is the refresh token to use next.
func (s *session) current() secret.Secret {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refresh
}
