package search

import (
	"slices"
	"strings"

	"patchbay/catalog"
)

// counterpart is a param of a list, or a member of one, that says the same as
// a condition on a searchable field.
type counterpart struct {
	// path is the param's name, and the member's behind it.
	path []string
	// param describes the value, of which it takes several where list is set.
	param catalog.Field
	list  bool
	// field is the searchable field by its full name.
	field catalog.Field
	// ops are the operators that the param stands for; the first one is sent.
	ops []string
	// flag is set where only true restricts: vip_only.
	flag bool
}

// counterparts lists what of an action's params can be said as conditions.
// Everything follows from names and types: a field of the same name, a range
// (created: {gt}, created_after, since_create_time), a list of values for one
// (states for state), a flag (vip_only for vip).
func counterparts(e *catalog.Entity, a *catalog.Action) []counterpart {
	var out []counterpart
	for i := range a.Params {
		f := &a.Params[i]
		if pages(a, f.Name) || Shapes(f.Name) {
			continue
		}
		if f.Type == "object" {
			for j := range f.Members {
				if c, ok := memberCounterpart(e, f, &f.Members[j]); ok {
					out = append(out, c)
				}
			}
			continue
		}
		if c, ok := paramCounterpart(e, f); ok {
			c.path = []string{f.Name}
			out = append(out, c)
		}
	}
	return out
}

// pages reports whether a param only moves through the pages.
func pages(a *catalog.Action, name string) bool {
	p := a.Page
	return p != nil && name != "" && (name == p.Send || name == p.Back || name == p.Size)
}

// Shapes reports whether a param, by its name, says in what form and order the
// records come, and not which ones.
func Shapes(name string) bool {
	switch n := normal(name); {
	case strings.HasPrefix(n, "sort"), strings.HasPrefix(n, "orderby"), strings.HasSuffix(n, "format"):
		return true
	default:
		return slices.Contains([]string{"fields", "expand", "direction", "fieldsbykeys", "failfast",
			"contentselector", "full", "include"}, n)
	}
}

func memberCounterpart(e *catalog.Entity, parent, f *catalog.Field) (counterpart, bool) {
	own, found := searchable(e, parent.Name)
	var c counterpart
	switch op := f.Name; {
	case op == Gt || op == Gte || op == Lt || op == Lte:
		if !found || !scalar(own) {
			return c, false
		}
		c = counterpart{field: own, ops: []string{op}, param: *f}
		if c.param.Format == "" {
			c.param.Format = parent.Format
		}
	case found:
		inner, exact, ok := FindField(e, own.Name+"."+f.Name)
		if !ok || exact && !scalar(inner) {
			return c, false
		}
		inner.Name = own.Name + "." + f.Name
		c = counterpart{field: inner, ops: []string{Eq}, param: *f}
	default:
		var ok bool
		if c, ok = paramCounterpart(e, f); !ok {
			return c, false
		}
	}
	c.path = []string{parent.Name, f.Name}
	return c, true
}

func paramCounterpart(e *catalog.Entity, f *catalog.Field) (counterpart, bool) {
	c := counterpart{param: *f, list: f.Separator != "" || hasType(*f, "array"), ops: []string{Eq}}
	name := strings.TrimSuffix(f.Name, "[]")
	if stem, ops := bound(name); ops != nil {
		var ok bool
		c.field, ok = timeField(e, stem)
		c.ops = ops
		return c, ok
	}
	if field, ok := searchable(e, name); ok {
		c.field = field
		return c, !hasType(field, "object")
	}
	if rest, ok := strings.CutSuffix(normal(name), "only"); ok && f.Type == "boolean" {
		c.flag = true
		c.field, ok = searchable(e, rest)
		return c, ok && c.field.Type == "boolean"
	}
	if c.list {
		for _, plural := range [...][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}} {
			stem, ok := strings.CutSuffix(normal(name), plural[0])
			if !ok || len(stem) < 2 {
				continue
			}
			if field, ok := searchable(e, stem+plural[1]); ok && !hasType(field, "object") {
				c.field = field
				return c, true
			}
		}
	}
	if strings.HasSuffix(normal(name), "id") {
		var ok bool
		c.field, ok = onlyLeaf(e, name)
		return c, ok
	}
	return c, false
}

