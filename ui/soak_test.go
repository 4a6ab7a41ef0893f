package ui

import (
	"context"
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/saved"
	"patchbay/client/secret"
	"patchbay/client/session"
	"patchbay/client/transport"
)

var soak = flag.Duration("soak", 20*time.Minute, "how much virtual time the soak takes")

const (
	// soakRound is how long a person takes for what the soak does again and again.
	soakRound = 6 * time.Minute
	// soakMemory is how much more memory may live at the end than after the first tenth:
	// what has a bound of its own, such as the answers of the log, fills up until then.
	soakMemory = 24 << 20
	// soakLong is a soak in which the log is full after four tenths; then there is only
	// soakSlack more memory.
	soakLong  = 8 * time.Hour
	soakSlack = 2 << 20
	// soakThings is how many more goroutines and open descriptors there may be: those of
	// connections to the history that come and go.
	soakThings = 3
)

// soaking is a person who works with the explorer for hours.
type soaking struct {
	*terminal
	offline *atomic.Bool
}

// unreliable is a service that cannot be reached at times.
func unreliable(offline *atomic.Bool) http.RoundTripper {
	base := sandbox.New(sandbox.Options{Catalog: testCatalog, Now: time.Now, Records: 40}).RoundTripper()
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if offline.Load() {
			return nil, errors.New("connection refused")
		}
		return base.RoundTrip(r)
	})
}

func (s *soaking) session(name string) Session {
	c := hosted.New(hosted.Config{Profile: name, BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token),
		OrganizationID: sandbox.OrganizationID, Names: client.Neutral, Catalog: testCatalog,
		Transport: transport.New(transport.Options{Base: unreliable(s.offline)})})
	return Session{Name: name, BaseURL: sandbox.BaseURL, Sandbox: true, First: session.SandboxCall(testCatalog),
		Service: c, Platform: c, Examine: examining(c)}
}

// deps are all that the explorer can make use of.
func (s *soaking) deps(dir string, store *history.Store) Deps {
	return Deps{Session: s.session("one"), Catalog: testCatalog, Fresh: true, Now: time.Now, History: store,
		Profiles:  func() []string { return []string{"one", "two"} },
		Open:      func(_ context.Context, name string) (Session, error) { return s.session(name), nil },
		Clipboard: func(string) error { return nil },
		Saved: SavedCalls{Load: func() ([]saved.Call, error) { return saved.Load(dir) },
			Save: func(c *saved.Call, _ bool) (string, error) { return saved.Save(dir, c, true) }},
	}
}

// text types a text, as fast as a person.
func (s *soaking) text(t string) {
	for _, r := range t {
		s.program.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
		s.idle(50 * time.Millisecond)
	}
}

// soakDialogs are the keys that open something over the screen.
var soakDialogs = []string{"ctrl+p", "?", "L", "ctrl+y", "S", "T", "P", "Y", "y", "d", "x", "E", "D", ":", "ctrl+s", "s",
	"c", "i", "=", "W", "a", "m", "1", "a", "C", "3"}

// round is what a person does in a few minutes: pages, filters, queries, views, sizes,
// another profile, a connection that breaks, the same call again and again, and
// everything that can be opened.
func (s *soaking) round() {
	s.keys("esc", "esc", ":")
	s.text("customers list")
	s.keys("enter", ":")
	s.text("set limit 4")
	s.keys("enter", "r", ".", ".", ",", "m", "enter")
	s.idle(5 * time.Second)
	s.wants("rows")
	s.keys("t", "o", "o", "/")
	s.text("usd")
	s.keys("enter", "esc", "space", "j", "space", "D", "esc", "esc", "]", "]", "]", "/")
	s.text("id")
	s.keys("enter", "n", "n", "esc", "]", "]", "]", "]", "|")
	s.text(".id")
	s.keys("enter")
	s.idle(5 * time.Second)
	s.keys("esc", "esc", "esc")
	for _, size := range [][2]int{{80, 24}, {30, 8}, {200, 60}, {120, 36}} {
		s.resize(size[0], size[1])
	}
	for _, k := range soakDialogs {
		s.keys(k)
		s.idle(time.Second)
		s.keys("esc", "esc", "3")
	}
	s.keys("E", "enter", "enter", "enter", "esc", "esc", "1", "p", "down", "enter")
	s.idle(5 * time.Second)
	s.offline.Store(true)
	s.keys("1", "R")
	s.idle(30 * time.Second)
	s.keys("3", "r")
	s.idle(30 * time.Second)
	s.offline.Store(false)
	s.keys("1", "R", "3")
	for range 10 {
		s.keys("r")
		s.idle(10 * time.Second)
	}
	s.keys("esc", "esc", "esc")
}

func (s *soaking) resize(w, h int) {
	s.mu.Lock()
	s.em.Resize(w, h)
	s.mu.Unlock()
	s.program.Send(tea.WindowSizeMsg{Width: w, Height: h})
	s.idle(100 * time.Millisecond)
}

// held is what a program holds of the system.
type held struct {
	goroutines, descriptors int
	memory                  uint64
}

func (s *soaking) held() held {
	s.idle(2 * time.Minute) // timers and idle connections end
	h := held{memory: memory(), goroutines: runtime.NumGoroutine()}
	if open, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(open)
	}
	return h
}

// After hours of work the program holds no more than after the first tenth of them.
func TestSoak(t *testing.T) {
	first, _ := withHistory(t) // what packs the history is made once for the program, outside of the fake time
	first.call("payments", "customers", "list", `{"limit":7}`)
	first.keys("ctrl+y", "enter")
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	synctest.Test(t, func(t *testing.T) {
		defer time.Sleep(time.Hour) // what still waits ends, such as clocks of libraries
		store := history.New(filepath.Join(dir, history.FileName), history.Options{})
		s := &soaking{offline: &atomic.Bool{}}
		s.terminal = startTerminal(t, s.deps(dir, store), 120, 36)
		var after []held
		rounds := max(int(*soak/soakRound), 2)
		for i := range rounds {
			began := time.Now()
			s.round()
			if i%max(rounds/10, 1) == max(rounds/10, 1)-1 {
				h := s.held()
				after = append(after, h)
				t.Logf("after round %d: %d goroutines, %d descriptors, %.1f MiB", i+1, h.goroutines, h.descriptors,
					float64(h.memory)/(1<<20))
			}
			s.idle(max(soakRound-time.Since(began), 0))
		}
		was, is := after[0], after[len(after)-1]
		if full := len(after) * 4 / 10; *soak >= soakLong && is.memory > after[full].memory+soakSlack {
			t.Errorf("it holds %+v, and once the log was full %+v", is, after[full])
		}
		if is.goroutines > was.goroutines+soakThings || is.descriptors > was.descriptors+soakThings ||
			is.memory > was.memory+soakMemory {
			t.Errorf("it holds %+v, after the first tenth %+v", is, was)
		}
		s.keys("esc", "esc", "esc")
		s.quit()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}
