package secret

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Body returns a request or response body as it may be shown: values of
// members with a sensitive name are replaced in JSON (key order and spacing
// kept) and in form bodies, known secrets everywhere. The argument is not changed.
func (r *Redactor) Body(contentType string, body []byte) []byte {
	trimmed := bytes.TrimSpace(body)
	switch {
	case len(trimmed) == 0:
		return body
	case strings.Contains(contentType, "x-www-form-urlencoded"):
		return []byte(r.Text(r.query(string(body))))
	case trimmed[0] == '{' || trimmed[0] == '[':
		return []byte(r.Text(string(redactJSON(body))))
	}
	return []byte(r.Text(string(body)))
}

// redactJSON replaces the values of sensitive members. Where the text stops
// being JSON, what follows the last good token is kept unless a sensitive
// member was open; then it is dropped, because its end is unknown.
func redactJSON(body []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	w := &jsonWalk{body: body, dec: dec}
	if !w.value() && w.open {
		return append(w.out, Mark...)
	}
	return append(w.out, body[w.copied:]...)
}

type jsonWalk struct {
	body   []byte
	dec    *json.Decoder
	out    []byte
	copied int  // bytes of body already in out or replaced
	open   bool // a sensitive member began and did not end
}

// value walks one value and reports whether it was complete.
func (w *jsonWalk) value() bool {
	tok, err := w.dec.Token()
	if err != nil {
		return false
	}
	switch tok {
	case json.Delim('{'):
		return w.members()
	case json.Delim('['):
		for w.dec.More() {
			if !w.value() {
				return false
			}
		}
		_, err = w.dec.Token()
	}
	return err == nil
}

func (w *jsonWalk) members() bool {
	for w.dec.More() {
		name, err := w.dec.Token()
		if err != nil {
			return false
		}
		text, _ := name.(string)
		if SensitiveName(text) {
			if !w.replace() {
				return false
			}
		} else if !w.value() {
			return false
		}
	}
	_, err := w.dec.Token()
	return err == nil
}

// replace puts the mark in place of the next value. null stays: it is no secret.
func (w *jsonWalk) replace() bool {
	start := w.afterColon(int(w.dec.InputOffset()))
	w.out = append(w.out, w.body[w.copied:start]...)
	w.copied, w.open = start, true
	var skipped json.RawMessage
	if err := w.dec.Decode(&skipped); err != nil {
		return false
	}
	w.open = false
	if string(skipped) == "null" {
		return true
	}
	w.out = append(w.out, `"`+Mark+`"`...)
	w.copied = int(w.dec.InputOffset())
	return true
}

func (w *jsonWalk) afterColon(at int) int {
	for at < len(w.body) && strings.IndexByte(" \t\r\n:", w.body[at]) >= 0 {
		at++
	}
	return at
}
