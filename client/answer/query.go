package answer

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/jq"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// Query is a jq program over what is loaded.
type Query struct {
	Program string
	// Bodies feeds whole answers to the program instead of their records.
	Bodies bool
}

// Feed is what a query is asked of.
type Feed struct {
	Query
	Pages []*Page
	// Set and Rows are what a table shows filtered or in another order; Rows is nil
	// where it does not. Part is set where they are of one page of several.
	Set  *records.Set
	Rows []int32
	Part bool
}

// Bounds of the preview of a query: it must follow the typing.
var previewBounds = jq.Options{MaxResults: 60, MaxBytes: 64 << 10, MaxTime: 1500 * time.Millisecond,
	MaxMemory: 128 << 20}

// togetherMost is how many bytes of lines a query is given as one array: they are
// put together anew for each preview.
const togetherMost = 32 << 20

// SetOf is the records of pages as one set.
func SetOf(pages []*Page) *records.Set {
	set := &records.Set{}
	for _, p := range pages {
		if p.Index != nil {
			set.Add(records.Page{Index: p.Index, Names: p.Names()})
		}
	}
	return set
}

// inputs are what the program is fed: the rows of the table in their order, all
// records, or the bodies.
func (f Feed) inputs() iter.Seq[rawjson.Node] {
	switch {
	case !f.bodies() && f.Rows != nil:
		return jq.Records(f.Set, f.Rows)
	case !f.bodies(), f.lined() && !f.together():
		return jq.Records(SetOf(f.Pages), nil)
	case f.lined():
		return jq.Together(f.Pages[0].Index)
	}
	bodies := make([]rawjson.Source, 0, len(f.Pages))
	for _, p := range f.Pages {
		if p.Size() > 0 {
			bodies = append(bodies, p.Env.Body)
		}
	}
	return jq.Bodies(bodies...)
}

func (f Feed) bodies() bool { return f.Bodies || SetOf(f.Pages).Len() == 0 }

// lined reports whether what is loaded is lines of JSON, which have no whole.
func (f Feed) lined() bool {
	return len(f.Pages) == 1 && f.Pages[0].Index != nil && f.Pages[0].Index.Shape() == rawjson.Lines
}

func (f Feed) together() bool { return f.lined() && f.Pages[0].Size() <= togetherMost }

// Words says what the program is fed.
func (f Feed) Words() string {
	n := len(f.Pages)
	switch {
	case f.bodies() && f.together():
		return "the lines as one array"
	case f.bodies() && f.lined():
		return "each line, too many for one array"
	case f.bodies() && n == 1:
		return "the whole answer"
	case f.bodies():
		return fmt.Sprintf("each of %d whole answers", n)
	case f.Rows != nil && f.Part:
		return "each of " + Rows(len(f.Rows)) + " shown of this page"
	case f.Rows != nil:
		return "each of " + Rows(len(f.Rows)) + " shown"
	case n > 1:
		return fmt.Sprintf("each record of %d pages", n)
	}
	return "each record"
}

// Preview runs the beginning of the program and gives its first results, each on
// one line, and a note.
func (f Feed) Preview(ctx context.Context) (lines []string, note string, err error) {
	program, err := jq.Compile(f.Program)
	if err != nil {
		return nil, "", err
	}
	var out jq.Results
	stats, err := program.Run(ctx, f.inputs(), &out, previewBounds)
	if err != nil {
		return nil, "", err
	}
	for i := range out.Len() {
		b, _ := out.Node(i).AppendCompact(nil, 400)
		lines = append(lines, string(b))
	}
	ended := " so far; enter runs it to its end"
	switch stats.Stopped {
	case "":
		ended = ""
	case "time":
		ended = "; looking took too long for a preview, enter runs it to its end"
	case "memory":
		ended = "; it was stopped: " + stats.Bound
	}
	return lines, f.wholeHint() + outcome(stats, ended), nil
}

// mostKeys is how many names of members are collected to complete one.
const mostKeys = 200

