package sandbox

import (
	"unicode/utf8"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// A text of a record that is longer than mostText ends with truncatedText when the caller
// lets the service shorten answers.
const (
	mostText      = 200
	truncatedText = "...[truncated — use the get action to read the full record]"
)

// truncates reports whether long texts are cut: in lists and searches, where the caller
// asked for it.
func (op *operation) truncates() bool {
	if op.call.in.Value("skip_truncation") != false {
		return false
	}
	switch op.a.Name {
	case catalog.ActionList, catalog.ActionContextStoreSearch, catalog.ActionSemanticSearch:
		return true
	}
	return false
}

// truncate is a value with its long texts cut, at any depth. It changes nothing in place.
func truncate(v any) any {
	switch v := v.(type) {
	case string:
		if utf8.RuneCountInString(v) <= mostText {
			return v
		}
		end := 0
		for range mostText {
			_, size := utf8.DecodeRuneInString(v[end:])
			end += size
		}
		return v[:end] + truncatedText
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = truncate(v[i])
		}
		return out
	case *rawjson.Map:
		out := &rawjson.Map{Keys: v.Keys, Vals: make([]any, len(v.Vals))}
		for i := range v.Vals {
			out.Vals[i] = truncate(v.Vals[i])
		}
		return out
	}
	return v
}
