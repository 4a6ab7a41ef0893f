package ui

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

// failingService refuses execute call number n, once.
func failingService(n int) Session {
	box := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: now})
	calls := 0
	rt := roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/execute") {
			if calls++; calls == n {
				return &http.Response{StatusCode: 400, Status: "400 Bad Request", Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"application/json"}},
					Body: io.NopCloser(bytes.NewReader([]byte(`{"message":"the moon is full"}`))), Request: r}, nil
			}
		}
		return box.RoundTripper().RoundTrip(r)
	})
	c := hosted.New(hosted.Config{Profile: "sandbox", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID,
		Names: client.Neutral, Catalog: testCatalog, Transport: transport.New(transport.Options{Base: rt, Now: now})})
	return Session{Name: "sandbox", BaseURL: sandbox.BaseURL, Sandbox: true, First: session.SandboxCall(testCatalog), Service: c}
}

// A failure in the middle keeps what came, stays to be read, and the run goes
// on where it was.
func TestFetchingGoesOnWhereItFailed(t *testing.T) {
	p := play(t, Deps{Session: failingService(4), Fresh: true}, 120, 36)
	p.keys("esc", "m")
	p.typed("5 more")
	p.keys("enter")
	p.wants("2 pages came", "then it failed", "60 rows of 3 pages")
	p.keys("j", "k", "]", "]", "]", "]")
	p.wants("[Pages 3]", "the moon is full", "m goes on where it stopped")
	p.keys("m")
	p.typed("5 more")
	p.keys("enter")
	p.wants("5 pages came", "160 rows of 8 pages", "[Pages 8]", "160 rows in 8 pages, 160 of them new")
	if strings.Contains(p.screen(), "the moon is full") {
		t.Error("what failed is still told after the run went on")
	}
}

// That the next page failed can still be read once a key was pressed.
func TestFailureOfTheNextPageStays(t *testing.T) {
	p := play(t, Deps{Session: failingService(2), Fresh: true}, 120, 36)
	p.keys("esc", ".", "j", "]", "]", "]", "]")
	p.wants("[Pages]", "The next page failed", "the moon is full")
	p.keys(".")
	p.wants("[Pages 2]")
	if strings.Contains(p.screen(), "the moon is full") {
		t.Error("what failed is still told after the page came")
	}
}

// The footer says what the next fetch sends, and of pages that are kept that
// they are.
func TestFooterOfKeptPages(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", ".", ",")
	p.wants("page 2 is here already")
	p.keys(".")
	p.wants("page 2, more", "next page sends")
	second := p.m.res.Last().Next.Text()
	p.keys("t")
	p.wants("Table of 2 pages", second)
}
