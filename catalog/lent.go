package catalog

import (
	"slices"
	"strings"
)

// Lend adds a kind that is read when it is first opened, such as one that was kept from
// an earlier run. A kind of its name or connector type that is there already stays.
func (c *Catalog) Lend(about Summary, read func() (*Kind, error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.ContainsFunc(c.summaries, func(s Summary) bool {
		return s.Name == about.Name || strings.EqualFold(s.ConnectorType, about.ConnectorType)
	}) {
		return
	}
	c.lent[about.Name], c.index = read, nil
	c.summarize(about)
}

// Amend has a kind changed whenever it is read: with what answers showed of it. It must
// be called before the kind is opened.
func (c *Catalog) Amend(name string, change func(*Kind)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.amended[name], c.index = change, nil
}

// open reads a kind that was not read yet.
func (c *Catalog) open(name string) (*Kind, error) {
	k := &Kind{}
	var err error
	if read := c.lent[name]; read != nil {
		k, err = read()
	} else {
		err = decodeSection(c.sections[sectionKind+name], k)
	}
	if err == nil && c.amended[name] != nil {
		c.amended[name](k)
	}
	return k, err
}

// summarize lists a kind in place of the one of its name.
func (c *Catalog) summarize(about Summary) {
	c.summaries = slices.DeleteFunc(c.summaries, func(s Summary) bool { return s.Name == about.Name })
	c.summaries = append(c.summaries, about)
	slices.SortFunc(c.summaries, func(a, b Summary) int { return strings.Compare(a.Name, b.Name) })
}

// entriesOf lists what can be found in a kind: from its own section, or from the kind
// where it was changed or is not ours. What cannot be read holds nothing.
func (c *Catalog) entriesOf(name string) (list []entry) {
	if !c.changed[name] && c.lent[name] == nil && c.amended[name] == nil {
		if err := decodeSection(c.sections[sectionIndex+name], &list); err != nil {
			return nil // half a list has children without parents
		}
		return list
	}
	k := c.kinds[name]
	if k == nil {
		var err error
		if k, err = c.open(name); err != nil {
			return nil
		}
		c.kinds[name] = k
	}
	return indexOf(k)
}
