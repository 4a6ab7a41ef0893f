package wholefile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/history"
	"patchbay/client/profile"
	"patchbay/client/rawjson"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/wholefile"
)

// writer writes something again and again in a folder, and reads it.
type writer struct {
	// write writes the value n, which is one more than the last one; once it returns
	// nil, the value survives anything.
	write func(dir string, n int) error
	// read returns the last value that is there whole; 0 for none. Everything that must
	// still be there beside it is looked at too.
	read func(dir string) (int, error)
}

// padding makes files long enough to be cut.
var padding = strings.Repeat("as long as it takes to be killed within. ", 2000)

var ctx = context.Background()

var writers = map[string]writer{
	"private file": {
		func(dir string, n int) error {
			return wholefile.Write(filepath.Join(dir, "f"), fmt.Appendf(nil, "%d %s.", n, padding))
		},
		func(dir string) (int, error) {
			data, err := os.ReadFile(filepath.Join(dir, "f"))
			before, rest, _ := strings.Cut(string(data), " ")
			if err == nil && rest != padding+"." {
				return 0, fmt.Errorf("it is cut behind %d bytes", len(data))
			}
			return number(before, err)
		},
	},
	"secrets": {
		func(dir string, n int) error {
			f := secret.File{Path: filepath.Join(dir, "secrets.json")}
			_, err := f.Set(ctx, "last", secret.New(strconv.Itoa(n)))
			return err
		},
		func(dir string) (int, error) {
			f := secret.File{Path: filepath.Join(dir, "secrets.json")}
			found, err := f.Get(ctx, "last")
			if errors.Is(err, secret.ErrNotFound) {
				return 0, nil
			}
			return number(found.Value.Reveal(), err)
		},
	},
	"settings": {
		func(dir string, n int) error {
			s := profile.Settings{Path: filepath.Join(dir, "settings.yaml")}
			return s.Change(func(now *profile.Settings) error {
				now.Put(profile.Profile{Name: "p" + strconv.Itoa(n%20), BaseURL: "https://x.example"})
				now.Put(profile.Profile{Name: "last", BaseURL: "https://x.example", OrganizationID: strconv.Itoa(n)})
				return nil
			})
		},
		func(dir string) (int, error) {
			s, err := profile.Load(filepath.Join(dir, "settings.yaml"))
			p, _ := s.Profile("last")
			return number(p.OrganizationID, err)
		},
	},
	"state": {
		func(dir string, n int) error {
			f, s, err := profile.OpenState(filepath.Join(dir, "ui.json"))
			if err != nil {
				return err
			}
			s.TreeWidth, s.Queries = n, []string{padding}
			return f.Save(s)
		},
		func(dir string) (int, error) {
			_, s, err := profile.OpenState(filepath.Join(dir, "ui.json"))
			return s.TreeWidth, err
		},
	},
	"connectors": {
		func(dir string, n int) error {
			list := []client.Connector{{ID: "last", Kind: "k", Name: strconv.Itoa(n)}}
			return profile.KeepSeen(filepath.Join(dir, "connectors.json"), "https://x.example", list)
		},
		func(dir string) (int, error) {
			seen := profile.LoadSeen(filepath.Join(dir, "connectors.json"))
			return number(seen["https://x.example"]["last"].Name, nil)
		},
	},
	"saved call": {
		func(dir string, n int) error {
			_, err := saved.Save(dir, &saved.Call{Name: "one", Entity: "e", Action: strconv.Itoa(n),
				Params: fmt.Appendf(nil, `{"text":%q}`, padding[:5000])}, true)
			return err
		},
		func(dir string) (int, error) {
			c, err := saved.Read(filepath.Join(dir, "one.yaml"))
			if err != nil {
				return number("", err)
			}
			return number(c.Action, nil)
		},
	},
	"trusted files": {
		func(dir string, n int) error { return trust(dir).Add(looked(n)) },
		func(dir string) (last int, err error) {
			if _, err := os.Stat(trust(dir).Path); err != nil {
				return number("", err)
			}
			for trust(dir).Has(looked(last + 1)) {
				last++
			}
			if last == 0 {
				return 0, errors.New("nothing in it is trusted")
			}
			return last, nil
		},
	},
	"export": {
		func(dir string, n int) error {
			return export.ToFile(filepath.Join(dir, "records.json"), func(w io.Writer) error {
				return json.NewEncoder(w).Encode([]string{strconv.Itoa(n), padding})
			})
		},
		func(dir string) (int, error) {
			data, err := os.ReadFile(filepath.Join(dir, "records.json"))
			if err != nil {
				return number("", err)
			}
			var list []string
			if err := json.Unmarshal(data, &list); err != nil {
				return 0, err
			}
			return number(list[0], nil)
		},
	},
	"pages":    {writePage, readPages},
	"download": {writePiece, readPieces},
	"history":  {writeRun, readRuns},
}

