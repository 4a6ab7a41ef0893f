package session

import (
	"path/filepath"
	"sync"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/learned"
	"patchbay/client/profile"
)

// Lessons is where it is kept what answers showed of records that nobody documented.
func Lessons(f profile.Folders) learned.Store {
	return learned.Store{Dir: filepath.Join(f.State, "learned")}
}

// lessons is what this session keeps of it; nothing where it keeps nothing.
func (s *Session) lessons() learned.Store {
	if !s.keeps() {
		return learned.Store{}
	}
	return Lessons(s.opener.Folders)
}

// lessons are what the answers of this session showed, with what was kept before.
type lessons struct {
	mu    sync.Mutex
	kinds map[string]learned.Kind
}

// of is what is known of a kind.
func (l *lessons) of(kind string, kept learned.Store) learned.Kind {
	if l.kinds[kind] == nil {
		if l.kinds == nil {
			l.kinds = map[string]learned.Kind{}
		}
		if l.kinds[kind] = kept.Load(kind); l.kinds[kind] == nil {
			l.kinds[kind] = learned.Kind{}
		}
	}
	return l.kinds[kind]
}

// apply gives a kind what is known of it.
func (l *lessons) apply(k *catalog.Kind, kept learned.Store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of(k.Name, kept).Apply(k)
}

// add takes what an answer showed. It reports whether that is more than counts.
func (l *lessons) add(kind, entity string, seen *learned.Entity, kept learned.Store) (more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.of(kind, kept)
	if e := known[entity]; e != nil {
		return e.Add(seen)
	}
	known[entity] = &learned.Entity{Fields: map[string]*learned.Field{}}
	return known[entity].Add(seen)
}

// Notice learns from an answer what nobody documented of its records: names, types and
// pages, no values. Who opens the action later finds it in the catalog.
func (s *Session) Notice(p *answer.Page) error {
	if p.Err != nil || p.Index == nil || p.Kind == nil || p.Entity == nil {
		return nil
	}
	seen := &learned.Entity{Fields: map[string]*learned.Field{}}
	if learned.Undocumented(p.Entity, p.Action) {
		seen = learned.Look(p)
	}
	if page := answer.Concluded(p.Question, p.Env); page != nil {
		seen.Pages = map[string]*catalog.Page{p.Action.Name: page}
	} else if seen.Records == 0 {
		return nil
	}
	kind, entity := p.Kind.Name, p.Entity.Name
	if s.learned.add(kind, entity, seen, s.lessons()) {
		copied, err := s.Catalog.Copy(kind)
		if err != nil {
			return err
		}
		s.learned.apply(copied, s.lessons())
		s.Catalog.Put(copied)
		if copied.Source == catalog.Live {
			s.asked.set(copied.ConnectorType, copied)
		}
	}
	return s.lessons().Add(kind, entity, seen)
}
