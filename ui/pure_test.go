package ui

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Drawing reads and changes nothing: whatever the screen shows and however large it
// is, the program's state is the same before and after it was drawn.
func TestDrawingChangesNothing(t *testing.T) {
	for _, st := range states() {
		t.Run(st.name, func(t *testing.T) {
			t.Parallel()
			st.make(t, 120, 36).drawsPurely()
		})
	}
}

func TestDrawingAnyViewChangesNothing(t *testing.T) {
	p := manyViewed(t, 120, 36)
	for _, view := range p.m.res.ViewNames() {
		p.m.res.ShowView(view)
		p.drawsPurely()
	}
}

// A form that changes while its pane shows JSON, and then only its summary, is judged before that is drawn.
func TestDrawingASummaryChangesNothing(t *testing.T) {
	p := answered(t, 120, 36)
	p.open("payments", "customers", "list")
	p.typed("9")
	p.send(editedMsg{text: "no JSON"})
	p.typed("9")
	p.send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
	p.drawsPurely()
}

// drawsPurely fails where drawing the present screen in some size changes anything.
func (p *player) drawsPurely() {
	p.t.Helper()
	for _, s := range []size{{120, 36}, {200, 60}, {60, 20}} {
		p.send(tea.WindowSizeMsg{Width: s.w, Height: s.h})
		before := stateOf(p.m)
		p.m.View()
		if after := stateOf(p.m); !maps.Equal(before, after) {
			p.t.Errorf("%s at %s: drawing changed %s", p.m.res.Scope(), s, difference(before, after))
		}
	}
}

// reached holds the plain values that can be reached from a value, by their paths. Of
// long lists and of maps only the length counts.
type reached map[string]string

func stateOf(v any) reached {
	s := reached{}
	s.walk("m", reflect.ValueOf(v), map[uintptr]bool{})
	return s
}

// cached are parts whose reading fills a memo that nobody can tell from outside.
var cached = map[string]bool{
	"style.painted": true, // highlighted lines by their text: finding a line's colours is a pure function
	"places.visit":  true, // up to 50 whole panes as they were left, which nothing draws
}

// behind are the packages of the catalog, which never changes, of the service behind
// the screen, which tests share, of the count of readers beside it, which end when they do, and
// of contexts and locks, which those who work beside the screen change at any time.
var behind = []string{"context", "sync", "patchbay/catalog", "patchbay/client/crew", "patchbay/client/sandbox", "patchbay/client/hosted", "patchbay/client/transport"}

// apart reports whether a type is left out.
func apart(t reflect.Type) bool {
	return cached[t.String()] || slices.ContainsFunc(behind, func(p string) bool { return strings.HasPrefix(t.PkgPath(), p) })
}

func (s reached) walk(path string, v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			s[path] = "nil"
			return
		}
		if seen[v.Pointer()] || apart(v.Type().Elem()) {
			return
		}
		seen[v.Pointer()] = true
		s.walk(path, v.Elem(), seen)
	case reflect.Interface:
		if !v.IsNil() {
			s.walk(path, v.Elem(), seen)
		}
	case reflect.Struct:
		if apart(v.Type()) {
			return
		}
		for i := range v.NumField() {
			s.walk(path+"."+v.Type().Field(i).Name, v.Field(i), seen)
		}
	case reflect.Slice, reflect.Array:
		s[path+".len"] = fmt.Sprint(v.Len())
		if v.Len() > 64 || v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			s.walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i), seen)
		}
	case reflect.Map:
		s[path+".len"] = fmt.Sprint(v.Len())
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float64:
		s[path] = fmt.Sprintf("%v", v)
	}
}

// difference lists some of the values that differ, for the message of a failure.
func difference(a, b reached) string {
	var out []string
	for k := range b {
		if a[k] != b[k] {
			out = append(out, fmt.Sprintf("%s (%.40q, then %.40q)", k, a[k], b[k]))
		}
	}
	for k := range a {
		if _, ok := b[k]; !ok {
			out = append(out, k+" (gone)")
		}
	}
	sort.Strings(out)
	return fmt.Sprint(out[:min(len(out), 6)])
}
