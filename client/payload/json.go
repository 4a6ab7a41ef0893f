package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"patchbay/client"
	"patchbay/client/rawjson"
)

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

// reader takes the members of a payload apart.
type reader struct {
	out    Parsed
	create bool
	made   client.NewConnector
}

// parseBody reads a payload: an operation, with or without the fields that say
// where it goes, or the fields of a new connector.
func parseBody(raw []byte) (Parsed, error) {
	if err := validJSON(raw); err != nil {
		return Parsed{}, err
	}
	m := rawjson.ParseMap(raw)
	if m == nil {
		return Parsed{}, errors.New("the JSON is no object")
	}
	var r reader
	for i, name := range m.Keys {
		if err := r.member(name, m.Vals[i].(json.RawMessage)); err != nil {
			return Parsed{}, err
		}
	}
	op := r.out.Operation
	switch {
	case r.create && op.Action != "":
		return Parsed{}, errors.New("the JSON has the members of a call and those of a new connector: keep one kind")
	case r.create:
		r.made.Workspace, r.made.Name = r.out.Workspace, r.out.Name
		r.out.Create = &r.made
	case op.Entity == "" && op.Action == "":
		return Parsed{}, errors.New(`the JSON names no call: it needs the members "entity" and "action"`)
	case op.Action == "":
		return Parsed{}, errors.New(`the member "action" is missing`)
	case op.Entity == "" && op.Action != Describe:
		return Parsed{}, errors.New(`the member "entity" is missing`)
	}
	return r.out, nil
}

// validJSON reports text that is no JSON with line and column.
func validJSON(raw []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(raw, &v)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line, column := rawjson.Position(rawjson.Bytes(raw), min(int(syntax.Offset), len(raw)))
		return fmt.Errorf("the JSON is wrong at line %d, column %d: %w", line, max(column-1, 1), err)
	}
	return err
}

func (r *reader) member(name string, value json.RawMessage) (err error) {
	op := &r.out.Operation
	into, known := map[string]any{
		"entity": &op.Entity, "action": &op.Action, "select_fields": &op.SelectFields,
		"exclude_fields": &op.ExcludeFields, "workspace": &r.out.Workspace, "workspace_name": &r.out.Workspace,
		"name": &r.out.Name, "id": &r.out.ConnectorID, "connector_id": &r.out.ConnectorID,
		"organization_id": &r.out.OrganizationID, "connector_type": &r.made.ConnectorType,
		"credentials": &r.made.Credentials, "replication_config": &r.made.ReplicationConfig,
	}[name]
	switch name {
	case "skip_truncation":
		whole := true
		if json.Unmarshal(value, &whole) != nil {
			return errors.New(`the member "skip_truncation" is neither true nor false`)
		}
		op.Truncate = !whole
		return nil
	case "params":
		if op.Params, err = rawjson.CompactObject(value); err != nil {
			return errors.New(`the member "params" is no object`)
		}
		return nil
	case "connector_type", "credentials", "replication_config":
		r.create = true
	}
	if !known {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("The member %q is not used.", shorten(name)))
		return nil
	}
	if err = json.Unmarshal(value, into); err == nil {
		return nil
	}
	problem := err.Error()
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // in short, without the value
		problem = "it is " + t.Value + ", not " + t.Type.String()
	}
	return fmt.Errorf("the member %q has the wrong type: %s", name, problem)
}
