package export

// JSON is one array, one record a line.
var JSON Format = &jsonArray{about{
	name: "json", title: "JSON array", endings: []string{"json"}, unended: "an array without its end"}}

type jsonArray struct{ about }

func (*jsonArray) Head(dst []byte, _ Options) []byte { return append(dst, '[') }

func (*jsonArray) Record(dst []byte, r *Record) []byte {
	if !r.First {
		dst = append(dst, ',')
	}
	return append(append(dst, '\n'), r.JSON...)
}

func (*jsonArray) Tail(dst []byte, empty bool) []byte {
	if !empty {
		dst = append(dst, '\n')
	}
	return append(dst, "]\n"...)
}

// NDJSON is one record a line.
var NDJSON Format = &jsonLines{about{name: "ndjson", title: "NDJSON", endings: []string{"ndjson", "jsonl"}}}

type jsonLines struct{ about }

func (*jsonLines) Record(dst []byte, r *Record) []byte { return append(append(dst, r.JSON...), '\n') }
