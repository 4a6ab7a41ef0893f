// Package drift holds received records against the catalog: what the data
// says and the catalog does not, and the other way round.
//
// It asks nobody, and imports nothing of the screen.
package drift

import (
	"context"
	"runtime"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/records"
)

// Kind names what a Finding found.
type Kind string

// The kinds of findings, in the order of a report. NeverSeen comes last and is
// always mild: what some records lack others may have.
const (
	NotInCatalog Kind = "not in the catalog"
	OtherType    Kind = "other type"
	NullSeen     Kind = "null where none is documented"
	NewValue     Kind = "new value"
	NeverSeen    Kind = "never seen"
)

// Kinds lists the kinds of findings in the order of a report.
func Kinds() []Kind { return []Kind{NotInCatalog, OtherType, NullSeen, NewValue, NeverSeen} }

// Question is what the records answer.
type Question struct {
	Kind string
	// Entity and Action are the catalog's; nil where it does not know them.
	Entity *catalog.Entity
	Action *catalog.Action
	// Op is the call; fields that it leaves out are not called missing.
	Op client.Operation
}

// Report is what Examine found.
type Report struct {
	Kind   string `json:"kind"`
	Entity string `json:"entity"`
	Action string `json:"action"`
	// Records is how many were looked at.
	Records int `json:"records"`
	// Unknown is set when the catalog does not know the record, so that nothing
	// can be held against it; Fields then says what is there.
	Unknown bool `json:"unknown,omitempty"`
	// Notes tell what the report takes into account.
	Notes    []string  `json:"notes,omitempty"`
	Findings []Finding `json:"findings"`
	// Fields are all fields that were looked at, in the catalog's order, then as met.
	Fields []Field `json:"fields"`
}

// Finding is one difference between catalog and data.
type Finding struct {
	Kind Kind `json:"kind"`
	// Path is the field in neutral names: dotted, with [] for elements and * for
	// the keys of a free map. Wire is its name as received where that differs.
	Path string `json:"path"`
	Wire string `json:"wire,omitempty"`
	// Count of the Of places where the field could stand show it: records, or
	// objects around a nested field. For NeverSeen it is 0.
	Count int `json:"count"`
	Of    int `json:"of"`
	// Expected is what the catalog says, Found what the data shows.
	Expected string    `json:"expected,omitempty"`
	Found    string    `json:"found,omitempty"`
	Examples []Example `json:"examples,omitempty"`
	// Note qualifies the finding; Mild marks one that the catalog leaves room for.
	Note string `json:"note,omitempty"`
	Mild bool   `json:"mild,omitempty"`
}

// Example is one place in the data.
type Example struct {
	// Row is the number of the record in the set, from 0.
	Row int `json:"row"`
	// Path leads to the value in the body of its page.
	Path string `json:"path"`
	// Value is the start of its JSON text; untrusted.
	Value string `json:"value"`
}

// Field is what the data shows of one field.
type Field struct {
	Path string `json:"path"`
	Wire string `json:"wire,omitempty"`
	// Known reports whether the catalog has it, Type what it says.
	Known bool   `json:"known"`
	Type  string `json:"type,omitempty"`
	// Count of Of places hold it; Types counts what stands there by JSON type.
	Count int            `json:"count"`
	Of    int            `json:"of"`
	Types map[string]int `json:"types,omitempty"`
}

// Grave is the number of findings that the catalog leaves no room for.
func (r *Report) Grave() int {
	n := 0
	for _, kind := range Kinds() {
		n += r.Count(kind)
	}
	return n
}

// Count is the number of findings of a kind, mild ones left out.
func (r *Report) Count(kind Kind) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Kind == kind && !r.Findings[i].Mild {
			n++
		}
	}
	return n
}

// Examine looks at every record of a set; progress may be nil. The error is that of ctx.
func Examine(ctx context.Context, set *records.Set, q Question, progress records.Progress) (*Report, error) {
	var fields []catalog.Field
	if q.Entity != nil {
		fields = q.Entity.RecordOf(q.Action)
		if q.Action != nil && q.Action.Name == catalog.ActionContextStoreSearch {
			fields = q.Entity.Replica()
		}
	}
	n := set.Len()
	trees := make([]*seenField, min(runtime.GOMAXPROCS(0), 4, 1+n/1024)) // one for each worker
	for i := range trees {
		trees[i] = newSeenField(&catalog.Field{Type: "object", Members: fields}, "")
		if len(fields) == 0 {
			trees[i].byName = map[string]int{}
		}
	}
	err := records.EachBlock(ctx, len(trees), n, progress, func(worker, from, to int) {
		for row := from; row < to; row++ {
			trees[worker].take(set.Record(row), row)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, t := range trees[1:] {
		trees[0].merge(t)
	}
	return report(set, n, q, fields, trees[0]), nil
}