// Keys are the names of the members of what the program gives first, each once, as jq sorts them;
// list is set where it gives arrays.
func (f Feed) Keys(ctx context.Context) (names []string, list bool, err error) {
	program, err := jq.Compile(f.Program)
	if err != nil {
		return nil, false, err
	}
	var out jq.Results
	if _, err := program.Run(ctx, f.inputs(), &out, previewBounds); err != nil {
		return nil, false, err
	}
	for i := range out.Len() {
		n := out.Node(i)
		list = list || n.Kind() == rawjson.Array
		if n.Kind() != rawjson.Object {
			continue
		}
		for name := range n.Children() {
			if t := name.Text(); len(names) < mostKeys && !slices.Contains(names, t) {
				names = append(names, t)
			}
		}
	}
	return names, list, nil
}

// wholeHint says what to do about a program that begins with the way from the
// whole to the records, as every copied path does, where it is fed records.
func (f Feed) wholeHint() string {
	x := f.Pages[0].Index
	if f.bodies() || x == nil {
		return ""
	}
	way := strings.TrimSuffix(x.Path().With(rawjson.At(0)).JQ(), "0]")
	number, ok := strings.CutPrefix(f.Program, way)
	if !ok || number == "" || number[0] < '0' || number[0] > '9' {
		return ""
	}
	return "copied paths begin at the whole: ctrl+t; "
}

// Note says what a whole run gave, and which bound ended it early.
func Note(s jq.Stats) string {
	if s.Bound == "" {
		return outcome(s, "")
	}
	return outcome(s, "; it was stopped: "+s.Bound)
}

func outcome(s jq.Stats, ended string) string {
	t := fmt.Sprintf("%s from %s inputs%s", quantity.Count(s.Results, "result", "results"), quantity.Digits(s.Inputs),
		ended)
	if s.Failed == 0 {
		return t
	}
	return t + fmt.Sprintf("; failed on %s, first on input %d: %s", quantity.Digits(s.Failed), s.FirstFailed,
		s.FirstError)
}

// Run runs the program to its end and makes a page of its results, to be browsed
// like any answer.
func (f Feed) Run(ctx context.Context, progress records.Progress) (*Page, jq.Stats, error) {
	program, err := jq.Compile(f.Program)
	if err != nil {
		return nil, jq.Stats{}, err
	}
	out, total := &jq.Results{}, max(SetOf(f.Pages).Len(), 1)
	stats, err := program.Run(ctx, f.inputs(), out, jq.Options{Progress: func(n int) { progress(n, total) }})
	if err != nil {
		return nil, stats, err
	}
	src, x := out.Source(), out.Index()
	r := Reading{Name: "jq " + strings.TrimSpace(f.Program), Size: int64(src.Len())}
	p := &Page{Document: &Document{Reading: r, Source: src, Index: x}, queried: true, complete: true, judged: true,
		Env: &client.Envelope{Body: src, Names: client.Neutral}, Index: x}
	p.settle()
	p.tabulate()
	return p, stats, nil
}

// Condition is a Limits.Until: the first record of a page that meets it, or -1.
type Condition func(ctx context.Context, p Entry) (row int, err error)

// Until makes a condition of what a person typed: a jq program where it begins
// with a dot, else a text that any value of a record may hold. The error is
// that of the program.
func Until(typed string) (Condition, error) {
	if !strings.HasPrefix(strings.TrimSpace(typed), ".") {
		return UntilMatch(records.Filter{Text: typed}), nil
	}
	program, err := jq.Compile(typed)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, p Entry) (int, error) {
		for i := range p.Rows {
			b, err := program.First(ctx, p.Index.Record(i))
			if ctx.Err() != nil {
				return -1, ctx.Err()
			}
			if err == nil && b != nil && string(b) != "false" && string(b) != "null" {
				return i, nil
			}
		}
		return -1, nil
	}, nil
}

// UntilMatch returns a condition for Limits.Until: a page with a record that
// passes all filters. names of the fields are those of the records.
func UntilMatch(filters ...records.Filter) Condition {
	return func(ctx context.Context, p Entry) (int, error) {
		if p.Index == nil || p.Rows == 0 {
			return -1, nil
		}
		set := &records.Set{}
		set.Add(records.Page{Index: p.Index, Names: p.Env.Names})
		rows, err := records.Filtered(ctx, set, nil, filters, nil)
		if err != nil || len(rows) == 0 {
			return -1, err
		}
		return int(rows[0]), nil
	}
}
