package payload

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"
)

// piece is a stretch of a template: literal text, or the name of an environment variable.
type piece struct {
	text string
	env  bool
}

// split takes a template with ${NAME} references apart.
func split(template string) []piece {
	var out []piece
	for template != "" {
		i := strings.Index(template, "${")
		end := -1
		if i >= 0 {
			end = strings.IndexByte(template[i:], '}')
		}
		if end < 0 || !isEnvName(template[i+2:i+end]) {
			if end < 0 {
				return append(out, piece{text: template})
			}
			out = append(out, piece{text: template[:i+2]})
			template = template[i+2:]
			continue
		}
		if i > 0 {
			out = append(out, piece{text: template[:i]})
		}
		out = append(out, piece{text: template[i+2 : i+end], env: true})
		template = template[i+end+1:]
	}
	return out
}

func isEnvName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// pieces returns the parts of a value that is a template or literal text.
func pieces(value string, template bool) []piece {
	if template {
		return split(value)
	}
	return []piece{{text: value}}
}

func plainTemplate(parts []piece) string {
	var b strings.Builder
	for _, p := range parts {
		if p.env {
			b.WriteString("${" + p.text + "}")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// createPayload is the JSON of a new connector with every credential value
// replaced by the name of an environment variable. cli chooses the member names of
// the service's CLI, otherwise those of the HTTP API.
func createPayload(in Input, cli bool) []piece {
	c := in.Create
	var o object
	workspace := "workspace_name"
	if cli {
		workspace = "workspace"
	}
	o.text(workspace, c.Workspace)
	o.text("connector_type", c.ConnectorType)
	o.text("name", c.Name)
	if raw := bytes.TrimSpace(c.ReplicationConfig); hasMembers(raw) {
		o.raw("replication_config", raw)
	}
	names := credentialNames(c.Credentials)
	if len(names) == 0 {
		return []piece{{text: string(o.bytes())}}
	}
	head := string(bytes.TrimSuffix(o.bytes(), []byte("}")))
	if head != "{" {
		head += ","
	}
	parts := []piece{{text: head + `"credentials":{`}}
	for i, name := range names {
		open := string(quoteJSON(name)) + `:"`
		if i > 0 {
			open = `",` + open
		}
		parts = append(parts, piece{text: open}, piece{text: credentialEnv(in, name), env: true})
	}
	return append(parts, piece{text: `"}}`})
}

func hasMembers(raw []byte) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(raw, &m) == nil && len(m) > 0
}

// credentialNames lists the members of the credentials in order.
func credentialNames(raw []byte) []string {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var names []string
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return names
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return names
		}
		if name, ok := t.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// credentialEnv names the variable that holds a credential: PATCHBAY_<KIND>_<FIELD>.
func credentialEnv(in Input, field string) string {
	kind := in.Target.Kind
	if kind == "" {
		kind = in.Create.ConnectorType
	}
	return "PATCHBAY_" + envWord(kind) + "_" + envWord(field)
}

func envWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, s)
}
