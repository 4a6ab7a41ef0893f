package pages

import (
	"context"

	"patchbay/client/records"
)

// UntilMatch returns a condition for Limits.Until: a page with a record that
// passes all filters. names of the fields are those of the records.
func UntilMatch(filters ...records.Filter) func(ctx context.Context, p Page) (bool, error) {
	return func(ctx context.Context, p Page) (bool, error) {
		if p.Index == nil || p.Rows == 0 {
			return false, nil
		}
		set := &records.Set{}
		set.Add(records.Page{Index: p.Index, Names: p.Env.Names})
		rows, err := records.Filtered(ctx, set, nil, filters, nil)
		return len(rows) > 0, err
	}
}
