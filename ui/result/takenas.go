package result

import (
	"context"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
)

// peeked is how many records are looked at for the names of their fields.
const peeked = 20

// IsDocument tells whether a file or a stream is shown.
func (p *Pane) IsDocument() bool { return p.page() != nil && p.page() == p.doc }

// TakenAs is what the records of the document are taken for.
func (p *Pane) TakenAs() Question { return Question{Kind: p.kind, Entity: p.entity, Action: p.action} }

// FieldNames are the names of the fields in the first records.
func (p *Pane) FieldNames() []string {
	page := p.page()
	if page == nil || page.Index == nil {
		return nil
	}
	return fieldNames(page.Index)
}

func fieldNames(x *rawjson.Index) []string {
	var names []string
	seen := map[string]bool{}
	for i := range min(x.Len(), peeked) {
		for m := range x.Record(i).Members() {
			if name := m.Key(); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// namesIn tells which names of the catalog the records go by: those of the
// third party where more of theirs are met.
func namesIn(as Question, x *rawjson.Index) client.Names {
	if as.Entity == nil {
		return client.Neutral
	}
	neutral, wire := 0, 0
	for _, name := range fieldNames(x) {
		for _, f := range as.Entity.RecordOf(as.Action) {
			switch {
			case f.WireName() == f.Name:
			case name == f.Name:
				neutral++
			case name == f.WireName():
				wire++
			}
		}
	}
	if wire > neutral {
		return client.Wire
	}
	return client.Neutral
}

// TakeAs reads the records of the document as those of an entity: its columns,
// its words, its schema.
func (p *Pane) TakeAs(as Question) intent.Intent {
	page := p.page()
	if page == nil || page != p.doc || page.Index == nil {
		return nil
	}
	page.taken = as.Entity
	page.Kind, page.Entity, page.Action, page.drift = as.Kind, as.Entity, as.Action, nil
	p.kind, p.entity, p.action = as.Kind, as.Entity, as.Action
	page.Env.Names = namesIn(as, page.Index)
	set := &records.Set{}
	set.Add(records.Page{Index: page.Index, Names: page.names()})
	o := records.ColumnOptions{Fields: as.Entity.RecordOf(as.Action), Key: as.Entity.Key, Sample: sampled}
	return intent.Work{What: "looking for columns", Do: func(context.Context) (func() intent.Intent, error) {
		columns := records.Columns(set, o)
		return func() intent.Intent {
			if page.taken != as.Entity {
				return nil
			}
			page.set, page.columns = set, columns
			in := p.goToPage(p.cur, p.viewName())
			for _, v := range p.views {
				if g, ok := v.(grower); ok {
					g.grown(p)
				}
			}
			return intent.All{in, intent.Say{Text: "The records are read as " + as.Kind.Name + " " + as.Entity.Name}, p.Examine()}
		}, nil
	}}
}

// UsualAction is the action whose answers are most often saved: the entity's list.
func UsualAction(e *catalog.Entity) *catalog.Action {
	for _, name := range []string{catalog.ActionList, catalog.ActionContextStoreSearch, catalog.ActionAPISearch, catalog.ActionGet} {
		if a := e.Action(name); a != nil {
			return a
		}
	}
	if len(e.Actions) > 0 {
		return &e.Actions[0]
	}
	return nil
}

// Liking tells how likely it is that records are of an entity: how many of the
// names are its fields, and a score that is higher the likelier it is.
type Liking func(e *catalog.Entity, a *catalog.Action, names []string) (known int, score float64)

// Liker judges by the records of the page shown. What it returns may be called
// beside the update loop.
func (p *Pane) Liker() Liking {
	page := p.page()
	return func(e *catalog.Entity, a *catalog.Action, names []string) (int, float64) {
		return page.likeness(e, a, names)
	}
}

// likeness counts how many of the fields the entity has, how many of its fields
// they are, and its constants, which tell the entities of one kind apart.
func (p *Page) likeness(e *catalog.Entity, a *catalog.Action, names []string) (known int, score float64) {
	fields := e.RecordOf(a)
	if len(fields) == 0 || len(names) == 0 {
		return 0, 0
	}
	for _, name := range names {
		if catalog.FieldByName(fields, name) != nil {
			known++
		}
	}
	score = float64(known) / float64(len(names)) * (1 + float64(known)/float64(len(fields)))
	for i := range fields {
		if len(fields[i].Const) == 0 {
			continue
		}
		if v, ok := p.Record(0).Get(fields[i].Name); ok && string(v.Raw()) == string(fields[i].Const) {
			score++
		}
	}
	return known, score
}
