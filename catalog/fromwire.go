package catalog

import "slices"

// FromWire is ToWire backwards: params in the names of the connector definition come
// back in those of the specification. What stands in the latter already stays.
func FromWire(e *Entity, a *Action, params []byte) []byte {
	back := Entity{Search: reversed(e.Search), Record: reversed(e.Record)}
	return ToWire(nil, &back, &Action{Name: a.Name, Params: reversed(a.Params)}, params)
}

// FromWirePaths writes record fields in the specification's names.
func FromWirePaths(e *Entity, a *Action, paths []string) []string {
	var out []string
	for _, path := range paths {
		name := WirePath(reversed(e.RecordOf(a)), path)
		if name == path {
			name = WirePath(reversed(e.Search), path)
		}
		out = append(out, name)
	}
	return out
}

// reversed are fields whose names and values on the wire are their own, and the other
// way round.
func reversed(fields []Field) []Field {
	if !Renamed(fields) {
		return fields
	}
	out := slices.Clone(fields)
	for i := range out {
		f := &out[i]
		if f.Alias != "" {
			f.Name, f.Alias = f.Alias, f.Name
		}
		values := map[string]string{}
		for value, wire := range f.WireValues {
			values[wire] = value
		}
		if f.WireValues != nil {
			f.WireValues = values
		}
		f.Members = reversed(f.Members)
		for _, inner := range [...]**Field{&f.Items, &f.Values} {
			if *inner != nil {
				*inner = &reversed([]Field{**inner})[0]
			}
		}
	}
	return out
}
