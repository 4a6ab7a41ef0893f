package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/profile"
	small "patchbay/testdata/catalog"
)

// What the explorer says of a write that may have been carried out, and where it goes
// from there.
func TestWritesOfUnknownOutcomeAreLookedAt(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"500": func(r *http.Request) (*http.Response, error) {
			return reply(r, 500, "application/json", `{"message":"oops"}`), nil
		},
		"cut":  func(*http.Request) (*http.Response, error) { return nil, errors.New("unexpected EOF") },
		"null": func(r *http.Request) (*http.Response, error) { return reply(r, 200, "application/json", "null"), nil },
	} {
		asked := ""
		p := play(t, Deps{Session: replies(func(n int, r *http.Request) (*http.Response, error) {
			if asked = bodyText(r); !strings.Contains(asked, `"update"`) {
				return nil, nil
			}
			return answer(r)
		})}, 120, 36)
		p.keys("enter")
		p.call("payments", "customers", "update", `{"id":"cus_1","name":"A"}`)
		p.keys("y")
		p.wants("Look before you repeat it", "enter look")
		if e := p.m.res.Page().Err; !strings.Contains(e.Message, "it is not known whether the change was made") {
			t.Errorf("%s: %v", name, e)
		}
		p.lacks("un it again", "ry again", "runs again")
		p.keys("r")
		p.wants("Of the one before it is not known")
		p.keys("esc", "3", "enter")
		if !strings.Contains(asked, `"action":"get","params":{"id":"cus_1"}`) {
			t.Errorf("%s: looking sent %s", name, asked)
		}
		p.lacks("enter look")
	}
	p := play(t, Deps{Session: replies(func(int, *http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("no")}
	})}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "update", `{"id":"cus_1","name":"A"}`)
	p.keys("y")
	p.wants("nothing was sent")
	p.lacks("enter look", "Look before")
}

// An action that nobody says only reads is marked in the tree, asked about, and refused
// by a read-only profile.
func TestActionsOfUnknownKindsAreWrites(t *testing.T) {
	known := small.Catalog()
	k, err := known.Copy("payments")
	if err != nil {
		t.Fatal(err)
	}
	reads := true
	e := k.Entity("customers")
	e.Actions = append(e.Actions, catalog.Action{Name: "archive"}, catalog.Action{Name: "count", Reads: &reads})
	known.Put(k)
	session := replies(func(_ int, r *http.Request) (*http.Response, error) {
		return reply(r, 200, "application/json", "[]"), nil
	})
	p := play(t, Deps{Catalog: known, Session: session}, 120, 36)
	p.keys("enter")
	p.open("payments", "customers", "archive")
	p.wants("archive", "writes")
	p.keys("r")
	p.wants("This changes data", "Archive customers on")
	p.keys("esc")
	p.call("payments", "customers", "count", "{}")
	p.lacks("This changes data")
	session.ReadOnly = true
	p = play(t, Deps{Catalog: known, Session: session}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "archive", "{}")
	p.wants("read-only, so archive is refused")
	p.lacks("This changes data")
}

// A write that is cancelled while it is sent may have been carried out.
func TestCancelledWritesSaySo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		session := replies(func(_ int, r *http.Request) (*http.Response, error) {
			if strings.Contains(bodyText(r), `"update"`) {
				<-r.Context().Done()
				return nil, context.Cause(r.Context())
			}
			return nil, nil
		})
		session.First = profile.Place{Connector: client.Connector{Workspace: "demo", Kind: "payments"}, Entity: "customers", Action: "update",
			Params: []byte(`{"id":"cus_1","name":"A"}`)}
		v := startTerminal(t, Deps{Session: session, Now: time.Now}, 120, 36)
		v.idle(2 * time.Second)
		v.keys("r")
		v.idle(2 * time.Second)
		v.wants("This changes data")
		v.keys("y")
		v.idle(2 * time.Second)
		v.keys("ctrl+c")
		v.idle(time.Second)
		v.wants("It is not known whether the change was", "Cancelled; it is not known", "enter look")
		v.keys("enter")
		v.idle(2 * time.Second)
		v.wants("customers / get", "cus_1")
		v.quit()
	})
}

func bodyText(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return string(body)
}
