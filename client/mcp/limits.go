package mcp

import (
	"patchbay/client"
	"patchbay/client/rawjson"
)

// counts are what a session has used.
type counts struct{ calls, pages, tokens int }

// mostSessions is how many sessions are counted; beyond that all begin anew.
const mostSessions = 10_000

// used are the counts of a session; the lock is held. Protocols without sessions have one
// for all.
func (s *Server) used(session string) *counts {
	c := s.counts[session]
	if c == nil {
		if len(s.counts) >= mostSessions {
			clear(s.counts)
		}
		c = &counts{}
		s.counts[session] = c
	}
	return c
}

// admit counts the call, and refuses it where a limit is reached.
func (s *Server) admit(x *call) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	used, page, most := s.used(x.session), x.furtherPage(), s.o.Limits
	over := func(what string, most int) error {
		return client.Failf(client.ClassRefused, "the limit of %d %s is reached for this session", most, what).
			Advise("Nothing was sent. Answer with what is known, and tell the person.")
	}
	switch {
	case most.Calls > 0 && used.calls >= most.Calls:
		return over("calls", most.Calls)
	case most.Pages > 0 && page && used.pages >= most.Pages:
		return over("further pages", most.Pages)
	case most.Tokens > 0 && used.tokens >= most.Tokens:
		return over("tokens", most.Tokens)
	}
	used.calls++
	if page {
		used.pages++
	}
	return nil
}

// spend counts the tokens of a result.
func (s *Server) spend(session string, tokens int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used(session).tokens += tokens
}

// furtherPage reports whether the call asks for a page behind the first.
func (x *call) furtherPage() bool {
	params := rawjson.ParseMap(x.op.Params)
	if params == nil {
		return false
	}
	if params.Has("cursor") {
		return true
	}
	return x.act != nil && x.act.Page != nil && x.act.Page.Send != "" && params.Has(x.act.Page.Send)
}
