package answer

import (
	"fmt"

	"patchbay/client/quantity"
)

// IsFile reports whether the page is a file, be it explored or downloaded: it has no
// pages, and it is no run of an action that could be compared with another.
func (p *Page) IsFile() bool { return p.Document != nil || p.File != nil }

// FileFacts are the name, size and completeness of a file in one line.
func (p *Page) FileFacts() string {
	f := p.File
	have, total := f.Spool.Size(), f.Total()
	switch {
	case f.Whole():
		t := f.Name + " · " + quantity.Size(have)
		if p.Len() > 0 {
			t += " · " + Rows(p.Len())
		}
		return t
	case total > 0:
		return fmt.Sprintf("%s · %s of %s, %d%%", f.Name, quantity.Size(have), quantity.Size(total), have*100/total)
	}
	return f.Name + " · " + quantity.Size(have) + ", not all of it"
}
