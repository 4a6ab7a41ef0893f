// Package history keeps every run in a SQLite database: what was asked of
// whom, how it went, and the answer, without secrets. Nothing is opened before
// it is needed. Several programs may use one file at once; a run is there
// whole or not at all, whatever happens to the program.
package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"patchbay/client/secret"
)

// FileName is the name of the database in the state folder.
const FileName = "history.db"

// MaxBody is how many bytes of a body are kept unless Options say otherwise.
const MaxBody = 8 << 20

// busyTimeout is how long a program waits for another one that writes.
const busyTimeout = 10 * time.Second

// Options say how runs are kept.
type Options struct {
	// Redactor removes secrets from all that is kept; nil redacts by name only.
	Redactor *secret.Redactor
	// MaxBody bounds the bytes that are kept of one body; 0 is MaxBody.
	MaxBody int
	// ReadOnly keeps nothing new.
	ReadOnly bool
}

// Store is the history in one file. It is safe for concurrent use.
type Store struct {
	path string
	o    Options

	mu sync.Mutex
	db *sql.DB
}

// New returns the history in a file, which is opened, and made, at the first use.
func New(path string, o Options) *Store {
	if o.MaxBody <= 0 {
		o.MaxBody = MaxBody
	}
	if o.Redactor == nil {
		o.Redactor = &secret.Redactor{}
	}
	return &Store{path: path, o: o}
}

// ErrNotFound says that there is no run of that number.
var ErrNotFound = errors.New("there is no such run in the history")

// schema makes the tables. Text that is searched stands in words, in small letters.
const schema = `
CREATE TABLE IF NOT EXISTS runs (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	started INTEGER NOT NULL,
	profile TEXT NOT NULL, kind TEXT NOT NULL, workspace TEXT NOT NULL, connector TEXT NOT NULL,
	entity TEXT NOT NULL, action TEXT NOT NULL,
	status INTEGER NOT NULL, class TEXT NOT NULL, message TEXT NOT NULL,
	took INTEGER NOT NULL, server_took INTEGER NOT NULL,
	rows INTEGER NOT NULL, size INTEGER NOT NULL,
	words TEXT NOT NULL,
	target TEXT NOT NULL, operation TEXT NOT NULL, envelope TEXT NOT NULL, attempts TEXT NOT NULL,
	kept TEXT NOT NULL, stored INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_kind ON runs (kind, id);
CREATE TABLE IF NOT EXISTS bodies (
	run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
	body BLOB NOT NULL
);
PRAGMA user_version = 1;
`

const version = 1

// open returns the database, opening it the first time.
func (s *Store) open(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	if err := s.touch(); err != nil {
		return nil, s.failed("open the history", err)
	}
	db, err := sql.Open("sqlite", s.address())
	if err != nil {
		return nil, s.failed("open the history", err)
	}
	db.SetMaxOpenConns(2)
	if err := prepare(ctx, db); err != nil {
		_ = db.Close()
		return nil, s.failed("open the history", err)
	}
	s.db = db
	return db, nil
}

// touch makes the file before SQLite does, so that only its owner can read it.
func (s *Store) touch() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func (s *Store) address() string {
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)",
	}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(s.path), RawQuery: q.Encode()}
	if !filepath.IsAbs(s.path) {
		u = url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(s.path)}).EscapedPath(), RawQuery: q.Encode()}
	}
	return u.String()
}

func prepare(ctx context.Context, db *sql.DB) error {
	var have int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	switch {
	case have == version:
		return nil
	case have > version:
		return fmt.Errorf("a newer version of patchbay wrote it (format %d, this one knows %d)", have, version)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	return tx.Commit()
}

// failed says what to do about an error of the database.
func (s *Store) failed(doing string, err error) error {
	var e *sqlite.Error
	next := ""
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
			next = "; move the file away to begin a new history"
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			next = "; another program is writing to it, try again"
		case sqlite3.SQLITE_FULL:
			next = "; the disk is full"
		}
	}
	return fmt.Errorf("%s in %s: %w%s", doing, s.path, err, next)
}

// Close closes the file, if it was opened.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	err := s.db.Close()
	s.db = nil
	return err
}
