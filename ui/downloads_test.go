package ui

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"patchbay/client/sandbox"
)

// sends is a service that answers a download with a body of that many bytes in all,
// and with the rest where that is asked for.
func sends(contentType, name, body string, cut int) Session {
	return replies(func(_ int, r *http.Request) (*http.Response, error) {
		asked, _ := io.ReadAll(r.Body)
		header := []string{"Content-Disposition", `attachment; filename="` + name + `"`, "ETag", `"a"`, "Accept-Ranges", "bytes"}
		if from := cut; from > 0 && bytes.Contains(asked, fmt.Appendf(nil, "bytes=%d-", from)) {
			header = append(header, "Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(body)-1, len(body)))
			return reply(r, http.StatusPartialContent, contentType, body[from:], header...), nil
		}
		resp := reply(r, 200, contentType, body, header...)
		if cut > 0 {
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(body[:cut]), breaks{}))
		}
		return resp, nil
	})
}

type breaks struct{}

func (breaks) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// fetched runs a download whose answer is that body.
func fetched(contentType, name, body string, cut int) func(t *testing.T, w, h int) *player {
	return func(t *testing.T, w, h int) *player {
		p := play(t, Deps{Views: everyView, Session: sends(contentType, name, body, cut)}, w, h)
		p.keys("enter")
		p.call("crm", "content_versions", "download", `{"id":"0685g00000abcdeAAA"}`)
		return p
	}
}

// table is a CSV table of some rows.
var table = func() string {
	var b strings.Builder
	b.WriteString("id,name,balance\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%d,customer %d,%d.50\n", i+1, i+1, 10*i)
	}
	return b.String()
}()

// archive is a ZIP with some files.
var archive = func() string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"README.md", "reports/", "reports/2025.csv", "reports/\x1b[31m2026.csv"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Modified: time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC)})
		if err == nil && !strings.HasSuffix(name, "/") {
			_, _ = io.WriteString(w, table)
		}
	}
	_ = z.Close()
	return b.String()
}()

func downloadStates() []state {
	return []state{
		{name: "file-card", about: "A file that was downloaded: what it is, and what is in it.", make: fetched("text/csv; charset=utf-8", "customers.csv", table, 0), shows: []string{"[File]", "30 rows"}},
		{name: "file-table", about: "The rows of such a file.", make: at(fetched("text/csv", "customers.csv", table, 0), press("]")), shows: []string{"[Table]", "customer 1"}},
		{name: "file-archive", about: "What an archive holds.", make: fetched("application/octet-stream", "reports.zip", archive, 0), foreign: true, shows: []string{"4 entries", "2025.csv"}},
		{name: "file-broken", about: "A download that broke off, and how to go on.", make: fetched("text/csv", "customers.csv", table, 200), shows: []string{"came", "c fetches"}},
		{name: "file-open", about: "The question before a file is opened that could run.", make: func(t *testing.T, w, h int) *player {
			p := play(t, Deps{Views: everyView, Session: sends("text/x-sh", "install.sh", "#!/bin/sh\necho hello\n", 0), OpenFile: func(string) error { return nil }}, w, h)
			p.keys("enter")
			p.call("crm", "content_versions", "download", `{"id":"0685g00000abcdeAAA"}`)
			p.keys("o")
			return p
		}, shows: []string{"Open it"}},
		{name: "file-coming", about: "A file is being downloaded.", make: at(quiet, opened("crm", "content_versions", "download"), func(p *player) {
			_ = p.m.req.SetParams([]byte(`{"id":"0685g00000abcdeAAA"}`))
			op, _ := p.m.req.Operation()
			p.m.perform(p.m.run.Send(op, false))
			p.m.running().started = testNow.Add(-1700 * time.Millisecond)
			p.m.fit()
		}), shows: []string{"downloading content_versions", "keeps what came"}},
	}
}

func TestADownloadThatBrokeGoesOn(t *testing.T) {
	p := fetched("text/csv", "customers.csv", table, 200)(t, 120, 36)
	p.wants("as far as 200 B", "c fetches the rest")
	p.keys("c")
	p.wants("whole, in", "30 rows in the views Table and JSON")
	p.keys("c")
	p.wants("all of the file is here")
	got, err := io.ReadAll(p.m.res.File().Spool.Reader())
	if err != nil || string(got) != table {
		t.Errorf("%d bytes of %d: %v", len(got), len(table), err)
	}
}

func TestAFileIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	p := fetched("application/octet-stream", "../../re\x1bport.zip", archive, 0)(t, 120, 36)
	p.keys("s")
	p.wants("Write to the file", "re_port.zip")
	p.keys("enter")
	if got, err := os.ReadFile("re_port.zip"); err != nil || string(got) != archive {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	p.keys("s", "enter")
	p.wants("exists")
}

func TestAFileIsOpenedInACopy(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var opened string
	fails := false
	p := play(t, Deps{Views: everyView, Session: sends("application/pdf", "-rf.pdf", "%PDF-1.4", 0), OpenFile: func(path string) error {
		opened = path
		if fails {
			return errors.New("xdg-open could not open it")
		}
		return nil
	}}, 120, 36)
	p.keys("enter")
	p.call("crm", "content_versions", "download", `{"id":"1"}`)
	p.keys("o")
	p.wants("Opened a copy of _-rf.pdf")
	if got, err := os.ReadFile(opened); err != nil || string(got) != "%PDF-1.4" || !filepath.IsAbs(opened) {
		t.Errorf("%s: %q %v", opened, got, err)
	}
	fails = true
	p.keys("o")
	p.wants("could not open it")
}

func TestAProgramIsNotOpenedByChance(t *testing.T) {
	ran := 0
	p := play(t, Deps{Views: everyView, Session: sends("text/plain", "notes.txt", "#!/bin/sh\n", 0), OpenFile: func(string) error { ran++; return nil }}, 120, 36)
	p.keys("enter")
	p.call("crm", "content_versions", "download", `{"id":"1"}`)
	p.keys("o", "enter")
	if ran > 0 {
		t.Error("enter opened it")
	}
}

func TestWithoutAProgramNothingIsOpened(t *testing.T) {
	p := fetched("application/pdf", "a.pdf", "%PDF-1.4", 0)(t, 120, 36)
	p.keys("o")
	p.wants("nothing to open files with")
}

func TestADownloadThatFailsIsAnError(t *testing.T) {
	p := play(t, Deps{Views: everyView, Session: sandboxSession(sandbox.Options{})}, 120, 36)
	p.call("crm", "content_versions", "download", `{"id":"nothing"}`)
	p.wants("[Error]", "404")
}

// TestWhatCameOfAStoppedDownloadIsKept stops one in its middle.
func TestWhatCameOfAStoppedDownloadIsKept(t *testing.T) {
	p := play(t, Deps{Views: everyView, Session: replies(nil)}, 120, 36)
	stop := func() { p.m.tasks.in(0, 1, 2, 3, 4).stop() }
	p.m.deps.Session = replies(func(_ int, r *http.Request) (*http.Response, error) {
		resp := reply(r, 200, "text/plain", strings.Repeat("a line\n", 100), "ETag", `"a"`)
		resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("a line\n"), stopper{r.Context(), stop}))
		return resp, nil
	})
	p.keys("enter")
	p.call("crm", "content_versions", "download", `{"id":"1"}`)
	p.wants("as far as 7 B of 700 B, 1%, then it was stopped", "a line")
}

// stopper stops what reads it.
type stopper struct {
	ctx  context.Context
	stop func()
}

func (s stopper) Read([]byte) (int, error) { s.stop(); return 0, s.ctx.Err() }
