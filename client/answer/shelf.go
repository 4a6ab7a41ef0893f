package answer

import (
	"context"
	"sync"

	"patchbay/client"
	"patchbay/client/download"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
)

const (
	// shelfMemory is how much of the pages of a run is kept in memory; those that come
	// later are on disk.
	shelfMemory = 64_000_000
	// shelfDisk is how much of them is kept there.
	shelfDisk = 4_000_000_000
	// shelfPages is how many pages are kept: what is known of each, such as its columns,
	// is in memory too, some 10 to 40 KB.
	shelfPages = 10_000
)

// Shelf has a place for the bodies of all pages of a run: in memory for the first ones,
// then in a temporary file. The zero Shelf is empty. It is safe for concurrent use.
type Shelf struct {
	mu                  sync.Mutex
	pages, memory, disk int
	pile                *rawjson.Pile
}

// Of is ask with the bodies of its answers on the shelf.
func (s *Shelf) Of(ask Ask) Ask {
	return func(ctx context.Context, op client.Operation) (*client.Envelope, error) {
		env, err := ask(ctx, op)
		if err == nil {
			err = s.Keep(env)
		}
		return env, err
	}
}

// Keep takes the body of an answer in. Where there is no more room the error says so.
func (s *Shelf) Keep(env *client.Envelope) error {
	if env == nil || env.Body == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := env.Body.Len()
	switch {
	case s.pages >= shelfPages:
		return full(quantity.Count(shelfPages, "page", "pages"))
	case s.memory+n <= shelfMemory:
		s.memory += n
	case s.disk+n > shelfDisk:
		return full(quantity.Size(shelfDisk) + " of pages")
	default:
		if err := s.toDisk(env); err != nil {
			return client.Failf(client.ClassOther, "the page could not be kept in a temporary file: %v; "+
				"make room, or let TMPDIR name another folder", err)
		}
		s.disk += n
	}
	s.pages++
	return nil
}

func full(most string) error {
	return client.Failf(client.ClassOther, "%s is the most that is kept for the screen; "+
		"patchbay execute --all -o FILE writes any number", most)
}

func (s *Shelf) toDisk(env *client.Envelope) error {
	if s.pile == nil {
		f, err := download.Temporary()
		if err != nil {
			return err
		}
		s.pile = rawjson.NewPile(f)
	}
	body, err := s.pile.Add(env.Body)
	if err == nil {
		env.Body = body
	}
	return err
}
