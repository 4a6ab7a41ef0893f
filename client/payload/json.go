package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"patchbay/client"
)

func jsonFormat() Format {
	return Format{Name: "json", Title: "request JSON", Match: matchJSON, Parse: parseJSON, Render: renderJSON}
}

func matchJSON(text string) bool { return strings.HasPrefix(trimText(text), "{") }

// trimText removes white space and a byte order mark around a pasted text.
func trimText(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff"))
}

func renderJSON(in Input) (string, error) {
	if in.Create != nil {
		return indent([]byte(plainTemplate(createPayload(in, true)))), nil
	}
	raw, err := call(in)
	if err != nil {
		return "", err
	}
	return indent(raw), nil
}

func parseJSON(text string) (Parsed, error) { return parseBody([]byte(trimText(text))) }

// parseBody reads a payload: an operation, with or without the fields that say
// where it goes, or the fields of a new connector.
func parseBody(raw []byte) (Parsed, error) {
	if err := validJSON(raw); err != nil {
		return Parsed{}, err
	}
	var r reader
	if err := r.members(raw); err != nil {
		return Parsed{}, err
	}
	if r.create {
		return r.newConnector()
	}
	op := r.out.Operation
	switch {
	case op.Entity == "" && op.Action == "":
		return Parsed{}, errors.New(`the JSON names no call: it needs the members "entity" and "action"`)
	case op.Action == "":
		return Parsed{}, errors.New(`the member "action" is missing`)
	case op.Entity == "" && op.Action != "describe":
		return Parsed{}, errors.New(`the member "entity" is missing`)
	}
	return r.out, nil
}

// validJSON reports text that is no JSON with line and column.
func validJSON(raw []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(raw, &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		before := raw[:min(int(syntax.Offset), len(raw))]
		line := bytes.Count(before, []byte("\n")) + 1
		column := len(before) - bytes.LastIndexByte(before, '\n') - 1
		return fmt.Errorf("the JSON is wrong at line %d, column %d: %w", line, max(column, 1), err)
	}
	return err
}

// reader takes the members of a payload apart.
type reader struct {
	out    Parsed
	create bool
	made   client.NewConnector
}

func (r *reader) members(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("the JSON is no object")
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := r.member(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) member(name string, value json.RawMessage) error {
	op := &r.out.Operation
	var err error
	switch name {
	case "entity":
		err = json.Unmarshal(value, &op.Entity)
	case "action":
		err = json.Unmarshal(value, &op.Action)
	case "params":
		return r.params(value)
	case "select_fields":
		err = json.Unmarshal(value, &op.SelectFields)
	case "exclude_fields":
		err = json.Unmarshal(value, &op.ExcludeFields)
	case "workspace", "workspace_name":
		err = json.Unmarshal(value, &r.out.Workspace)
	case "name":
		err = json.Unmarshal(value, &r.out.Name)
	case "id", "connector_id":
		err = json.Unmarshal(value, &r.out.ConnectorID)
	case "organization_id":
		err = json.Unmarshal(value, &r.out.OrganizationID)
	case "connector_type":
		r.create = true
		err = json.Unmarshal(value, &r.made.ConnectorType)
	case "credentials":
		r.create, r.made.Credentials = true, value
	case "replication_config":
		r.create, r.made.ReplicationConfig = true, value
	default:
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("The member %q is not used.", shorten(name)))
	}
	if err != nil {
		return fmt.Errorf("the member %q has the wrong type: %s", name, typeProblem(err))
	}
	return nil
}

// typeProblem says in short what a decoding error is about, without the value.
func typeProblem(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return "it is " + t.Value + ", not " + t.Type.String()
	}
	return err.Error()
}

func (r *reader) params(value json.RawMessage) error {
	switch value[0] {
	case 'n':
		return nil
	case '{':
		var c bytes.Buffer
		if err := json.Compact(&c, value); err != nil {
			return err
		}
		if c.Len() > 2 {
			r.out.Operation.Params = c.Bytes()
		}
		return nil
	}
	return errors.New(`the member "params" is no object`)
}

func (r *reader) newConnector() (Parsed, error) {
	if r.out.Operation.Action != "" {
		return Parsed{}, errors.New("the JSON has the members of a call and those of a new connector: keep one kind")
	}
	r.made.Workspace, r.made.Name = r.out.Workspace, r.out.Name
	r.out.Create = &r.made
	return r.out, nil
}
