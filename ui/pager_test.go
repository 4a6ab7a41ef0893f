package ui

import (
	"context"
	"io"
	"strings"
	"testing"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/ui/intent"
)

// paged is what the pager would be given by an intent.
func paged(t *testing.T, in intent.Intent) string {
	t.Helper()
	work, ok := in.(intent.Task)
	if !ok {
		t.Fatalf("%T is no work", in)
	}
	apply, err := work.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	page, ok := apply().(intent.Page)
	if !ok {
		t.Fatal("no page is opened")
	}
	defer page.Text.Close()
	b, err := io.ReadAll(page.Text)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The pager gets what the view shows, with known secrets masked.
func TestThePagerGetsWhatTheViewShows(t *testing.T) {
	known := &secret.Redactor{}
	known.Add(secret.New("cus_HGwOErEiPt2c4U")) // as if the service echoed a secret
	p := play(t, Deps{Fresh: true, Pager: []string{"less"}, Redactor: known}, 120, 36)
	p.wants("cus_HGwOErEiPt2c4U")
	for _, c := range []struct{ view, begins, holds string }{
		{"Table", "{\n  \"status\": \"success\",\n", "      \"id\": \"cus_fWleNhLCJ3nac5\",\n"},
		{"Record", "{\n  \"id\": ", "  \"object\": \"customer\",\n"},
		{"Raw", "{\"status\":\"success\",", "\"id\":\"cus_fWleNhLCJ3nac5\""},
		{"Wire", "", "POST /"},
	} {
		p.m.res.ShowView(c.view)
		a := p.m.actions.ByID("response.pager")
		if why := a.Why(); why != "" {
			t.Fatal(why)
		}
		got := paged(t, a.Do())
		if !strings.HasPrefix(got, c.begins) || !strings.Contains(got, c.holds) {
			t.Errorf("%s is paged as %.300s", c.view, got)
		}
		for _, hidden := range []string{sandbox.Token, "cus_HGwOErEiPt2c4U"} {
			if strings.Contains(got, hidden) {
				t.Errorf("%s gives %s to the pager", c.view, hidden)
			}
		}
	}
}

// A pager may hand all that it reads to the terminal: nothing in it may be obeyed.
func TestThePagerGetsNoControls(t *testing.T) {
	body := rawjson.Bytes("{\"a\": \"\x9b2J \u202e\"}\n{\"a\": \"\u009b31m\"}\n")
	d := answer.OpenDocument(t.Context(), body, answer.Reading{Name: "x.ndjson", Size: int64(len(body))})
	p := play(t, Deps{Pager: []string{"cat"}, Document: d}, 120, 36)
	for _, view := range []string{"Table", "Raw"} {
		p.m.res.ShowView(view)
		got := paged(t, p.m.actions.ByID("response.pager").Do())
		if !strings.Contains(got, "2J") || strings.ContainsAny(got, "\x1b\u009b\u202e") || strings.Contains(got, "\x9b") {
			t.Errorf("%s is paged as %q", view, got)
		}
	}
}

// Without a pager the key says what to do.
func TestWithoutAPager(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "e")
	p.wants("there is no pager: set PAGER, or install less")
	p.keys("y", "ctrl+o")
	p.wants("there is no pager")
}

// What can be copied can be read in the pager as well.
func TestTheCopyMenuReachesThePager(t *testing.T) {
	p := play(t, Deps{Fresh: true, Pager: []string{"less"}}, 120, 36)
	p.keys("esc", "y")
	p.wants("ctrl+o reads it in $PAGER")
	p.typed("record as")
	all, ok := p.m.stack.Top().Key(keyMsg("ctrl+o")).(intent.All)
	if !ok || len(all) != 2 {
		t.Fatalf("ctrl+o asks for %v", all)
	}
	if got := paged(t, all[1]); !strings.HasPrefix(got, "{\n  \"id\": \"cus_") {
		t.Errorf("the record is paged as %.200s", got)
	}
}
