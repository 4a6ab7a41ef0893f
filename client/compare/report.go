package compare

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/diff"
	"patchbay/client/export"
	"patchbay/client/rawjson"
	"patchbay/client/search"
)

// Report is a whole comparison, to be kept: what each side was asked, what it
// said, and every record that is not the same everywhere.
type Report struct {
	Kind   string       `json:"kind"`
	Entity string       `json:"entity"`
	At     time.Time    `json:"at"`
	Sides  []ReportSide `json:"sides"`
	// PairedBy is the key field, or empty where records are paired by what they hold.
	PairedBy string           `json:"paired_by,omitempty"`
	Same     int              `json:"same"`
	Fields   []FieldCount     `json:"differing_fields,omitempty"`
	Records  []ReportedRecord `json:"records,omitempty"`
}

// ReportSide is one way of asking in a Report.
type ReportSide struct {
	Name      string          `json:"name"`
	Connector string          `json:"connector"`
	Action    string          `json:"action"`
	Params    json.RawMessage `json:"params,omitempty"`
	// NotSent is what other sides were asked and this one was not, Held what its
	// records were held against instead.
	NotSent []NotSent `json:"not_sent,omitempty"`
	Held    []NotSent `json:"held_against,omitempty"`
	// NotAsked and Failed say why nothing, or not all, came.
	NotAsked string `json:"not_asked,omitempty"`
	Failed   string `json:"failed,omitempty"`
	// Records is how many are compared; Whole reports that there are no others, and
	// Why otherwise why they were not looked at.
	Records    int        `json:"records"`
	Whole      bool       `json:"whole"`
	Why        string     `json:"why_not_whole,omitempty"`
	Only       int        `json:"only_here"`
	Missing    int        `json:"missing_here"`
	OnlyFields []string   `json:"fields_only_here,omitempty"`
	Newest     *time.Time `json:"newest,omitempty"`
	NewestBy   string     `json:"newest_by,omitempty"`
}

// NotSent is a part of a question that a side was not asked.
type NotSent struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// ReportedRecord is a record that is not the same on every side.
type ReportedRecord struct {
	Key string   `json:"key"`
	In  []string `json:"in"`
	// Differs are the fields that sides have with different values.
	Differs []ReportedField `json:"differs,omitempty"`
	// Record is the record in full where a side lacks it.
	Record json.RawMessage `json:"record,omitempty"`
}

// ReportedField is a field's value by side; a side that lacks it is not there.
type ReportedField struct {
	Field  string                     `json:"field"`
	Values map[string]json.RawMessage `json:"values"`
}

// Report gathers what the comparison says.
func (c *Comparison) Report() *Report {
	r := &Report{Entity: c.Entity.Name}
	for _, s := range c.Sides {
		r.Kind, r.At = s.Ask.Kind.Name, s.Ask.Asked
		r.Sides = append(r.Sides, ReportSide{Name: s.Name, Connector: s.Ask.Target.Name, Action: s.Ask.Action.Name,
			Params: s.Ask.Op.Params, NotSent: notSent(s.Left), Held: notSent(s.Checked), NotAsked: s.Unasked,
			Whole: s.Whole(), Why: s.Out.Why, Failed: s.Failure()})
	}
	if c.Differences != nil {
		r.Fill(c.Differences, c.Joined, c.Entity.RecordOf(c.Entity.Action(catalog.ActionList)))
	}
	return r
}

func notSent(left []search.Left) []NotSent {
	var out []NotSent
	for _, l := range left {
		out = append(out, NotSent{Name: l.Name, Why: l.Why})
	}
	return out
}

// Fill adds what a comparison of sides found. The sides of the comparison are
// found in r.Sides by their names.
func (r *Report) Fill(c *Differences, sides []*Side, fields []catalog.Field) {
	for i := range r.Sides {
		for j := range c.Summaries {
			sum, s := &c.Summaries[j], &r.Sides[i]
			if sum.Name != s.Name {
				continue
			}
			s.Records, s.Only, s.Missing, s.OnlyFields = sum.Rows, sum.Only, sum.Missing, sum.OnlyFields
			if sum.NewestRow >= 0 {
				s.Newest, s.NewestBy = &sum.Newest, sum.NewestField
			}
		}
	}
	r.PairedBy = c.key()
	r.Same, r.Fields = c.Same, c.Fields
	for i := range c.Records {
		r.Records = append(r.Records, reported(&c.Records[i], sides, fields))
	}
}

