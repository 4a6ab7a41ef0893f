package form

import (
	"bytes"
	"encoding/json"
	"strings"

	"patchbay/client/rawjson"
)

// Document returns plain text as the structured document object of the issue
// tracker: blank lines part paragraphs, line ends within one are hard breaks.
func Document(text string) json.RawMessage {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	b := []byte(`{"type":"doc","version":1,"content":[`)
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendParagraph(b, paragraph)
	}
	return append(b, `]}`...)
}

func appendParagraph(b []byte, text string) []byte {
	b = append(b, `{"type":"paragraph","content":[`...)
	started := false
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b = appendComma(b, started)
			b = append(b, `{"type":"hardBreak"}`...)
			started = true
		}
		if line != "" {
			b = appendComma(b, started)
			b = append(b, `{"type":"text","text":`...)
			b = rawjson.AppendQuoted(b, line)
			b = append(b, '}')
			started = true
		}
	}
	return append(b, `]}`...)
}

func appendComma(b []byte, needed bool) []byte {
	if needed {
		return append(b, ',')
	}
	return b
}

type docNode struct {
	Type    string    `json:"type"`
	Text    string    `json:"text"`
	Content []docNode `json:"content"`
}

// DocumentText returns the plain text of a structured document. plain is false
// when the document holds more than the text says (marks, lists, tables), so
// that editing the text would lose something.
func DocumentText(doc json.RawMessage) (text string, plain bool) {
	var root docNode
	if json.Unmarshal(doc, &root) != nil || root.Type != "doc" {
		return "", false
	}
	parts := make([]string, len(root.Content))
	for i, n := range root.Content {
		var b strings.Builder
		n.write(&b)
		parts[i] = b.String()
	}
	text = strings.Join(parts, "\n\n")
	return text, sameJSON(Document(text), doc)
}

func (n docNode) write(b *strings.Builder) {
	switch n.Type {
	case "text":
		b.WriteString(n.Text)
	case "hardBreak":
		b.WriteByte('\n')
	}
	for i, c := range n.Content {
		if i > 0 && c.Type != "text" && c.Type != "hardBreak" {
			b.WriteByte('\n')
		}
		c.write(b)
	}
}

// sameJSON compares two values; the order of keys does not matter.
func sameJSON(a, b []byte) bool {
	return bytes.Equal(sorted(a), sorted(b))
}

func sorted(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}
