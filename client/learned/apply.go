package learned

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog"
	"patchbay/client/quantity"
)

// Undocumented reports whether nobody documented the records of an entity's action, so
// that what answers show of them is kept.
func Undocumented(e *catalog.Entity, a *catalog.Action) bool {
	if e == nil || a == nil || a.Writes() || a.Name == catalog.ActionDownload || len(a.Record) > 0 {
		return false
	}
	return len(e.Record) == 0 || e.Record[0].Source == catalog.Seen
}

// Apply gives the entities of a kind that nobody documented what answers showed of them.
func (l Kind) Apply(k *catalog.Kind) {
	for i := range k.Entities {
		e := &k.Entities[i]
		seen := l[e.Name]
		if seen == nil || seen.Records == 0 || len(e.Record) > 0 && e.Record[0].Source != catalog.Seen {
			continue
		}
		e.Record, e.RecordPartial = seen.record("", seen.Records), true
		if e.Key == "" {
			e.Key = seen.key(e.Name)
		}
		e.Notes = append(slices.DeleteFunc(slices.Clone(e.Notes),
			func(n catalog.Note) bool { return n.Source == catalog.Seen }),
			catalog.Note{Text: "Its fields were seen in " + quantity.Count(seen.Records, "record", "records") + ".",
				Source: catalog.Seen})
		l.refer(k, e)
	}
}

// record makes fields of what was seen below a path, of places where it could stand.
func (e *Entity) record(path string, of int) (out []catalog.Field) {
	for _, at := range e.Order {
		name, below := strings.CutPrefix(at, path)
		if !below || name == "" || strings.ContainsAny(name, ".[") {
			continue
		}
		f := e.field(at, of)
		f.Name = name
		out = append(out, f)
	}
	return out
}

// field makes one field.
func (e *Entity) field(path string, of int) catalog.Field {
	seen := e.Fields[path]
	f := catalog.Field{Source: catalog.Seen}
	f.Type, f.Nullable = seen.typeWords()
	if seen.Seen < of {
		f.Note = fmt.Sprintf("seen in %d of %d", seen.Seen, of)
	}
	for _, w := range seen.Words {
		word, _ := json.Marshal(w) // a text always encodes
		f.Enum, f.Open = append(f.Enum, word), true
	}
	switch {
	case seen.Map:
		f.Values = &catalog.Field{Type: "any", Source: catalog.Seen}
	case strings.Contains(f.Type, "object"):
		f.Members = e.record(path+".", seen.Types["object"])
	}
	if items := e.Fields[path+"[]"]; items != nil {
		of := e.field(path+"[]", items.Seen)
		f.Items = &of
	}
	return f
}

// keyNames are the names of fields that identify a record, the best first.
var keyNames = []string{"id", "uuid", "gid", "key", "_id", "sid"}

// key is the field that identifies a record: it is called so, stands in each, is never
// null and never the same in two; empty where there is none.
func (e *Entity) key(entity string) string {
	for _, name := range append(slices.Clone(keyNames), singular(entity)+"_id") {
		f := e.Fields[name]
		if f == nil || f.Seen < e.Records || f.Repeats {
			continue
		}
		if words, nullable := f.typeWords(); !nullable && (words == "string" || words == "integer") {
			return name
		}
	}
	return ""
}

// singular is the name of one of an entity, as its keys are called elsewhere.
func singular(entity string) string {
	for _, end := range [][2]string{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"lves", "lf"}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(entity, end[0]); ok && stem != "" {
			return stem + end[1]
		}
	}
	return entity
}

// refer marks the fields whose names say that they hold the key of another entity.
func (l Kind) refer(k *catalog.Kind, e *catalog.Entity) {
	for i := range e.Record {
		f := &e.Record[i]
		name, isRef := strings.CutSuffix(f.Name, "_id")
		if !isRef {
			name, isRef = strings.CutSuffix(f.Name, "Id")
		}
		if !isRef || !f.Accepts("string") && !f.Accepts("integer") {
			continue
		}
		for j := range k.Entities {
			to := &k.Entities[j]
			if !strings.EqualFold(singular(to.Name), name) || to.Action(catalog.ActionGet) == nil &&
				to.Action(catalog.ActionList) == nil {
				continue
			}
			r := catalog.Relation{From: e.Name, Field: f.Name, To: to.Name, Key: to.Key, Source: catalog.Seen}
			same := func(o catalog.Relation) bool { return o.From == r.From && o.Field == r.Field }
			if f.Ref = to.Name; !slices.ContainsFunc(k.Relations, same) {
				k.Relations = append(k.Relations, r)
			}
		}
	}
}

// Pages gives the actions that nobody documented the pages that answers showed, where
// their params are known.
func (l Kind) Pages(k *catalog.Kind) {
	for i := range k.Entities {
		e := &k.Entities[i]
		for j := range e.Actions {
			a := &e.Actions[j]
			if l[e.Name] == nil || a.Page != nil || l[e.Name].Pages[a.Name] == nil {
				continue
			}
			page := *l[e.Name].Pages[a.Name]
			if a.Param(page.Send) == nil {
				continue
			}
			if page.Total = ""; a.Param(page.Size) == nil {
				page.Size = ""
			}
			for _, name := range []string{page.Meta, strings.TrimPrefix(page.More, "!")} {
				if name != "" && catalog.FieldByName(a.Meta, name) == nil {
					a.Meta = append(slices.Clone(a.Meta), catalog.Field{Name: name, Type: "any", Nullable: true,
						Source: catalog.Seen})
				}
			}
			a.Page = &page
		}
	}
}
