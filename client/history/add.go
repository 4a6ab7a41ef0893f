package history

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/records"
)

// Run is what is kept of one operation.
type Run struct {
	Target client.Target
	Op     client.Operation
	// Env is the answer; nil when none came. Err is how the run failed; nil when it did not.
	Env *client.Envelope
	Err error
	// Started is used when there is no answer that tells.
	Started time.Time
	// Rows is the number of records; when it is 0 and an answer is there, they are counted.
	Rows int
	// NoBody keeps all but the body.
	NoBody bool
}

// Kept says what became of a body.
type Kept string

// What becomes of bodies.
const (
	KeptWhole Kept = "whole"
	// KeptStart: the body is longer than what is kept.
	KeptStart Kept = "start"
	// KeptNot: bodies are not kept for this profile.
	KeptNot Kept = "not"
	// KeptNone: there was no body.
	KeptNone Kept = "none"
)

// Add keeps a run and returns its number. When it returns nil, the run
// survives the end of the program, however that comes.
func (s *Store) Add(ctx context.Context, r Run) (int64, error) {
	if s.o.ReadOnly {
		return 0, nil
	}
	row, err := s.row(r)
	if err != nil {
		return 0, s.failed("keep the run", err)
	}
	db, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, s.failed("keep the run", err)
	}
	defer func() { _ = tx.Rollback() }()
	result, err := tx.ExecContext(ctx, `INSERT INTO runs
		(started, profile, kind, workspace, connector, entity, action, status, class, message, took, server_took, rows, size, words,
		 target, operation, envelope, attempts, kept, stored)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`, row.values()...)
	if err != nil {
		return 0, s.failed("keep the run", err)
	}
	id, err := result.LastInsertId()
	if err == nil && len(row.packed) > 0 {
		_, err = tx.ExecContext(ctx, `INSERT INTO bodies (run, body) VALUES (?, ?)`, id, row.packed)
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		return 0, s.failed("keep the run", err)
	}
	return id, nil
}

// row is a run as it stands in the database.
type row struct {
	Entry
	words                                 string
	target, operation, envelope, attempts string
	packed                                []byte
}

func (r *row) values() []any {
	return []any{r.Started.UnixMilli(), r.Target.Profile, r.Target.Kind, r.Target.Workspace, r.Target.Name, r.Op.Entity, r.Op.Action,
		r.Status, string(r.Class), r.Message, int64(r.Took), int64(r.ServerTime), r.Rows, r.Size, r.words,
		r.target, r.operation, r.envelope, r.attempts, string(r.Kept), len(r.packed)}
}

// row takes the secrets out of a run and packs it.
func (s *Store) row(r Run) (*row, error) {
	out := &row{Entry: Entry{Target: r.Target, Op: r.Op, Started: r.Started, Rows: r.Rows, Kept: KeptNone}}
	out.Target.BaseURL = s.o.Redactor.URL(r.Target.BaseURL)
	out.Op.NextURL = s.o.Redactor.URL(r.Op.NextURL)
	if len(r.Op.Params) > 0 {
		out.Op.Params = s.o.Redactor.Body("application/json", r.Op.Params)
	}
	env := r.Env
	if r.Err != nil {
		e := client.AsError(r.Err)
		out.Class, out.Status = e.Class, e.Status
		out.Message = s.o.Redactor.Text(e.Error())
		out.Attempts = e.Attempts
		if env == nil {
			env = e.Envelope
		}
	}
	var stored envelope
	if env != nil {
		stored = s.take(out, env, r)
	}
	return out, out.encode(s, stored)
}

// take fills in what the answer tells.
func (s *Store) take(out *row, env *client.Envelope, r Run) envelope {
	if !env.Started.IsZero() {
		out.Started = env.Started
	}
	if out.Status == 0 {
		out.Status = env.Status
	}
	out.Took, out.ServerTime = env.Took, env.ServerTime
	if len(out.Attempts) == 0 {
		out.Attempts = env.Attempts
	}
	if env.Body == nil {
		return envelopeOf(env, s.o.Redactor)
	}
	out.Size = int64(env.Body.Len())
	if r.Rows == 0 && r.Err == nil {
		out.Rows = records.IndexEnvelope(env).Len()
	}
	stored := envelopeOf(env, s.o.Redactor)
	if r.NoBody {
		out.Kept = KeptNot
		return stored
	}
	out.Kept = KeptWhole
	n := env.Body.Len()
	if n > s.o.MaxBody {
		out.Kept, n = KeptStart, s.o.MaxBody
	}
	received := env.Body.Slice(0, n)
	body := s.o.Redactor.Body(env.ContentType, received)
	stored.Same = string(body) == string(received)
	out.packed = pack(body)
	return stored
}

func (r *row) encode(s *Store, stored envelope) error {
	for _, part := range []struct {
		into *string
		from any
	}{{&r.target, r.Target}, {&r.operation, r.Op}, {&r.envelope, stored}, {&r.attempts, s.shown(r.Attempts)}} {
		text, err := json.Marshal(part.from)
		if err != nil {
			return err
		}
		*part.into = string(text)
	}
	words := []string{r.Target.Profile, r.Target.Kind, r.Target.Workspace, r.Target.Name, r.Target.ConnectorID, r.Op.Entity, r.Op.Action,
		string(r.Op.Params), string(r.Class), r.Message}
	r.words = strings.ToLower(strings.ToValidUTF8(strings.Join(words, "\n"), "\uFFFD"))
	return nil
}

// shown redacts attempts once more: they were before, but what is kept for
// months is worth a second look.
func (s *Store) shown(list []client.Attempt) []client.Attempt {
	out := make([]client.Attempt, len(list))
	for i, a := range list {
		a.URL = s.o.Redactor.URL(a.URL)
		a.RequestHeaders = s.headers(a.RequestHeaders)
		a.ResponseHeaders = s.headers(a.ResponseHeaders)
		a.RequestBody = s.o.Redactor.Body(contentType(a.RequestHeaders), a.RequestBody)
		a.Error, a.Reason = s.o.Redactor.Text(a.Error), s.o.Redactor.Text(a.Reason)
		if !utf8.Valid(a.RequestBody) {
			a.RequestBody = []byte(strings.ToValidUTF8(string(a.RequestBody), "\uFFFD"))
		}
		out[i] = a
	}
	return out
}

func (s *Store) headers(list []client.Header) []client.Header {
	out := make([]client.Header, len(list))
	for i, h := range list {
		out[i] = client.Header{Name: h.Name, Value: s.o.Redactor.Header(h.Name, h.Value)}
	}
	return out
}

func contentType(headers []client.Header) string {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Content-Type") {
			return h.Value
		}
	}
	return ""
}
