package pull

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/jq"
	"patchbay/client/rawjson"
	"patchbay/client/records"
)

// CallID tells calls apart without telling what they hold. A hosted connector
// is the same under every profile that reaches it at the same service; a local
// one has the credentials of its profile.
func CallID(service string, t client.Target, op client.Operation) string {
	where := []string{"hosted", service, t.ConnectorID}
	switch {
	case t.Local:
		where = []string{"local", t.Profile, t.Kind, strings.ToLower(t.Name), t.BaseURL}
	case t.ConnectorID == "":
		where = append(where, t.Workspace, t.Name)
	}
	text, err := json.Marshal([]any{where, op.Entity, op.Action, sorted(op.Params), slice(op.SelectFields), slice(op.ExcludeFields), op.NextURL})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// slice makes nil and empty the same.
func slice(s []string) []string { return append([]string{}, s...) }

// sorted are params without the order of their keys and the space between them,
// numbers as they are written. Params that are no object stay as they are.
func sorted(params json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(params))
	d.UseNumber()
	var out map[string]any
	if err := d.Decode(&out); err != nil && len(bytes.TrimSpace(params)) > 0 {
		return string(params)
	}
	if out == nil {
		out = map[string]any{}
	}
	return out
}

// cellTime bounds how long a computed cell may take: a program can loop for ever.
const cellTime = time.Second

// columnsOf are the columns that a checkpoint names; nil where records are whole.
func columnsOf(cp export.Checkpoint, known []records.Column) ([]records.Column, error) {
	var out []records.Column
	for _, name := range cp.Columns {
		c, err := columnOf(name, cp.Programs[name], known)
		if err != nil {
			return nil, &export.Conflict{Why: fmt.Sprintf("column %q of the unfinished file cannot be made: %v", name, err)}
		}
		c.Name = name
		out = append(out, c)
	}
	return out, nil
}

func columnOf(name, program string, known []records.Column) (records.Column, error) {
	if program == "" {
		return records.Named(name, known)
	}
	code, err := jq.Compile(program)
	return records.Column{Program: program, Derive: func(record rawjson.Node) rawjson.Node {
		ctx, cancel := context.WithTimeout(context.Background(), cellTime)
		defer cancel()
		b, err := code.First(ctx, record)
		if err != nil || b == nil {
			return rawjson.Node{}
		}
		return rawjson.Parse(b)
	}}, err
}
