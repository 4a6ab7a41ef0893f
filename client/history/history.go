// Package history keeps every run in a SQLite database: what was asked of
// whom, how it went, and the answer, without secrets. Nothing is opened before
// it is needed. Several programs may use one file at once; a run is there
// whole or not at all, whatever happens to the program.
//
// It may import client, rawjson, records, secret and wirelog; it knows no service and no screen.
package history

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"patchbay/client/secret"
	"patchbay/client/wholefile"
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
	// Tell is told what happened to the file that a person should know; nil tells nobody.
	Tell func(string)
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
	o.MaxBody = cmp.Or(o.MaxBody, MaxBody)
	return &Store{path: path, o: o}
}

// ErrNotFound says that there is no run of that number.
var ErrNotFound = errors.New("there is no such run in the history")

// schema makes the tables.
//
//go:embed schema.sql
var schema string

const version = 1

// open returns the database, opening it the first time.
func (s *Store) open(ctx context.Context) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != nil {
		return s.db, nil
	}
	db, err := s.awaited(ctx)
	if doubtful(err) {
		db, err = s.anew(ctx)
	}
	if err != nil {
		return nil, s.failed("open the history", err)
	}
	s.db = db
	return db, nil
}

// awaited opens the database. Two programs that make a new file at the same time are
// not waited for by SQLite: the change to a write-ahead log is refused at once.
func (s *Store) awaited(ctx context.Context) (*sql.DB, error) {
	db, err := s.opened(ctx)
	for waited := time.Duration(0); busy(err) && waited < busyTimeout && ctx.Err() == nil; waited += busyPause {
		time.Sleep(busyPause)
		db, err = s.opened(ctx)
	}
	return db, err
}

// busyPause is how long an opening waits before it is tried again.
const busyPause = 20 * time.Millisecond

func busy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains([]int{sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}, e.Code()&0xff)
}

func (s *Store) opened(ctx context.Context) (*sql.DB, error) {
	// The file is made before SQLite does, so that only its owner can read it.
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR, wholefile.Private)
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	s.hide()
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	}}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(s.path), RawQuery: q.Encode()}
	if !filepath.IsAbs(s.path) {
		u = url.URL{Scheme: "file", Opaque: (&url.URL{Path: u.Path}).EscapedPath(), RawQuery: u.RawQuery}
	}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(2)
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// companions are what SQLite keeps beside its file, by the ends of their names.
var companions = [...]string{"", "-wal", "-shm"}

// hide takes a file that others can read away from them, an older program or a copy
// may have left it so. Where the system does not allow that, it stays as it is.
func (s *Store) hide() {
	for _, end := range companions {
		if info, err := os.Stat(s.path + end); err == nil && info.Mode().Perm()&0o077 != 0 {
			_ = os.Chmod(s.path+end, wholefile.Private)
		}
	}
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
	next := ""
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff {
		case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
			next = "; it is damaged: the next run begins a new history and keeps this one under another name"
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			next = "; another program is writing to it, try again"
		case sqlite3.SQLITE_FULL:
			next = "; the disk is full"
		case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
			next = "; the disk may be full, or the folder not writable; what is kept there stays"
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

// Delete forgets a run, and returns how many there were: one or none.
func (s *Store) Delete(ctx context.Context, id int64) (int, error) {
	return s.remove(ctx, `DELETE FROM runs WHERE id = ?`, id)
}

func (s *Store) remove(ctx context.Context, statement string, args ...any) (int, error) {
	db, err := s.open(ctx)
	if err != nil {
		return 0, err
	}
	result, err := db.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, s.failed("delete runs", err)
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// Bounds say what Prune leaves. Zero members bound nothing.
type Bounds struct {
	// OlderThan removes runs that started before it.
	OlderThan time.Time
	// Bytes and Runs bound what all bodies take in the file, and the number of
	// runs; the oldest go first.
	Bytes int64
	Runs  int
}

// DefaultBounds are what a program keeps to without being told otherwise.
func DefaultBounds(now time.Time) Bounds {
	return Bounds{OlderThan: now.AddDate(0, 0, -90), Bytes: 512 << 20, Runs: 20_000}
}

// PruneEvery is after how many runs a program looks for old ones.
const PruneEvery = 64

// Prune removes old runs and gives their space back. It returns how many went.
func (s *Store) Prune(ctx context.Context, b Bounds) (int, error) {
	removed, err := s.remove(ctx, `DELETE FROM runs WHERE started < ?
		OR id <= (SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?)
		OR id <= (SELECT max(id) FROM
			(SELECT id, sum(stored) OVER (ORDER BY id DESC) AS total FROM runs) WHERE total > ?)`,
		b.OlderThan.UnixMilli(), cmp.Or(b.Runs, math.MaxInt), cmp.Or(b.Bytes, math.MaxInt64))
	if removed == 0 || err != nil {
		return removed, err
	}
	// Free pages go back to the system, and the log file's too.
	for _, statement := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return removed, s.failed("make the history smaller", err)
		}
	}
	return removed, nil
}
