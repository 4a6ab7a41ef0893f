package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Catalog is the set of known kinds: ours, and after Load the user's. Kinds are
// decoded when they are first opened. It is safe for concurrent use; what it
// hands out is shared and must not be changed.
type Catalog struct {
	mu        sync.Mutex
	sections  map[string]string
	summaries []Summary
	kinds     map[string]*Kind
	changed   map[string]bool // kinds that user files added or extended
	err       error
	index     *index
}

// New opens the embedded catalog; no kind is decoded yet.
func New() *Catalog { return open(compiled) }

func open(data string) *Catalog {
	c := &Catalog{kinds: map[string]*Kind{}, changed: map[string]bool{}}
	if c.sections, c.err = openSections(data); c.err == nil {
		c.err = decodeSection(c.sections[sectionSummaries], &c.summaries)
	}
	return c
}

// Err tells whether the embedded catalog itself is damaged.
func (c *Catalog) Err() error { return c.err }

// Kinds lists all kinds in the order of their names.
func (c *Catalog) Kinds() []Summary {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.summaries)
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
	quoted := make([]string, len(e.Near))
	for i, n := range e.Near {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return text + "; did you mean " + strings.Join(quoted, " or ") + "?"
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
		return nil, &UnknownError{What: "kind", Name: name, Near: c.near(name)}
	}
	return c.openKind(found)
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

func (c *Catalog) near(name string) []string {
	var candidates []string
	for _, s := range c.summaries {
		candidates = append(candidates, s.Name, s.ConnectorType, s.System)
	}
	var names []string
	for _, found := range nearest(name, candidates, 9) {
		if kind := c.find(found); len(names) < 3 && !slices.Contains(names, kind) {
			names = append(names, kind)
		}
	}
	return names
}

func (c *Catalog) openKind(name string) (*Kind, error) {
	if k := c.kinds[name]; k != nil {
		return k, nil
	}
	k, err := c.decodeKind(name)
	if err == nil {
		c.kinds[name] = k
	}
	return k, err
}

func (c *Catalog) decodeKind(name string) (*Kind, error) {
	k := &Kind{}
	if err := decodeSection(c.sections[sectionKind+name], k); err != nil {
		return nil, err
	}
	return k, nil
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
		names := make([]string, len(k.Entities))
		for i := range k.Entities {
			names[i] = k.Entities[i].Name
		}
		return k, nil, nil, &UnknownError{What: "entity", Name: entity, In: k.Name, Near: nearest(entity, names, 3)}
	}
	if action == "" {
		return k, e, nil, nil
	}
	a := e.Action(action)
	if a == nil {
		names := make([]string, len(e.Actions))
		for i := range e.Actions {
			names[i] = e.Actions[i].Name
		}
		return k, e, nil, &UnknownError{What: "action", Name: action, In: k.Name + " " + e.Name, Near: nearest(action, names, 3)}
	}
	return k, e, a, nil
}

// Load adds the user's own connector files (*.yaml) of a folder: a file whose
// kind is known extends it, any other adds one. What a broken file says is left
// out and told; a folder that does not exist is no problem.
func (c *Catalog) Load(userDir string) []Problem {
	files, err := filepath.Glob(filepath.Join(escapeGlob(userDir), "*.yaml"))
	if err != nil || len(files) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	sort.Strings(files)
	var problems []Problem
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			problems = append(problems, Problem{File: file, Reason: "cannot be read: " + err.Error()})
			continue
		}
		problems = append(problems, c.add(file, data)...)
	}
	return problems
}

// escapeGlob keeps folders with [ or * in their names literal.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

// add merges one user file into the catalog, all of it or nothing.
func (c *Catalog) add(file string, data []byte) []Problem {
	d := newDecoder(file)
	d.force = User
	root := d.document(data)
	if root == nil {
		return d.problems
	}
	kind := &Kind{}
	if name := child(root, "kind"); name != nil && c.has(name.Value) {
		var err error
		if kind, err = c.base(name.Value); err != nil {
			return []Problem{{File: file, Reason: err.Error()}}
		}
	}
	d.fill(kind, root)
	normalize(kind)
	return c.accept(d, kind)
}

func (c *Catalog) has(name string) bool {
	return slices.ContainsFunc(c.summaries, func(s Summary) bool { return s.Name == name })
}

// base is a copy of a known kind that may be changed.
func (c *Catalog) base(name string) (*Kind, error) {
	if !c.changed[name] {
		return c.decodeKind(name)
	}
	copied := &Kind{}
	return copied, decodeSection(string(encodeSection(c.kinds[name])), copied)
}

func (c *Catalog) accept(d *decoder, k *Kind) []Problem {
	d.validate(k)
	if len(d.problems) > 0 {
		sortProblems(d.problems)
		return d.problems
	}
	c.kinds[k.Name], c.changed[k.Name], c.index = k, true, nil
	c.summaries = slices.DeleteFunc(c.summaries, func(s Summary) bool { return s.Name == k.Name })
	c.summaries = append(c.summaries, k.Summary())
	sort.Slice(c.summaries, func(i, j int) bool { return c.summaries[i].Name < c.summaries[j].Name })
	return nil
}