func reported(c *Compared, sides []*Side, fields []catalog.Field) ReportedRecord {
	out := ReportedRecord{Key: c.Key}
	for _, name := range c.Fields {
		out.Differs = append(out.Differs, ReportedField{Field: name, Values: map[string]json.RawMessage{}})
	}
	for i, s := range sides {
		if !c.In(i) {
			continue
		}
		record := s.Set.Record(c.Rows[i])
		if len(out.In) == 0 {
			out.Record = jsonOf(record)
		}
		out.In = append(out.In, s.Name)
		for m := range record.Members() {
			k := slices.Index(c.Fields, diff.Neutral(fields, m.Key()))
			if k < 0 || !m.Value.Exists() {
				continue
			}
			// Of a name that stands twice the first counts.
			if values := out.Differs[k].Values; values[s.Name] == nil {
				values[s.Name] = jsonOf(m.Value)
			}
		}
	}
	if len(out.In) == len(sides) {
		out.Record = nil
	}
	return out
}

// jsonOf is a value on one line; one that is no JSON as a text.
func jsonOf(n rawjson.Node) json.RawMessage {
	b, _ := n.AppendCompact(nil, 0)
	if !json.Valid(b) {
		b = rawjson.AppendQuoted(nil, string(b))
	}
	return b
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	return export.Indented(w, r)
}

// valueShown is how much of a value stands in a Markdown table.
const valueShown = 120

// WriteMarkdown writes the report as a document.
func (r *Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	var names []string
	for i := range r.Sides {
		names = append(names, r.Sides[i].Name)
	}
	fmt.Fprintf(b, "# %s %s: %s\n\n", cell(r.Kind), cell(r.Entity), cell(strings.Join(names, ", ")))
	fmt.Fprintf(b, "Compared at %s.\n", r.At.UTC().Format(time.RFC3339))
	for i := range r.Sides {
		r.Sides[i].markdown(b)
	}
	fmt.Fprintf(b, "\n## Records\n\n%d the same on every side, %d not; paired by %s.\n", r.Same, len(r.Records),
		cell(pairedBy(r.PairedBy)))
	var fields, differing, partial [][]string
	for _, f := range r.Fields {
		fields = append(fields, []string{f.Name, strconv.Itoa(f.N)})
	}
	for i := range r.Records {
		rec := &r.Records[i]
		for _, f := range rec.Differs {
			row := []string{rec.Key, f.Field}
			for _, name := range names {
				row = append(row, string(f.Values[name]))
			}
			differing = append(differing, row)
		}
		if rec.Record != nil {
			partial = append(partial, []string{rec.Key, strings.Join(rec.In, ", ")})
		}
	}
	table(b, "", fields, "Field that differs", "Records")
	table(b, "## Differing\n\n", differing, append([]string{"Record", "Field"}, names...)...)
	table(b, "## Not everywhere\n\n", partial, "Record", "Only in")
	return b.Flush()
}

func (s *ReportSide) markdown(b *bufio.Writer) {
	fmt.Fprintf(b, "\n## %s\n\n- asked: %s on %s\n", cell(s.Name), cell(s.Action), cell(s.Connector))
	fmt.Fprintf(b, "- params: %s\n", code(s.Params))
	for _, l := range s.NotSent {
		fmt.Fprintf(b, "- not sent: %s (%s)\n", cell(l.Name), cell(l.Why))
	}
	for _, l := range s.Held {
		fmt.Fprintf(b, "- not sent: %s (%s); the records are held against it\n", cell(l.Name), cell(l.Why))
	}
	switch {
	case s.NotAsked != "":
		fmt.Fprintf(b, "- not asked: %s\n", cell(s.NotAsked))
		return
	case s.Failed != "":
		fmt.Fprintf(b, "- failed: %s\n", cell(s.Failed))
	}
	fmt.Fprintf(b, "- %d records, %d only here, %d missing here\n", s.Records, s.Only, s.Missing)
	if !s.Whole && s.Why != "" {
		fmt.Fprintf(b, "- there may be more: %s\n", cell(s.Why))
	}
	if s.Newest != nil {
		fmt.Fprintf(b, "- newest %s: %s\n", cell(s.NewestBy), s.Newest.UTC().Format(time.RFC3339))
	}
	if len(s.OnlyFields) > 0 {
		fmt.Fprintf(b, "- fields only here: %s\n", cell(strings.Join(s.OnlyFields, ", ")))
	}
}

// table writes rows below their head; nothing where there are none.
func table(b *bufio.Writer, heading string, rows [][]string, head ...string) {
	line := func(cells []string) {
		fmt.Fprint(b, "|")
		for _, text := range cells {
			fmt.Fprintf(b, " %s |", cell(text))
		}
		fmt.Fprintln(b)
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(b, "\n"+heading)
	line(head)
	fmt.Fprintln(b, "|"+strings.Repeat(" --- |", len(head)))
	for _, row := range rows {
		line(row)
	}
}

// cell is a text, cut where it is long, that stays in its cell.
func cell(s string) string {
	if len(s) > valueShown {
		s = strings.ToValidUTF8(s[:valueShown], "") + "…"
	}
	return export.MarkdownText(s)
}

// code is JSON as code, on one line and with no end in it.
func code(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "none"
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return cell(string(raw))
	}
	if strings.Contains(b.String(), "`") {
		return export.MarkdownText(b.String())
	}
	return "`" + b.String() + "`"
}
