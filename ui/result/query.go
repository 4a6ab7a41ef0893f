package result

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/jq"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Query is a jq program over what is loaded.
type Query struct {
	Program string
	// Bodies feeds whole answers to the program instead of their records.
	Bodies bool
}

// Bounds of the preview of a query: it must follow the typing.
const (
	previewResults = 60
	previewBytes   = 64 << 10
	previewMemory  = 128 << 20
	previewTime    = 1500 * time.Millisecond
)

// QueryError tells where a program is wrong; offset -1 where that is not known.
func QueryError(program string) (offset int, message string) {
	_, err := jq.Compile(program)
	if err == nil {
		return -1, ""
	}
	if bad, ok := err.(*jq.Error); ok {
		return bad.Offset, text.Sanitize(bad.Message)
	}
	return -1, text.Sanitize(err.Error())
}

// inputs are what a query is fed: the rows of the table in their order, all
// records, or the bodies.
func (p *Pane) inputs(q Query) iter.Seq[rawjson.Node] {
	if p.fedBodies(q) {
		if p.fedTogether() {
			return jq.Together(p.page().Index)
		}
		if p.lined() {
			return jq.Records(p.LoadedSet(), nil)
		}
		bodies := make([]rawjson.Source, 0, len(p.pages))
		for _, page := range p.pages {
			if page.Size() > 0 {
				bodies = append(bodies, page.Env.Body)
			}
		}
		return jq.Bodies(bodies...)
	}
	if v := p.tableView(); v.picked(p) {
		return jq.Records(v.set, v.rows)
	}
	return jq.Records(p.LoadedSet(), nil)
}

func (p *Pane) fedBodies(q Query) bool { return q.Bodies || p.LoadedSet().Len() == 0 }

// togetherMost is how many bytes of lines a query is given as one array: they are
// put together anew for each preview.
const togetherMost = 32 << 20

// lined tells whether what is loaded is lines of JSON, which have no whole.
func (p *Pane) lined() bool {
	return len(p.pages) == 1 && p.page().Index != nil && p.page().Index.Shape() == rawjson.Lines
}

func (p *Pane) fedTogether() bool { return p.lined() && p.page().Size() <= togetherMost }

// picked tells whether the table shows its rows filtered or in another order.
func (v *tableView) picked(p *Pane) bool { return v.fits(p) && v.rows != nil && v.set != nil }

// Fed says what a query is fed.
func (p *Pane) Fed(q Query) string {
	n := len(p.pages)
	v := p.tableView()
	switch {
	case p.fedBodies(q) && p.fedTogether():
		return "the lines as one array"
	case p.fedBodies(q) && p.lined():
		return "each line, too many for one array"
	case p.fedBodies(q) && n == 1:
		return "the whole answer"
	case p.fedBodies(q):
		return fmt.Sprintf("each of %d whole answers", n)
	case v.picked(p) && n > 1 && !p.together:
		return "each of " + rowsText(v.count()) + " shown of this page"
	case v.picked(p):
		return "each of " + rowsText(v.count()) + " shown"
	case n > 1:
		return fmt.Sprintf("each record of %d pages", n)
	}
	return "each record"
}

// Preview runs the beginning of a query. The returned function does so beside
// the update loop and gives lines to show and a note.
func (p *Pane) Preview(q Query) func(context.Context) (lines []string, note string) {
	inputs, hint := p.inputs(q), p.wholeHint(q)
	return func(ctx context.Context) ([]string, string) {
		program, err := jq.Compile(q.Program)
		if err != nil {
			return nil, text.Sanitize(err.Error())
		}
		var out jq.Results
		stats, err := program.Run(ctx, inputs, &out, jq.Options{MaxResults: previewResults, MaxBytes: previewBytes, MaxTime: previewTime, MaxMemory: previewMemory})
		if err != nil {
			return nil, text.Sanitize(err.Error())
		}
		var lines []string
		for i := range out.Len() {
			b, _ := out.Node(i).AppendCompact(nil, 400)
			lines = append(lines, text.Sanitize(string(b)))
		}
		return lines, hint + previewNote(stats)
	}
}

// wholeHint tells what to do about a program that begins with the way from the
// whole to the records, as every copied path does, where it is fed records.
func (p *Pane) wholeHint(q Query) string {
	x := p.page().Index
	if p.fedBodies(q) || x == nil {
		return ""
	}
	way := strings.TrimSuffix(x.Path().With(rawjson.At(0)).JQ(), "0]")
	number, ok := strings.CutPrefix(q.Program, way)
	if !ok || number == "" || number[0] < '0' || number[0] > '9' {
		return ""
	}
	return "copied paths begin at the whole: tab; "
}

func previewNote(s jq.Stats) string {
	t := fmt.Sprintf("%s from %s inputs", resultsText(s.Results), groupDigits(s.Inputs))
	switch s.Stopped {
	case "":
	case "time":
		t += "; looking took too long for a preview, enter runs it to its end"
	case "memory":
		t += "; it was stopped: " + s.Bound
	default:
		t += " so far; enter runs it to its end"
	}
	return t + failedNote(s)
}

// doneNote says what a whole run gave, and which bound ended it early.
func doneNote(s jq.Stats) string {
	t := fmt.Sprintf("%s from %s inputs", resultsText(s.Results), groupDigits(s.Inputs))
	if s.Bound != "" {
		t += "; it was stopped: " + s.Bound
	}
	return t + failedNote(s)
}

func failedNote(s jq.Stats) string {
	if s.Failed == 0 {
		return ""
	}
	return fmt.Sprintf("; failed on %s, first on input %d: %s", groupDigits(s.Failed), s.FirstFailed, text.Sanitize(s.FirstError))
}

func resultsText(n int) string {
	if n == 1 {
		return "1 result"
	}
	return groupDigits(n) + " results"
}

// Run runs a query to its end beside the update loop and opens its results
// over what is shown, to be browsed like any answer.
func (p *Pane) Run(q Query) intent.Intent {
	inputs, total := p.inputs(q), max(p.LoadedSet().Len(), 1)
	return intent.Work{What: "running the query", Do: func(ctx context.Context) (func() intent.Intent, error) {
		program, err := jq.Compile(q.Program)
		if err != nil {
			return nil, err
		}
		out := &jq.Results{}
		report := intent.Report(ctx)
		stats, err := program.Run(ctx, inputs, out, jq.Options{Progress: func(n int) { report(n, total) }})
		if err != nil {
			return nil, err
		}
		page := queried(q, out)
		return func() intent.Intent {
			if out.Len() == 0 {
				return intent.Say{Text: "The query gave no result. " + doneNote(stats), Bad: stats.Failed > 0 || stats.Stopped != ""}
			}
			p.OpenOver(page)
			return intent.Say{Text: doneNote(stats) + "; q goes back", Bad: stats.Failed > 0 || stats.Stopped != ""}
		}, nil
	}}
}

// queried makes a page of the results of a query.
func queried(q Query, out *jq.Results) *Page {
	src, x := out.Source(), out.Index()
	d := &Document{Reading: Reading{Name: "jq " + text.Sanitize(strings.TrimSpace(q.Program)), Size: int64(src.Len())}, Source: src, Index: x}
	p := &Page{Document: d, queried: true, complete: true, judged: true, Env: &client.Envelope{Body: src, Names: client.Neutral}, Index: x}
	p.settle()
	p.tabulate()
	return p
}
