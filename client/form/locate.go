package form

import "strings"

// ItemOptions are the texts that the rows of a list may be; nil where any will do.
func (f *Form) ItemOptions(p Path) []string {
	in := f.at(p)
	if in == nil || !in.isList() {
		return nil
	}
	return enumTexts(in.element())
}

// Locate finds the input that a service names, in its own way of writing paths or in the
// form's: the whole name, else the end of it; false where there is none.
func (f *Form) Locate(name string) (found Path, ok bool) {
	want := "." + dotted(name)
	var walk func(in *input, p Path)
	walk = func(in *input, p Path) {
		for i, c := range in.children {
			at := in.childPath(p, i)
			own := "." + dotted(at.String())
			switch {
			case own == want:
				found, ok = at, true
				return
			case !ok && (strings.HasSuffix(own, want) || strings.HasSuffix(want, own) || c.field.Wire == name):
				found, ok = at, true
			}
			walk(c, at)
		}
	}
	walk(f.root, "")
	return found, ok
}

// dotted writes a path with dots alone: a[b][0] as a.b.0.
func dotted(path string) string {
	return strings.Trim(strings.NewReplacer("[", ".", "]", "", "/", ".").Replace(path), ".")
}

// Reveal unfolds what an input is in, and keeps it in sight.
func (f *Form) Reveal(p Path) {
	in := f.at(p)
	if in == nil {
		return
	}
	top := in
	for ; top.parent != nil && top.parent != f.root; top = top.parent {
		top.parent.expanded = true
	}
	f.held = top
	f.touch()
}
