package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patchbay/client"
)

// Entry is a kept run.
type Entry struct {
	ID      int64
	Started time.Time
	Target  client.Target
	Op      client.Operation
	// Status is the HTTP status, 0 when no answer came. Class and Message say how
	// the run failed; both are empty when it did not. Message is untrusted.
	Status           int
	Class            client.Class
	Message          string
	Took, ServerTime time.Duration
	Rows             int
	// Size is that of the body as received; Stored what it takes in the file.
	Size, Stored int64
	Kept         Kept
	// By is the program that made the call through this one; empty where a person did. It
	// is untrusted.
	By string
	// Attempts are there on entries that Get returns, not on those of Find.
	Attempts []client.Attempt
}

// asked is of whom a run was asked, and by which program.
type asked struct {
	client.Target
	By string `json:"by,omitempty"`
}

// OK reports whether the run went well.
func (e *Entry) OK() bool { return e.Class == "" }

// Query picks runs. The zero Query picks all.
type Query struct {
	// Words must all occur in what was asked, of whom, or in the message, in any order.
	Text string
	// Kind and Entity must be equal where given.
	Kind, Entity string
	// Status is "ok", "failed", an HTTP status ("404"), a family ("5xx") or an
	// error class ("rate_limited").
	Status string
	// Limit is how many entries come at most; 0 is 100.
	Limit int
}

// Find returns the runs that a query picks, newest first, without attempts and bodies.
func (s *Store) Find(ctx context.Context, q Query) ([]Entry, error) {
	where, args, err := q.where()
	if err != nil {
		return nil, err
	}
	db, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, `SELECT `+columns+` FROM runs`+where+` ORDER BY id DESC LIMIT ?`,
		append(args, cmp.Or(max(q.Limit, 0), 100))...)
	if err != nil {
		return nil, s.failed("search the history", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Entry
	for rows.Next() {
		e, err := scan(rows)
		if err != nil {
			return nil, s.failed("search the history", err)
		}
		out = append(out, *e)
	}
	if err := rows.Err(); err != nil {
		return nil, s.failed("search the history", err)
	}
	return out, nil
}

const columns = `id, started, status, class, message, took, server_took, rows, size, stored, kept, target, operation`

func scan(from interface{ Scan(...any) error }, more ...any) (*Entry, error) {
	e := &Entry{}
	var started, took, server int64
	var target, operation string
	into := append([]any{&e.ID, &started, &e.Status, (*string)(&e.Class), &e.Message, &took, &server, &e.Rows,
		&e.Size, &e.Stored, (*string)(&e.Kept), &target, &operation}, more...)
	if err := from.Scan(into...); err != nil {
		return nil, err
	}
	e.Started, e.Took, e.ServerTime = time.UnixMilli(started), time.Duration(took), time.Duration(server)
	var of asked
	if err := json.Unmarshal([]byte(target), &of); err != nil {
		return nil, err
	}
	e.Target, e.By = of.Target, of.By
	return e, json.Unmarshal([]byte(operation), &e.Op)
}

func (q *Query) where() (string, []any, error) {
	var parts []string
	var args []any
	add := func(sql string, arg any) {
		parts = append(parts, sql)
		args = append(args, arg)
	}
	for word := range strings.FieldsSeq(strings.ToLower(q.Text)) {
		add(`words LIKE ? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(word)+"%")
	}
	if q.Kind != "" {
		add("kind = ?", q.Kind)
	}
	if q.Entity != "" {
		add("entity = ?", q.Entity)
	}
	switch s := q.Status; {
	case s == "":
	case s == "ok":
		add("class = ?", "")
	case s == "failed":
		add("class <> ?", "")
	case len(s) == 3 && s[0] >= '1' && s[0] <= '5' && s[1:] == "xx":
		add("status / 100 = ?", int(s[0]-'0'))
	case len(s) == 3 && strings.Trim(s, "0123456789") == "":
		add("status = CAST(? AS INTEGER)", s)
	case slices.Contains(classes, client.Class(s)):
		add("class = ?", s)
	default:
		return "", nil, fmt.Errorf("no status is called %q; use ok, failed, a code such as 404, a family "+
			"such as 5xx, or an error class such as rate_limited", s)
	}
	if len(parts) == 0 {
		return "", nil, nil
	}
	return " WHERE " + strings.Join(parts, " AND "), args, nil
}

// classes are what the status of a query may name.
var classes = []client.Class{client.ClassAuth, client.ClassScope, client.ClassNotFound, client.ClassInvalid,
	client.ClassRefused, client.ClassRateLimited, client.ClassUpstream, client.ClassNetwork, client.ClassTLS,
	client.ClassTimeout, client.ClassCanceled, client.ClassBadResponse, client.ClassConfig, client.ClassOther}

// Get returns a run with its attempts and its answer as it was kept: without a
// body where that was not kept, and with its start only where Kept says so. The
// answer is nil when none came. The error wraps ErrNotFound when there is no such run.
func (s *Store) Get(ctx context.Context, id int64) (*Entry, *client.Envelope, error) {
	db, err := s.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	var attempts, stored string
	var packed []byte
	const from = ` FROM runs LEFT JOIN bodies ON bodies.run = runs.id WHERE id = ?`
	row := db.QueryRowContext(ctx, `SELECT `+columns+`, attempts, envelope, body`+from, id)
	e, err := scan(row, &attempts, &stored, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, fmt.Errorf("run %d: %w", id, ErrNotFound)
	}
	if err == nil {
		err = json.Unmarshal([]byte(attempts), &e.Attempts)
	}
	if err == nil && e.Kept == KeptNone && e.Status == 0 {
		return e, nil, nil
	}
	var env envelope
	if err == nil {
		err = json.Unmarshal([]byte(stored), &env)
	}
	var body []byte
	if err == nil && len(packed) > 0 {
		body, err = decoder().DecodeAll(packed, nil)
	}
	if err != nil {
		return nil, nil, s.failed(fmt.Sprintf("read run %d", id), err)
	}
	return e, env.restore(e, body), nil
}
