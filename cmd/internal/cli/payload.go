package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/payload"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/strictyaml"
)

// largestPayload bounds what is read as a payload, in bytes.
const largestPayload = 64 << 20

// executeFields are those of the payload of a call.
var executeFields = []string{"workspace", "name", "id", "entity", "action", "params", "select_fields", "exclude_fields",
	"skip_truncation"}

// request is a --json payload: the fields of the service's own CLI.
type request struct {
	session.Ref
	Operation         client.Operation
	ConnectorType     string
	Credentials       json.RawMessage
	ReplicationConfig json.RawMessage
}

// bindPayload declares --json.
func bindPayload(c *cobra.Command) *string {
	return c.Flags().String("json", "", "the `PAYLOAD`: JSON, @FILE, or - (also @-) for stdin")
}

// payload reads a payload of some fields, all that it may tell.
func (a *app) payload(ctx context.Context, text, command string, fields ...string) (request, error) {
	if text == "" {
		return request{}, client.Invalid("%s needs --json with a payload", command).
			Advise(`Give the fields %s as JSON, @FILE, or - for stdin.`, strings.Join(fields, ", "))
	}
	raw, inline, err := a.payloadBytes(ctx, text)
	if err != nil {
		return request{}, err
	}
	return parseRequest(raw, inline, fields)
}

// payloadBytes reads the text behind --json.
func (a *app) payloadBytes(ctx context.Context, text string) (raw []byte, inline bool, err error) {
	name, file := strings.CutPrefix(text, "@")
	if name != "-" && !file {
		return []byte(text), true, nil
	}
	raw, err = a.readInput(ctx, name, "payload", "Give --json the name of a file that exists, after an @.")
	return raw, false, err
}

// readInput reads a file, or stdin for "-". Both may be pipes: it waits for who writes
// to them, until the context ends.
func (a *app) readInput(ctx context.Context, name, what, advice string) ([]byte, error) {
	raw, err := secret.Await(ctx, func() ([]byte, error) {
		in := a.stdin
		if name != "-" {
			f, err := os.Open(name)
			if err != nil {
				return nil, client.Invalid("the %s cannot be read: %v", what, err).Advise("%s", advice)
			}
			defer f.Close()
			in = f
		}
		return io.ReadAll(io.LimitReader(in, largestPayload+1))
	})
	if name == "-" {
		name = "stdin"
	}
	wrong, told := errors.AsType[*client.Error](err)
	switch {
	case told:
		return nil, wrong
	case ctx.Err() != nil:
		return nil, canceled("read the " + what)
	case err != nil:
		return nil, client.Invalid("%s cannot be read: %v", name, err)
	case len(raw) > largestPayload:
		return nil, client.Invalid("%s is larger than a payload can be (%d bytes)", name, largestPayload)
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
			return r, client.Invalid("the payload has a field %q that is not known here%s", name,
				strictyaml.DidYouMean(name, fields)).
				Advise("It takes: %s.", strings.Join(fields, ", "))
		}
		if name == "credentials" && inline && m.Value.Kind() == rawjson.Object && m.Value.Len() > 0 {
			return r, client.Failf(client.ClassRefused, "the payload holds credentials, and an argument is seen by "+
				"others: in the shell's history and the list of processes").
				Advise("Put the payload into a file that only you can read and give --json @FILE, or give --json - " +
					"and write it to stdin.")
		}
		if err := r.set(canonical(name), json.RawMessage(m.Value.Raw())); err != nil {
			return r, err
		}
	}
	return r, nil
}

// canonical knows the names that the HTTP API uses for the same fields.
func canonical(name string) string {
	return cmp.Or(map[string]string{"workspace_name": "workspace", "connector_id": "id"}[name], name)
}

func validPayload(raw []byte) error {
	var v json.RawMessage
	err := json.Unmarshal(raw, &v)
	switch {
	case len(raw) == 0:
		return client.Invalid("the payload is empty").
			Advise(`Give a JSON object, such as {"workspace": "demo", "name": "..."}.`)
	case err != nil:
		where := ": " + err.Error()
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			line, column := rawjson.Position(rawjson.Bytes(raw), max(0, min(int(s.Offset), len(raw))-1))
			where = fmt.Sprintf(" at line %d, column %d: %s", line, column, s.Error())
		}
		return client.Invalid("the payload is not valid JSON%s", where).
			Advise("Correct it; in a shell, put it into single quotes.")
	case raw[0] != '{':
		return client.Invalid("the payload is not a JSON object").
			Advise(`Give a JSON object, such as {"workspace": "demo", "name": "..."}.`)
	}
	return nil
}

