package history

import (
	"context"
	"strings"
	"time"
)

// Delete forgets runs and returns how many there were.
func (s *Store) Delete(ctx context.Context, ids ...int64) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	return s.remove(ctx, `DELETE FROM runs WHERE id IN (?`+strings.Repeat(",?", len(ids)-1)+`)`, args...)
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
	removed := 0
	step := func(statement string, arg any) error {
		n, err := s.remove(ctx, statement, arg)
		removed += n
		return err
	}
	if !b.OlderThan.IsZero() {
		if err := step(`DELETE FROM runs WHERE started < ?`, b.OlderThan.UnixMilli()); err != nil {
			return removed, err
		}
	}
	if b.Runs > 0 {
		if err := step(`DELETE FROM runs WHERE id <= (SELECT id FROM runs ORDER BY id DESC LIMIT 1 OFFSET ?)`, b.Runs); err != nil {
			return removed, err
		}
	}
	if b.Bytes > 0 {
		if err := step(`DELETE FROM runs WHERE id <= (SELECT max(id) FROM
			(SELECT id, sum(stored) OVER (ORDER BY id DESC) AS total FROM runs) WHERE total > ?)`, b.Bytes); err != nil {
			return removed, err
		}
	}
	if removed == 0 {
		return 0, nil
	}
	return removed, s.compact(ctx)
}

// compact gives free pages back to the system, and the log file's too.
func (s *Store) compact(ctx context.Context) error {
	db, err := s.open(ctx)
	if err != nil {
		return err
	}
	for _, statement := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return s.failed("make the history smaller", err)
		}
	}
	return nil
}

// Usage is how much the history holds.
type Usage struct {
	Runs int
	// Bytes is what all bodies take in the file.
	Bytes          int64
	Oldest, Newest time.Time
}

// Usage tells how much the history holds.
func (s *Store) Usage(ctx context.Context) (Usage, error) {
	db, err := s.open(ctx)
	if err != nil {
		return Usage{}, err
	}
	var u Usage
	var oldest, newest int64
	err = db.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(stored),0), coalesce(min(started),0), coalesce(max(started),0) FROM runs`).
		Scan(&u.Runs, &u.Bytes, &oldest, &newest)
	if err != nil {
		return Usage{}, s.failed("look at the history", err)
	}
	if u.Runs > 0 {
		u.Oldest, u.Newest = millis(oldest), millis(newest)
	}
	return u, nil
}
