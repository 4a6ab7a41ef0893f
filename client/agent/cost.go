package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// FieldCost is what a field takes over all records.
type FieldCost struct {
	// Path is the dotted path of the field; arrays are not entered.
	Path string `json:"path"`
	// Tokens of its name and its values (Encoding).
	Tokens int `json:"tokens"`
	// Records is how many have it, Nulls in how many of them it is null.
	Records int `json:"records"`
	Nulls   int `json:"nulls"`
	// Constant is set when it is the same in all records that have it, of which there are several.
	Constant bool `json:"constant"`

	first string
}

// Cost is what records take in what a model reads.
type Cost struct {
	Records int `json:"records"`
	// Tokens of all records as they are, and of what is beside their fields.
	Tokens    int         `json:"tokens"`
	Structure int         `json:"structure"`
	Fields    []FieldCost `json:"fields"` // the dearest first
}

// CostOf counts records field by field until ctx ends.
func CostOf(ctx context.Context, records iter.Seq[rawjson.Node]) (*Cost, error) {
	c, at := &Cost{}, map[string]int{}
	for record := range records {
		n, err := CountTokens(ctx, record.Raw())
		if err != nil {
			return nil, err
		}
		c.Tokens += n
		c.Records++
		if err := c.add(ctx, at, "", record); err != nil {
			return nil, err
		}
	}
	c.Structure = c.Tokens
	for i := range c.Fields {
		f := &c.Fields[i]
		c.Structure -= f.Tokens
		f.Constant = f.Constant && f.Records > 1
	}
	c.Structure = max(c.Structure, 0) // names and values apart can take more than together
	slices.SortStableFunc(c.Fields, func(a, b FieldCost) int { return cmp.Compare(b.Tokens, a.Tokens) })
	return c, nil
}

// add counts the members of an object; at is where each path stands in Fields.
func (c *Cost) add(ctx context.Context, at map[string]int, prefix string, object rawjson.Node) error {
	for m := range object.Members() {
		path := prefix + m.Key()
		if m.Value.Kind() == rawjson.Object && m.Value.Len() > 0 {
			if err := c.add(ctx, at, path+".", m.Value); err != nil {
				return err
			}
			continue
		}
		text := append(append(rawjson.AppendQuoted(nil, m.Key()), ':'), m.Value.Raw()...)
		n, err := CountTokens(ctx, text)
		if err != nil {
			return err
		}
		i, known := at[path]
		if !known {
			i = len(c.Fields)
			at[path] = i
			c.Fields = append(c.Fields, FieldCost{Path: path, Constant: true, first: string(text)})
		}
		f := &c.Fields[i]
		f.Tokens, f.Records = f.Tokens+n, f.Records+1
		f.Constant = f.Constant && f.first == string(text)
		if m.Value.Kind() == rawjson.Null {
			f.Nulls++
		}
	}
	return nil
}

// Select is the shortest select_fields that keeps the fields below some paths: an object
// is named whole where all of it is kept.
func (c *Cost) Select(keep []string) []string {
	return collapse(c.split(keep))
}

// Exclude is the shortest exclude_fields that leaves out all but the fields below some paths.
func (c *Cost) Exclude(keep []string) []string {
	kept, left := c.split(keep)
	return collapse(left, kept)
}

// split sorts the fields into those at or below some paths, and the others.
func (c *Cost) split(keep []string) (kept, left []string) {
	for _, f := range c.Fields {
		if slices.ContainsFunc(keep, func(k string) bool { return below(f.Path, k) }) {
			kept = append(kept, f.Path)
		} else {
			left = append(left, f.Path)
		}
	}
	return kept, left
}

// below reports whether a path is another one, or leads into it.
func below(path, of string) bool { return path == of || strings.HasPrefix(path, of+".") }

// collapse names some paths by as few as possible that hold none of the others.
func collapse(want, others []string) []string {
	var out []string
	for _, path := range want {
		for i := range len(path) {
			whole := path[:i]
			if path[i] == '.' && !slices.ContainsFunc(others, func(o string) bool { return below(o, whole) }) {
				path = whole
				break
			}
		}
		out = append(out, path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Selected is a record with the fields of select_fields alone, as a service picks them: a
// path is first taken for a name, then leads through objects; arrays are not entered.
func Selected(record rawjson.Node, paths []string) *rawjson.Map {
	out := &rawjson.Map{}
	for m := range record.Members() {
		name := m.Key()
		var inner []string
		for _, p := range paths {
			if _, literal := record.Get(p); literal {
				continue
			}
			if rest, leads := strings.CutPrefix(p, name+"."); leads {
				inner = append(inner, rest)
			}
		}
		if slices.Contains(paths, name) {
			out.Add(name, json.RawMessage(m.Value.Raw()))
		} else if len(inner) > 0 && m.Value.Kind() == rawjson.Object {
			if part := Selected(m.Value, inner); part.Len() > 0 {
				out.Add(name, part)
			}
		}
	}
	return out
}