// set takes a field of the payload; objects stay as they were written.
func (r *request) set(name string, value json.RawMessage) error {
	into := map[string]any{
		"workspace": &r.Workspace, "name": &r.Name, "id": &r.ID, "connector_type": &r.ConnectorType,
		"entity": &r.Operation.Entity, "action": &r.Operation.Action, "params": &r.Operation.Params,
		"select_fields": &r.Operation.SelectFields, "exclude_fields": &r.Operation.ExcludeFields,
		"credentials": &r.Credentials, "replication_config": &r.ReplicationConfig,
		"skip_truncation": &r.Operation.Truncate,
	}[name]
	kind, wrong := "a text", false
	switch into := into.(type) {
	case nil: // the organization, which the format reads by itself
	case *json.RawMessage:
		kind, wrong = "an object", value[0] != '{' && string(value) != "null"
		if value[0] == '{' {
			*into = value
		}
	case *[]string:
		kind, wrong = "a list of texts", json.Unmarshal(value, into) != nil
	case *bool:
		whole := true
		kind, wrong = "true or false", json.Unmarshal(value, &whole) != nil
		*into = !whole
	default:
		wrong = json.Unmarshal(value, into) != nil
	}
	if wrong {
		return client.Invalid("the payload's field %q must be %s", name, kind)
	}
	return nil
}

type payloadFlags struct {
	json, as             *string
	from, local, baseURL string
	force                bool
}

func (a *app) payloadCommand(c *cobra.Command) {
	a.bindCommand(c)
	f := payloadFlags{json: bindPayload(c), as: choose(c, "as", "json", "the format to write", payload.Names()...)}
	fs := c.Flags()
	fs.StringVar(&f.from, "from", "", "read the call from a `FILE`, or - for stdin")
	fs.StringVar(&f.local, "local", "", "write the call to the third party of this `KIND`")
	fs.StringVar(&f.baseURL, "base-url", "", "the `URL` that a local call goes to")
	fs.BoolVar(&f.force, "force", false, "write the call although the checks say that it will be refused")
	completeFlag(c, "local", a.kindNames)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		parsed, err := a.readCall(ctx, f)
		if err != nil {
			return err
		}
		for _, n := range parsed.Notes {
			a.say("%s", n)
		}
		t := &callText{app: a, payloadFlags: f, parsed: parsed}
		in, err := t.input(ctx)
		if err != nil {
			return err
		}
		format, _ := payload.ByName(*f.as)
		text, err := format.Render(in)
		if err != nil {
			return client.Failf(client.ClassRefused, "the call cannot be written as %s: %v", format.Title, err)
		}
		return a.data(func(w io.Writer) error {
			_, err := fmt.Fprintln(w, strings.TrimRight(text, "\n"))
			return err
		})
	})
}

// readCall reads the call from --json or --from.
func (a *app) readCall(ctx context.Context, f payloadFlags) (p payload.Parsed, err error) {
	switch {
	case f.from != "" && *f.json != "":
		return p, client.Invalid("--json and --from both give a call").Advise("Leave one of them out.")
	case f.from != "":
		text, err := a.readInput(ctx, f.from, "call", "Give --from the name of a file, or - for stdin.")
		if err != nil {
			return p, err
		}
		if p, err = payload.Parse(string(text)); err != nil {
			err = client.Invalid("%s: %v", f.from, err)
		}
		return p, err
	case *f.json == "":
		return p, client.Invalid("payload needs a call").Advise("Give --json PAYLOAD, or --from FILE to read one back.")
	}
	raw, inline, err := a.payloadBytes(ctx, *f.json)
	if err == nil {
		_, err = parseRequest(raw, inline, append(slices.Clone(executeFields), "connector_type", "credentials",
			"replication_config", "organization_id"))
	}
	if err != nil {
		return p, err
	}
	asJSON, _ := payload.ByName("json")
	if p, err = asJSON.Parse(string(raw)); err != nil {
		err = client.Invalid("the payload: %v", err)
	}
	return p, err
}
