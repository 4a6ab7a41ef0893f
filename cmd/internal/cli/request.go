package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// largestPayload bounds what is read as a payload, in bytes.
const largestPayload = 64 << 20

// request is a --json payload: the fields of the service's own CLI.
type request struct {
	Workspace, Name, ID string
	Operation           client.Operation
	ConnectorType       string
	Credentials         json.RawMessage
	ReplicationConfig   json.RawMessage
}

// payloadFlag is where a command finds its payload.
type payloadFlag struct{ text string }

// bindPayload declares --json.
func bindPayload(fs *flag.FlagSet) *payloadFlag {
	p := &payloadFlag{}
	fs.StringVar(&p.text, "json", "", "the `payload`: JSON, @FILE, or - (also @-) for stdin")
	return p
}

// read returns the payload; needed names what it must tell.
func (p *payloadFlag) read(a *app, command string, fields ...string) (request, error) {
	if p.text == "" {
		return request{}, usage("%s needs --json with a payload", command).
			next(`Give the fields %s as JSON, @FILE, or - for stdin.`, strings.Join(fields, ", "))
	}
	raw, inline, err := a.payloadBytes(p.text)
	if err != nil {
		return request{}, err
	}
	return parseRequest(raw, inline, fields)
}

// payloadBytes reads the text behind --json.
func (a *app) payloadBytes(text string) (raw []byte, inline bool, err error) {
	switch {
	case text == "-" || text == "@-":
		raw, err = readBounded(a.stdin, "stdin")
	case strings.HasPrefix(text, "@"):
		raw, err = readFile(text[1:])
	default:
		return []byte(text), true, nil
	}
	return raw, false, err
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("the payload cannot be read: %v", err).next("Give --json the name of a file that exists, after an @.")
	}
	defer f.Close()
	return readBounded(f, name)
}

func readBounded(r io.Reader, name string) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, largestPayload+1))
	if err != nil {
		return nil, usage("%s cannot be read: %v", name, err)
	}
	if len(raw) > largestPayload {
		return nil, usage("%s is larger than a payload can be (%d bytes)", name, largestPayload)
	}
	return raw, nil
}

// parseRequest reads a payload; only fields may stand in it. What is inline may
// hold no secret: it stands in the shell's history and in the process list.
func parseRequest(raw []byte, inline bool, fields []string) (request, error) {
	var r request
	raw = bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf"))
	if err := validPayload(raw); err != nil {
		return r, err
	}
	for m := range rawjson.Parse(raw).Members() {
		name := m.Name.Text()
		if !slices.Contains(fields, canonical(name)) {
			return r, usage("the payload has a field %q that is not known here%s", name, didYouMean(name, fields, "")).
				next("It takes: %s.", strings.Join(fields, ", "))
		}
		if name == "credentials" && inline && m.Value.Kind() == rawjson.Object && m.Value.Len() > 0 {
			return r, fail(client.ClassRefused, "the payload holds credentials, and an argument is seen by others: in the shell's history and the list of processes").
				next("Put the payload into a file that only you can read and give --json @FILE, or give --json - and write it to stdin.")
		}
		if err := r.set(canonical(name), json.RawMessage(m.Value.Raw())); err != nil {
			return r, err
		}
	}
	return r, nil
}

// canonical knows the names that the HTTP API uses for the same fields.
func canonical(name string) string {
	switch name {
	case "workspace_name":
		return "workspace"
	case "connector_id":
		return "id"
	}
	return name
}

func validPayload(raw []byte) error {
	if len(raw) == 0 {
		return usage("the payload is empty").next(`Give a JSON object, such as {"workspace": "demo", "name": "..."}.`)
	}
	var v json.RawMessage
	if err := json.Unmarshal(raw, &v); err != nil {
		return usage("the payload is not valid JSON%s", whereInJSON(raw, err)).next("Correct it; in a shell, put it into single quotes.")
	}
	if raw[0] != '{' {
		return usage("the payload is not a JSON object").next(`Give a JSON object, such as {"workspace": "demo", "name": "..."}.`)
	}
	return nil
}

// whereInJSON tells line and column of a syntax error.
func whereInJSON(raw []byte, err error) string {
	var s *json.SyntaxError
	if !errors.As(err, &s) {
		return ": " + err.Error()
	}
	line, column := rawjson.Position(rawjson.Bytes(raw), max(0, min(int(s.Offset), len(raw))-1))
	return fmt.Sprintf(" at line %d, column %d: %s", line, column, s.Error())
}

func (r *request) set(name string, value json.RawMessage) error {
	var into any
	switch name {
	case "workspace":
		into = &r.Workspace
	case "name":
		into = &r.Name
	case "id":
		into = &r.ID
	case "entity":
		into = &r.Operation.Entity
	case "action":
		into = &r.Operation.Action
	case "select_fields":
		into = &r.Operation.SelectFields
	case "exclude_fields":
		into = &r.Operation.ExcludeFields
	case "connector_type":
		into = &r.ConnectorType
	default:
		return r.setObject(name, value)
	}
	if json.Unmarshal(value, into) != nil {
		kind := "a text"
		if strings.HasSuffix(name, "_fields") {
			kind = "a list of texts"
		}
		return usage("the payload's field %q must be %s", name, kind)
	}
	return nil
}

// setObject keeps an object as it was written.
func (r *request) setObject(name string, value json.RawMessage) error {
	if string(value) == "null" {
		return nil
	}
	if value[0] != '{' {
		return usage("the payload's field %q must be an object", name)
	}
	switch name {
	case "params":
		r.Operation.Params = value
	case "credentials":
		r.Credentials = value
	case "replication_config":
		r.ReplicationConfig = value
	}
	return nil
}
