package catalog

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"patchbay/client/strictyaml"
)

// Catalog is the set of known kinds: ours, and those that were Put into it. Kinds are
// decoded when they are first opened. It is safe for concurrent use; what it
// hands out is shared and must not be changed.
type Catalog struct {
	mu        sync.Mutex
	sections  map[string]string
	summaries []Summary
	kinds     map[string]*Kind
	changed   map[string]bool // kinds that were Put
	lent      map[string]func() (*Kind, error)
	amended   map[string]func(*Kind)
	err       error
	index     *index
}

// New opens the embedded catalog; no kind is decoded yet.
func New() *Catalog { return Open(compiled) }

// Open opens what Compile made; no kind is decoded yet.
func Open(data string) *Catalog {
	r := &sectionReader{data: data}
	count := r.count()
	names, sizes := make([]string, count), make([]int, count)
	for i := range count {
		names[i] = r.take(r.count())
		sizes[i] = r.count()
	}
	c := &Catalog{kinds: map[string]*Kind{}, changed: map[string]bool{}, sections: make(map[string]string, count),
		lent: map[string]func() (*Kind, error){}, amended: map[string]func(*Kind){}}
	for i, name := range names {
		c.sections[name] = r.take(sizes[i])
	}
	if c.err = r.err; c.err == nil {
		c.err = decodeSection(c.sections[sectionSummaries], &c.summaries)
	}
	return c
}

// Kinds lists all kinds in the order of their names.
func (c *Catalog) Kinds() []Summary {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.summaries)
}

// First is the list to show before anything is asked for, and the kind that it is of;
// both are empty in a catalog without one.
func (c *Catalog) First() (kind string, call FirstCall) {
	for _, k := range c.Kinds() {
		if k.First.Entity != "" {
			return k.Name, k.First
		}
	}
	return "", call
}

// UnknownError says that a name is not in the catalog, and which are near.
type UnknownError struct {
	// What is "kind", "entity" or "action"; In is where it was looked for,
	// empty for the catalog as a whole.
	What, Name, In string
	// Near are known names that look like it, best first.
	Near []string
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("no %s is called %q", e.What, e.Name)
	if e.In != "" {
		text = fmt.Sprintf("%s has no %s called %q", e.In, e.What, e.Name)
	}
	if len(e.Near) == 0 {
		return strings.TrimSpace(text + "; list what there is with: patchbay catalog " + e.In)
	}
	return fmt.Sprintf(`%s; did you mean "%s"?`, text, strings.Join(e.Near, `" or "`))
}

// Kind opens a kind by its name, connector type, system or title, in this order
// and in any case. The error for an unknown name is an *UnknownError.
func (c *Catalog) Kind(name string) (*Kind, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	found := c.find(name)
	if found == "" {
		unknown := &UnknownError{What: "kind", Name: name}
		var forms []string
		for _, s := range c.summaries {
			forms = append(forms, s.Name, s.ConnectorType, s.System)
		}
		for _, form := range strictyaml.Nearest(name, forms, 9) {
			if kind := c.find(form); len(unknown.Near) < 3 && !slices.Contains(unknown.Near, kind) {
				unknown.Near = append(unknown.Near, kind)
			}
		}
		return nil, unknown
	}
	if c.kinds[found] == nil {
		k, err := c.open(found)
		if err != nil {
			return nil, err
		}
		c.kinds[found] = k
	}
	return c.kinds[found], nil
}

// find resolves a name in any of its forms; empty when nothing matches.
func (c *Catalog) find(name string) string {
	for _, form := range [...]func(*Summary) string{
		func(s *Summary) string { return s.Name },
		func(s *Summary) string { return s.ConnectorType },
		func(s *Summary) string { return s.System },
		func(s *Summary) string { return s.Title },
	} {
		for i := range c.summaries {
			if name != "" && strings.EqualFold(form(&c.summaries[i]), name) {
				return c.summaries[i].Name
			}
		}
	}
	return ""
}

// Resolve opens a kind, and an entity and action of it unless their names are
// empty. The error for an unknown name is an *UnknownError.
func (c *Catalog) Resolve(kind, entity, action string) (*Kind, *Entity, *Action, error) {
	k, err := c.Kind(kind)
	if err != nil || entity == "" {
		return k, nil, nil, err
	}
	e := k.Entity(entity)
	if e == nil {
		near := strictyaml.Nearest(entity, k.EntityNames(), 3)
		return k, nil, nil, &UnknownError{What: "entity", Name: entity, In: k.Name, Near: near}
	}
	if action == "" {
		return k, e, nil, nil
	}
	a := e.Action(action)
	if a == nil {
		near := strictyaml.Nearest(action, e.ActionNames(), 3)
		return k, e, nil, &UnknownError{What: "action", Name: action, In: k.Name + " " + e.Name, Near: near}
	}
	return k, e, a, nil
}

// Copy returns a kind that may be changed and Put back: the one of exactly this
// name, or an empty one where there is none.
func (c *Catalog) Copy(name string) (*Kind, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	copied := &Kind{}
	switch {
	case c.changed[name], c.lent[name] != nil && c.kinds[name] != nil:
		return copied, decodeSection(string(encodeSection(c.kinds[name])), copied)
	case c.lent[name] != nil:
		return c.open(name)
	case !slices.ContainsFunc(c.summaries, func(s Summary) bool { return s.Name == name }):
		return copied, nil
	}
	return copied, decodeSection(c.sections[sectionKind+name], copied)
}

// Put adds a kind to the catalog, or takes it in place of the one of its name.
func (c *Catalog) Put(k *Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kinds[k.Name], c.changed[k.Name], c.index = k, true, nil
	c.summarize(k.Summary())
}
