package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/records"
	"patchbay/client/secret"
	"patchbay/client/wirelog"
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
	// By is the program that made the call through this one, as it calls itself; empty
	// where a person did.
	By string
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
	row, err := s.row(r)
	if err != nil {
		return 0, s.failed("keep the run", err)
	}
	db, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	id, err := row.insert(ctx, db)
	if doubtful(err) {
		if db, err = s.replaced(ctx, db); err == nil {
			id, err = row.insert(ctx, db)
		}
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

func (r *row) insert(ctx context.Context, db *sql.DB) (id int64, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }()
	result, err := tx.ExecContext(ctx, `INSERT INTO runs
		(started, profile, kind, workspace, connector, entity, action, status, class, message, took,
		 server_took, rows, size, words, target, operation, envelope, attempts, kept, stored)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		r.Started.UnixMilli(), r.Target.Profile, r.Target.Kind, r.Target.Workspace, r.Target.Name, r.Op.Entity,
		r.Op.Action, r.Status, string(r.Class), r.Message, int64(r.Took), int64(r.ServerTime), r.Rows, r.Size,
		r.words, r.target, r.operation, r.envelope, r.attempts, string(r.Kept), len(r.packed))
	if err == nil {
		id, err = result.LastInsertId()
	}
	if err == nil && len(r.packed) > 0 {
		_, err = tx.ExecContext(ctx, `INSERT INTO bodies (run, body) VALUES (?, ?)`, id, r.packed)
	}
	if err == nil {
		err = tx.Commit()
	}
	return id, err
}

// row takes the secrets out of a run and packs it.
func (s *Store) row(r Run) (*row, error) {
	out := &row{Entry: Entry{Target: r.Target, Op: r.Op, Started: r.Started, Rows: r.Rows, Kept: KeptNone,
		By: s.o.Redactor.Text(r.By)}}
	out.Target.BaseURL = s.o.Redactor.URL(r.Target.BaseURL)
	out.Op.NextURL = s.o.Redactor.URL(r.Op.NextURL)
	for _, t := range []*string{&out.Target.Profile, &out.Target.Workspace, &out.Target.ConnectorID, &out.Target.Name,
		&out.Op.Entity, &out.Op.Action} {
		*t = s.o.Redactor.Text(*t)
	}
	for _, paths := range []*[]string{&out.Op.SelectFields, &out.Op.ExcludeFields} {
		*paths = slices.Clone(*paths)
		for i, path := range *paths {
			(*paths)[i] = s.o.Redactor.Text(path)
		}
	}
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
	out.Status = cmp.Or(out.Status, env.Status)
	out.Took, out.ServerTime = env.Took, env.ServerTime
	if len(out.Attempts) == 0 {
		out.Attempts = env.Attempts
	}
	stored := envelopeOf(env, s.o.Redactor)
	if env.Body == nil {
		return stored
	}
	out.Size = int64(env.Body.Len())
	if r.Rows == 0 && r.Err == nil {
		out.Rows = records.IndexEnvelope(env).Len()
	}
	if r.NoBody {
		out.Kept = KeptNot
		return stored
	}
	out.Kept = KeptWhole
	n := env.Body.Len()
	if n > s.o.MaxBody {
		out.Kept, n = KeptStart, s.o.MaxBody
	}
	body := wirelog.CleanBody(env, n, s.o.Redactor)
	stored.Same = string(body) == string(env.Body.Slice(0, n))
	if len(body) > 0 {
		out.packed = encoder().EncodeAll(body, nil)
	}
	return stored
}

func (r *row) encode(s *Store, stored envelope) error {
	// Attempts are redacted once more: they were before, but what is kept for months
	// is worth a second look.
	shown := make([]client.Attempt, len(r.Attempts))
	for i := range r.Attempts {
		shown[i] = *wirelog.Clean(&r.Attempts[i], s.o.Redactor)
		if !utf8.Valid(shown[i].RequestBody) {
			shown[i].RequestBody = []byte(strings.ToValidUTF8(string(shown[i].RequestBody), "\uFFFD"))
		}
	}
	for _, part := range []struct {
		into *string
		from any
	}{{&r.target, asked{r.Target, r.By}}, {&r.operation, r.Op}, {&r.envelope, stored}, {&r.attempts, shown}} {
		text, err := json.Marshal(part.from)
		if err != nil {
			return err
		}
		*part.into = string(text)
	}
	words := []string{r.Target.Profile, r.Target.Kind, r.Target.Workspace, r.Target.Name, r.Target.ConnectorID,
		r.Op.Entity, r.Op.Action, string(r.Op.Params), string(r.Class), r.Message, r.By}
	r.words = strings.ToLower(strings.ToValidUTF8(strings.Join(words, "\n"), "\uFFFD"))
	return nil
}

// coders are made at the first use; they take memory and time.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic("zstd refuses fixed options: " + err.Error())
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			panic("zstd refuses fixed options: " + err.Error())
		}
		return d
	})
)

// envelope is what is kept of an answer beside its body.
type envelope struct {
	client.Envelope
	HasRecords bool `json:"has_records,omitempty"`
	// Same tells that the body is kept as received, so that the places in it hold.
	Same bool `json:"same,omitempty"`
}

func envelopeOf(env *client.Envelope, r *secret.Redactor) envelope {
	out := envelope{Envelope: *env, HasRecords: !env.Records.Empty()}
	client.Hide(&out.Envelope, nil, r.Text)
	out.NextURL = r.URL(env.NextURL)
	out.MetaJSON = nil
	if len(env.MetaJSON) > 0 && rawjson.Valid(env.MetaJSON) {
		out.MetaJSON = r.Body("application/json", env.MetaJSON)
	}
	if env.Paging == nil {
		return out
	}
	paging := *env.Paging
	if v := rawjson.Parse(paging.Next); v.Kind() == rawjson.String {
		paging.Next = rawjson.AppendQuoted(nil, r.Text(v.Text()))
	} else if !rawjson.Valid(paging.Next) {
		paging.Next = nil
	}
	out.Paging = &paging
	return out
}

// restore makes an answer of what was kept.
func (e *envelope) restore(entry *Entry, body []byte) *client.Envelope {
	env := e.Envelope
	env.Started, env.Took, env.ServerTime, env.Attempts = entry.Started, entry.Took, entry.ServerTime, entry.Attempts
	env.Records, env.Meta, env.Kept = client.Span{}, client.Span{}, nil
	if entry.Kept == KeptNot || entry.Kept == KeptNone {
		return &env
	}
	env.Body = client.Bytes(body)
	if e.Same {
		env.Records, env.Meta = clip(e.Records, len(body)), clip(e.Meta, len(body))
		env.Kept = slices.DeleteFunc(slices.Clone(e.Kept), func(s client.Span) bool { return s.To > len(body) })
		return &env
	}
	if e.HasRecords {
		env.Records = spanAt(body, e.RecordsPath)
	}
	if !e.Meta.Empty() {
		env.Meta = spanAt(body, e.MetaPath)
	}
	return &env
}

func clip(s client.Span, n int) client.Span {
	s.From, s.To = min(s.From, n), min(s.To, n)
	if s.Empty() {
		return client.Span{}
	}
	return s
}

// spanAt finds a value again in a body in which secrets were replaced.
func spanAt(body []byte, dotted string) client.Span {
	path, err := rawjson.ParsePath(dotted)
	if err != nil {
		return client.Span{}
	}
	v, ok := rawjson.Parse(body).Lookup(path)
	if !ok {
		return client.Span{}
	}
	from, to := v.Span()
	return client.Span{From: from, To: to}
}