func scalar(f catalog.Field) bool { return !hasType(f, "object") && !hasType(f, "array") }

// normal is a name without what spellings differ in.
func normal(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
}

// searchable finds the searchable field that a name means, however it is spelt.
func searchable(e *catalog.Entity, name string) (catalog.Field, bool) {
	if name == "" {
		return catalog.Field{}, false
	}
	i := slices.IndexFunc(e.Search, func(f catalog.Field) bool { return f.Name == name })
	if i < 0 {
		i = slices.IndexFunc(e.Search, func(f catalog.Field) bool {
			return !strings.Contains(f.Name, ".") && normal(f.Name) == normal(name)
		})
	}
	if i < 0 {
		return catalog.Field{}, false
	}
	return formatted(e, e.Search[i]), true
}

// formatted gives a searchable field what only the record's field tells: how
// times are written, and which values there are.
func formatted(e *catalog.Entity, f catalog.Field) catalog.Field {
	record := catalog.FieldAt(e.Record, f.Name)
	if record == nil {
		return f
	}
	if f.Format == "" {
		f.Format = record.Format
	}
	if f.Enum == nil {
		f.Enum, f.Open = record.Enum, record.Open
	}
	return f
}

// onlyLeaf finds the one searchable field with this name inside others:
// recipients.list_id for list_id.
func onlyLeaf(e *catalog.Entity, name string) (found catalog.Field, ok bool) {
	for _, f := range e.Search {
		i := strings.LastIndexByte(f.Name, '.')
		if i < 0 || normal(f.Name[i+1:]) != normal(name) || !scalar(f) {
			continue
		}
		if ok {
			return catalog.Field{}, false
		}
		found, ok = formatted(e, f), true
	}
	return found, ok
}

// bound reads the names of params that bound a time: the stem, and the
// operators they stand for; nil when the name is no bound. Whether the moment
// itself counts is documented nowhere.
func bound(name string) (stem string, ops []string) {
	before, after := []string{Lt, Lte}, []string{Gte, Gt}
	for _, b := range [...]struct {
		suffix, prefix string
		ops            []string
	}{
		{"_gte", "", []string{Gte}}, {"_lte", "", []string{Lte}}, {"_gt", "", []string{Gt}}, {"_lt", "", []string{Lt}},
		{"_before", "", before}, {"_after", "", after}, {"Before", "", before}, {"After", "", after},
		{"", "before_", before}, {"", "since_", after},
	} {
		if stem, ok := strings.CutSuffix(name, b.suffix); ok && b.suffix != "" {
			return stem, b.ops
		}
		if stem, ok := strings.CutPrefix(strings.ToLower(name), b.prefix); ok && b.prefix != "" {
			return stem, b.ops
		}
	}
	switch normal(name) {
	case "from", "fromdatetime", "fromdate", "startdate", "since", "starttime", "start":
		return "", after
	case "to", "todatetime", "todate", "enddate", "until", "endtime", "end":
		return "", []string{Lte, Lt}
	}
	return "", nil
}

// timeField finds the searchable field whose time a stem names: created for
// created, created_at, create_time or date_created.
func timeField(e *catalog.Entity, stem string) (catalog.Field, bool) {
	stem = normal(stem)
	if stem == "" {
		return catalog.Field{}, false
	}
	stems := []string{stem}
	for _, end := range [...]string{"ed", "d"} { // started: start, created: create
		if short, ok := strings.CutSuffix(stem, end); ok {
			stems = append(stems, short)
		}
	}
	for _, s := range stems {
		for _, spelt := range [...]string{s, s + "at", "date" + s, s + "date", s + "time"} {
			if f, ok := searchable(e, spelt); ok && scalar(f) && f.Type != "boolean" {
				return f, true
			}
		}
	}
	if len(stem) < 8 { // short names are inside many things
		return catalog.Field{}, false
	}
	return onlyLeaf(e, stem)
}
