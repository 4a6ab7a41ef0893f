package result

import (
	"context"
	"fmt"

	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Summary tells what the column under the cursor holds in the rows shown.
type Summary struct {
	Column string
	// Facts are short statements; safe to draw.
	Facts  []string
	Values []SummaryValue
}

// SummaryValue is a common value: Text is safe to draw, Exact is as received,
// or the word for what is missing.
type SummaryValue struct {
	Text, Note, Exact, Disabled string
	// mode is how rows that hold it are found.
	mode records.Mode
}

// Summarize looks at the column under the cursor beside the update loop.
func (p *Pane) Summarize(done func(Summary) intent.Intent) intent.Intent {
	v := p.onTable()
	if v == nil {
		return nil
	}
	set, rows, c := v.set, v.rows, v.columns[v.col].Column
	return intent.Work{What: "looking at the column", Do: func(ctx context.Context) (func() intent.Intent, error) {
		s, err := records.Summarize(ctx, set, rows, &c, intent.Report(ctx))
		if err != nil {
			return nil, err
		}
		out := summaryOf(s, &c)
		return func() intent.Intent { return done(out) }, nil
	}}
}

func summaryOf(s *records.Summary, c *records.Column) Summary {
	out := Summary{Column: c.Name, Facts: []string{rowsText(s.Rows)}}
	put := func(n int, what string) {
		if n > 0 {
			out.Facts = append(out.Facts, groupDigits(n)+" "+what)
		}
	}
	put(s.Values, "with a value")
	put(s.Nulls, "null")
	put(s.Absent, "absent")
	put(s.Empty, "empty")
	put(s.Cut, "cut off")
	distinct := groupDigits(s.Distinct) + " distinct"
	if s.More {
		distinct = "more than " + distinct
	}
	out.Facts = append(out.Facts, distinct)
	if s.Min.Exists() {
		out.Facts = append(out.Facts, "min "+shortValue(c, s.Min), "max "+shortValue(c, s.Max))
	}
	share := func(n int) string {
		return fmt.Sprintf("%s, %.1f%%", rowsText(n), 100*float64(n)/float64(max(s.Rows, 1)))
	}
	for _, one := range s.Common {
		v := SummaryValue{Text: shortValue(c, one.Value), Note: share(one.N), Exact: one.Value.Text(), mode: records.Equals}
		if container(one.Value) {
			v.Disabled = "rows cannot be filtered by a whole array or object"
		}
		out.Values = append(out.Values, v)
	}
	for _, none := range []struct {
		state records.State
		n     int
	}{{records.Null, s.Nulls}, {records.Absent, s.Absent}, {records.Empty, s.Empty}} {
		if none.n > 0 {
			word := none.state.String()
			out.Values = append(out.Values, SummaryValue{Text: "(" + word + ")", Note: share(none.n), Exact: word, mode: records.InState})
		}
	}
	return out
}

func shortValue(c *records.Column, n rawjson.Node) string {
	return text.Truncate(cellText(c, records.Cell{State: records.Value, Node: n}, nil), 60)
}