// number reads what a writer wrote; nothing, and no file, is 0.
func number(text string, err error) (int, error) {
	if errors.Is(err, os.ErrNotExist) || err == nil && text == "" {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

func trust(dir string) saved.Trust {
	return saved.Trust{Path: filepath.Join(dir, "trust.json"), Now: time.Now}
}

// looked is the file of a call that somebody looked at.
func looked(n int) *saved.Call {
	return &saved.Call{Path: fmt.Sprintf("/calls/%d.yaml", n), Content: []byte(padding[:n])}
}

// Exports and downloads take their names after so many pages and pieces.
const (
	pagesOfFile  = 10
	rowsOfPage   = 10
	piecesOfFile = 16
	pieceSize    = 5000
)

// writePage goes on with an export of pages, or begins it, and makes one page certain.
func writePage(dir string, n int) error {
	r, err := export.Resume(filepath.Join(dir, "pages.ndjson"), export.NDJSON, "call")
	if err == nil {
		err = r.Begin(export.Options{})
	}
	for i := 0; err == nil && i < rowsOfPage; i++ {
		err = r.Record(rawjson.Parse(fmt.Appendf(nil, `{"n":"%d","text":%q}`, n, padding[:1000])), client.Neutral)
	}
	switch {
	case err != nil:
		return err
	case n%pagesOfFile == 0:
		return r.Finish()
	}
	return errors.Join(r.Save(json.RawMessage(`"next"`)), r.Leave())
}

// readPages counts the pages that are certain, and looks whether each row of them is there.
func readPages(dir string) (int, error) {
	path := filepath.Join(dir, "pages.ndjson")
	data, err := os.ReadFile(path)
	last, err := rowsOf(data, err)
	if err == nil && last%pagesOfFile != 0 {
		return 0, fmt.Errorf("the file took its name with %d pages", last)
	}
	cp, lookErr := export.Look(path, export.NDJSON, "call")
	if err = errors.Join(err, lookErr); err != nil || cp == nil {
		return last, err
	}
	data, err = os.ReadFile(export.Part(path))
	if err == nil && int64(len(data)) < cp.Bytes {
		err = fmt.Errorf("the unfinished file has %d bytes, not %d", len(data), cp.Bytes)
	}
	if err != nil {
		return 0, err
	}
	return rowsOf(data[:cp.Bytes], nil)
}

// rowsOf is the last page of some rows, all of which must be there.
func rowsOf(data []byte, err error) (int, error) {
	if len(data) == 0 {
		return number("", err)
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	n, first := 0, -1
	for i, line := range lines {
		v, _ := rawjson.Parse(line).Get("n")
		if n, err = strconv.Atoi(v.Text()); err != nil || !json.Valid(line) {
			return 0, fmt.Errorf("line %d is %.40q", i, line)
		}
		if first < 0 {
			first = n
		}
		if n != first+i/rowsOfPage {
			return 0, fmt.Errorf("line %d is of page %d, the first of %d", i, n, first)
		}
	}
	if len(lines)%rowsOfPage != 0 {
		return 0, fmt.Errorf("there are %d lines", len(lines))
	}
	return n, nil
}

// piece is the content of a file that is downloaded, up to the end of a piece.
func piece(file, to int) string {
	head := fmt.Sprintf("%d %s", file, padding)
	return head[:to*pieceSize]
}

// writePiece goes on with a download, or begins it, and makes one piece certain.
func writePiece(dir string, n int) error {
	file, to := (n-1)/piecesOfFile, (n-1)%piecesOfFile+1
	p, head, err := export.OpenPartial(filepath.Join(dir, "file"), "call")
	if err == nil && head.Total == 0 {
		err = p.Keep(client.FileHead{Total: piecesOfFile * pieceSize, ETag: strconv.Itoa(file)})
	}
	if err == nil {
		_, err = io.WriteString(p, piece(file, to)[min(p.Size(), int64(to*pieceSize)):])
	}
	switch {
	case err != nil:
		return err
	case to == piecesOfFile:
		return p.Finish()
	}
	return p.Stop()
}

// readPieces counts the pieces that are there.
func readPieces(dir string) (int, error) {
	path := filepath.Join(dir, "file")
	data, err := os.ReadFile(path)
	last := 0
	if err == nil {
		before, _, _ := strings.Cut(string(data), " ")
		file, _ := strconv.Atoi(before)
		if last = (file + 1) * piecesOfFile; string(data) != piece(file, piecesOfFile) {
			return 0, fmt.Errorf("file %d has %d bytes and is not as it was sent", file, len(data))
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	data, err = os.ReadFile(export.Part(path))
	if errors.Is(err, os.ErrNotExist) {
		return last, nil
	}
	if err == nil && !strings.HasPrefix(piece(last/piecesOfFile, piecesOfFile), string(data)) {
		err = errors.New("the unfinished file is not as it was sent")
	}
	if err != nil {
		return 0, err
	}
	return last + min(len(data)/pieceSize, piecesOfFile-1), nil // the last one gives it its name
}

var openRuns = map[string]*history.Store{}

// runs is the history of a folder, one for the whole program.
func runs(dir string) *history.Store {
	if openRuns[dir] == nil {
		openRuns[dir] = history.New(filepath.Join(dir, history.FileName), history.Options{})
	}
	return openRuns[dir]
}

func writeRun(dir string, n int) error {
	env := &client.Envelope{Status: 200, Body: client.Bytes(`{"data":["` + padding + `"]}`)}
	_, err := runs(dir).Add(ctx, history.Run{Env: env, Op: client.Operation{Entity: "e", Action: strconv.Itoa(n)}})
	return err
}

// readRuns looks whether every run is there, and whether the newest are whole. The file
// is closed again, so that the next program finds it as the killed one left it.
func readRuns(dir string) (int, error) {
	if _, err := os.Stat(filepath.Join(dir, history.FileName)); err != nil {
		return number("", err)
	}
	s := history.New(filepath.Join(dir, history.FileName), history.Options{})
	defer s.Close()
	list, err := s.Find(ctx, history.Query{Limit: 1 << 20})
	for i, e := range list {
		if e.Op.Action != strconv.Itoa(len(list)-i) {
			return 0, fmt.Errorf("of %d runs the one before the last %d is %s", len(list), i, e.Op.Action)
		}
		if i < 3 {
			_, env, err := s.Get(ctx, e.ID)
			if err == nil && env.Body.Len() < len(padding) {
				err = fmt.Errorf("the body of run %d is not whole", e.ID)
			}
			if err != nil {
				return 0, err
			}
		}
	}
	return len(list), err
}
