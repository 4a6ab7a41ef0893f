package catalog

import (
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// Version tells what the embedded catalog holds: what was compiled on top of another one
// is made anew.
func Version() string {
	sum := crc32.Checksum([]byte(compiled), crc32.MakeTable(crc32.Castagnoli))
	return strconv.Itoa(len(compiled)) + "-" + strconv.FormatUint(uint64(sum), 16)
}

// Add takes the kinds of what Compile made into the catalog, in place of those of their
// names; none of them is decoded yet.
func (c *Catalog) Add(data string) error {
	added := Open(data)
	if added.err != nil {
		return added.err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	names := map[string]bool{}
	for _, s := range added.summaries {
		names[s.Name] = true
		delete(c.kinds, s.Name)
		delete(c.changed, s.Name)
	}
	for name, section := range added.sections {
		if name != sectionSummaries {
			c.sections[name] = section
		}
	}
	c.index = nil
	c.summaries = slices.DeleteFunc(c.summaries, func(s Summary) bool { return names[s.Name] })
	c.summaries = append(c.summaries, added.summaries...)
	slices.SortFunc(c.summaries, func(a, b Summary) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// Changed are the kinds that were Put, in the order of their names.
func (c *Catalog) Changed() (kinds []*Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.summaries {
		if c.changed[s.Name] {
			kinds = append(kinds, c.kinds[s.Name])
		}
	}
	return kinds
}
