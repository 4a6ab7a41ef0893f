// Package docs is the feature that shows the catalog's documentation: of what is
// under the cursor, and of the open action beside its form. What it says is the
// catalog's. It imports no other feature and not the root.
package docs

import (
	"strings"

	"patchbay/catalog"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// Feature is the documentation.
type Feature struct {
	dialog.Host
	top int // first line shown at the side
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "docs", After: "actions", In: action.InAny, Keys: []string{"d"}, Label: "docs", Footer: 8,
		Help: "Show the documentation of what is under the cursor", Disabled: f.missing, Do: f.open}}
}

// here is the place under the cursor; ok is false where the catalog knows none.
func (f *Feature) here() (kind, entity, action string, ok bool) {
	if f.Focus() == intent.Tree {
		if n := f.Tree().Current(); n != nil && n.Connector.Kind != "" {
			return n.Connector.Kind, n.Entity, n.Action, true
		}
	}
	if f.Document() != nil {
		as := f.Response().TakenAs()
		if as.Entity == nil {
			return "", "", "", false
		}
		return as.Kind.Name, as.Entity.Name, "", true
	}
	r := f.Request()
	if !r.HasAction() {
		return "", "", "", false
	}
	return r.Kind().Name, r.Entity().Name, r.Action().Name, true
}

// missing says why there is nothing documented under the cursor; "" when there is.
func (f *Feature) missing() string {
	_, _, _, ok := f.here()
	if f.Document() != nil {
		return action.Reason(!ok, "this is a file: the catalog does not know what it holds; A says it")
	}
	return action.Reason(!ok, "put the cursor on a connector, an entity or an action first")
}

// open shows the documentation of what is under the cursor.
func (f *Feature) open() intent.Intent {
	kind, entity, action, _ := f.here()
	return f.Of(kind, entity, action)
}

// Of shows the documentation of a kind, or of an entity or action of it.
func (f *Feature) Of(kind, entity, action string) intent.Intent {
	k, err := f.Catalog().Kind(kind)
	if err != nil {
		return intent.Failed(err)
	}
	title := k.Title
	for _, part := range []string{entity, action} {
		if part != "" {
			title += " / " + part
		}
	}
	return intent.Push{Overlay: &overlay.Reader{Heading: title, Body: lines(k.Describe(entity, action), 24),
		CopyWhat: "documentation", Wide: true}}
}

// lines is documentation as lines whose names take up to widest cells.
func lines(list []catalog.DocLine, widest int) []overlay.Line {
	names := 0
	for _, d := range list {
		if d.Role == catalog.DocField {
			names = min(max(names, text.Width(text.Sanitize(d.Name))), widest)
		}
	}
	var out []overlay.Line
	for _, d := range catalog.Footnoted(list) {
		l := overlay.Line{Text: d.Text, Indent: 2 * d.Indent}
		switch d.Role {
		case catalog.DocTitle:
			l.Text, l.Tone = strings.TrimSpace(d.Name+"  "+d.Text), overlay.Accent
		case catalog.DocSection:
			out = append(out, overlay.Line{})
			l.Text, l.Tone = d.Name, overlay.Heading
		case catalog.DocField:
			l.Label, l.LabelWidth = d.Name, names
			facts := strings.Join(append([]string{d.Type}, d.Marks...), ", ")
			l.Text = strings.TrimSpace(facts + "  " + d.Text)
		case catalog.DocFootnote:
			l.Tone = overlay.Dim
		default:
			l.Text = strings.TrimSpace(d.Name + "  " + d.Text)
		}
		out = append(out, l)
	}
	return out
}

// Aside is the documentation of the open action for the room beside its form.
func (f *Feature) Aside(w, h int, s *style.Styles) (title string, shown []text.Safe) {
	r := f.Request()
	if !r.HasAction() {
		return "Docs", nil
	}
	shown = f.asideLines(w, s)
	shown = shown[min(f.top, len(shown)):]
	shown = shown[:min(len(shown), max(h, 0))]
	for i := range shown {
		shown[i] = " " + shown[i]
	}
	return "Docs  " + r.Entity().Name + " / " + r.Action().Name, shown
}

// mostAside bounds the lines of the documentation beside the form.
const mostAside = 2000

// asideLines is the whole documentation of the open action in w cells.
func (f *Feature) asideLines(w int, s *style.Styles) []text.Safe {
	r := f.Request()
	doc := &overlay.Reader{Body: lines(r.Kind().Describe(r.Entity().Name, r.Action().Name), max(w/3, 12))}
	w = max(w-2, 1)
	doc.Fit(w, mostAside)
	all, _ := doc.Draw(w, mostAside, s)
	return all
}

// Wheel scrolls what stands beside the form by d lines.
func (f *Feature) Wheel(d, w, h int, s *style.Styles) {
	if f.Request().HasAction() {
		f.top = max(min(f.top+d, len(f.asideLines(w, s))-h), 0)
	}
}

// Rewind goes to the first line beside the form: another action was opened.
func (f *Feature) Rewind() { f.top = 0 }
