package pages

import (
	"context"
	"strings"

	"patchbay/client/jq"
	"patchbay/client/records"
)

// Condition is a Limits.Until: the first record of a page that meets it, or -1.
type Condition func(ctx context.Context, p Page) (row int, err error)

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
	return func(ctx context.Context, p Page) (int, error) {
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
	return func(ctx context.Context, p Page) (int, error) {
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
