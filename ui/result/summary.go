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

// SummaryValue is a common value: Text is safe to draw, Exact is as received.
type SummaryValue struct{ Text, Note, Exact, Disabled string }

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
	for _, one := range s.Common {
		share := fmt.Sprintf("%s, %.1f%%", rowsText(one.N), 100*float64(one.N)/float64(max(s.Rows, 1)))
		v := SummaryValue{Text: shortValue(c, one.Value), Note: share, Exact: one.Value.Text()}
		if container(one.Value) {
			v.Disabled = "rows cannot be filtered by a whole array or object"
		}
		out.Values = append(out.Values, v)
	}
	return out
}

func shortValue(c *records.Column, n rawjson.Node) string {
	return text.Truncate(cellText(c, records.Cell{State: records.Value, Node: n}), 60)
}
