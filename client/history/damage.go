package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"patchbay/client/wholefile"
)

// damaged reports whether an error says that the file is no sound database.
func damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return errors.Is(err, errUnsound) ||
		ok && slices.Contains([]int{sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}, e.Code()&0xff)
}

// doubtful reports whether an error says that the file is damaged, or that it is not
// where it was, as while another program keeps a damaged one under another name. Then
// it is opened anew once nobody moves it.
func doubtful(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return damaged(err) || ok && (e.Code() == sqlite3.SQLITE_READONLY_DBMOVED ||
		slices.Contains([]int{sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}, e.Code()&0xff))
}

// anew keeps a damaged file under another name and begins a new one, unless another
// program did so already.
func (s *Store) anew(ctx context.Context) (db *sql.DB, err error) {
	held := wholefile.Change(s.path, func() error {
		if db, err = s.awaited(ctx); err == nil {
			err = sound(ctx, db)
			if err == nil {
				return nil
			}
			err = errors.Join(err, db.Close())
		}
		if !damaged(err) {
			return nil
		}
		var aside string
		if aside, err = wholefile.Aside(s.path, companions[1:]...); err == nil {
			db, err = s.awaited(ctx)
		}
		if err == nil && s.o.Tell != nil {
			s.o.Tell(fmt.Sprintf("The history was damaged: it is kept as %s, and a new one was begun", aside))
		}
		return nil
	})
	return db, errors.Join(held, err)
}

// sound looks through the whole file.
func sound(ctx context.Context, db *sql.DB) error {
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil || verdict == "ok" {
		return err
	}
	return errUnsound
}

// errUnsound is what damaged sees where SQLite tells of damage without an error.
var errUnsound = errors.New("the database is malformed")

// replaced begins a new file in place of one that turned out to be damaged.
func (s *Store) replaced(ctx context.Context, broken *sql.DB) (*sql.DB, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db != broken && s.db != nil { // another run found it out before
		return s.db, nil
	}
	s.db = nil
	if err := broken.Close(); err != nil {
		return nil, err
	}
	db, err := s.anew(ctx)
	if err == nil {
		s.db = db
	}
	return db, err
}
