package form

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// read takes a typed text as the value of an input; err says why it cannot be sent.
func (in *input) read(text string) {
	in.clear()
	in.state = Value
	kinds := in.candidates()
	var firstErr string
	for _, kind := range kinds {
		raw, problem := in.parse(kind, text)
		if problem == "" {
			in.accept(kind, raw)
			return
		}
		if firstErr == "" {
			firstErr = problem
		}
	}
	in.kind = kinds[0]
	in.text, in.bad, in.err = text, true, firstErr
}

// candidates are the types to try, the narrowest first.
func (in *input) candidates() []string {
	if in.forced != "" {
		return []string{in.forced}
	}
	if slices.Contains(in.types, "any") {
		return []string{"object", "array", "boolean", "number", "string"}
	}
	kinds := slices.Clone(in.types)
	rank := map[string]int{"object": 0, "array": 1, "boolean": 2, "integer": 3, "number": 4, "string": 5}
	slices.SortFunc(kinds, func(a, b string) int { return rank[a] - rank[b] })
	return kinds
}

func (in *input) accept(kind string, raw []byte) {
	if kind == "object" || kind == "array" {
		in.load(rawjson.Parse(raw))
		return
	}
	in.setRaw(kind, raw)
	in.splitRows()
	for _, c := range in.children {
		if in.isJoined() && c.err != "" {
			in.err = c.err
			break
		}
	}
}

// parse reads a text as one type: the JSON value, or what is wrong with it.
func (in *input) parse(kind, text string) (raw []byte, problem string) {
	f := in.field
	switch kind {
	case "string":
		return in.parseString(text)
	case "integer", "number":
		return in.parseNumber(kind, text)
	case "boolean":
		return parseBool(text)
	case "object":
		if f.Format == "document" && !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return Document(text), ""
		}
	}
	return parseContainer(kind, text)
}

func (in *input) parseString(text string) ([]byte, string) {
	f := in.field
	if isTimeFormat(f.Format) {
		sent, problem := in.form.moment(f.Format, text)
		return rawjson.AppendQuoted(nil, sent), problem
	}
	if f.Separator == "" {
		if p := enumProblem(f, text); p != "" {
			return nil, p
		}
	}
	return rawjson.AppendQuoted(nil, text), formatProblem(f, text)
}

// formatProblem checks the formats whose texts have a shape of their own.
func formatProblem(f *catalog.Field, text string) string {
	switch f.Format {
	case "uuid":
		if !isUUID(text) {
			return "is no UUID: write 8-4-4-4-12 hexadecimal digits"
		}
	case "email":
		if at := strings.IndexByte(text, '@'); at < 1 || at == len(text)-1 {
			return "is no e-mail address: write name@host"
		}
	case "uri":
		if strings.ContainsAny(text, " \t\n") {
			return "is no address: it holds white space"
		}
	}
	return ""
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		hex := strings.IndexByte("0123456789abcdefABCDEF", s[i]) >= 0
		if dash != (s[i] == '-') || !dash && !hex {
			return false
		}
	}
	return true
}

func (in *input) parseNumber(kind, text string) ([]byte, string) {
	f := in.field
	text = strings.TrimSpace(text)
	if isTimeFormat(f.Format) && !isNumber(text) {
		sent, problem := in.form.moment(f.Format, text)
		return []byte(sent), problem
	}
	if !isNumber(text) {
		return nil, "wants " + article(kind)
	}
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return nil, "is too large"
	case kind == "integer" && n != math.Trunc(n):
		return nil, "wants a whole number"
	}
	if p := limitProblem(f, n); p != "" {
		return nil, p
	}
	return []byte(text), enumProblem(f, text)
}

// isNumber tells whether the text is a number as JSON writes it.
func isNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && rawjson.Valid([]byte(text))
}

func limitProblem(f *catalog.Field, n float64) string {
	low, high := f.Min != nil && n < *f.Min, f.Max != nil && n > *f.Max
	switch {
	case !low && !high:
		return ""
	case f.Min != nil && f.Max != nil:
		return "is outside " + plain(*f.Min) + " to " + plain(*f.Max)
	case low:
		return "is below " + plain(*f.Min)
	}
	return "is above " + plain(*f.Max)
}

func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func parseBool(text string) ([]byte, string) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "y", "t", "on":
		return []byte("true"), ""
	case "false", "no", "n", "f", "off":
		return []byte("false"), ""
	}
	return nil, "wants true or false"
}

// parseContainer reads an object or list typed as JSON; a list of scalars also as one line with commas.
func parseContainer(kind, text string) ([]byte, string) {
	trimmed := strings.TrimSpace(text)
	open, name := "{", "an object as JSON"
	if kind == "array" {
		open, name = "[", "a list as JSON"
	}
	if !strings.HasPrefix(trimmed, open) {
		return nil, "wants " + name
	}
	if err := checkJSON([]byte(trimmed)); err != nil {
		return nil, err.Error()
	}
	return []byte(trimmed), ""
}

func article(kind string) string {
	switch kind {
	case "integer":
		return "a whole number"
	case "boolean":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "string":
		return "a text"
	}
	return "a " + kind
}
