//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"patchbay/catalog"
	"patchbay/client/sandbox"
	"patchbay/cmd/internal/ptytest"
	"patchbay/testdata/hostile"
)

var (
	walkSteps = flag.Int("walk", 2000, "inputs of the random walk through the built program")
	walkSeed  = flag.Uint64("walkseed", 1, "which random walk it is")
)

// rubbish is what the service of the walk answers, one after the other.
var rubbish = []struct {
	status int
	kind   string
	body   string
}{
	{200, "application/json",
		`{"data":[{"id":"\u001b]0;owned\u0007x","na\u001b[31mme":"a\u202eb\u0000\u009b"},null,12,"x",[[]]],` +
			`"meta":{"has_more":true}}`},
	{200, "application/json", `{"status":"success","result":[{"id":"a","deep":` + strings.Repeat("[", 500) +
		strings.Repeat("]", 500) + `}],"connector_metadata":{"has_more":true}}`},
	{200, "text/html", "<html><title>\x1b]0;owned\a</title>\x1b[?1049l\x1b[?25h\x1bc</html>"},
	{200, "application/json", `[` + strings.Repeat(`{"id":"`+strings.Repeat("長い", 50)+`","n":1e999},`, 400) + `{}]`},
	{200, "application/json", `{"data":[{"id":`},
	{429, "application/json", `{"message":"\u001b]0;owned\u0007"}`},
	{500, "text/plain", "\x1b]0;owned\a\xff\xfe\x00"},
	{200, "application/json", hostileList()},
}

// hostileList is a list whose ids, names and values are all texts that would do harm.
func hostileList() string {
	var rows []map[string]any
	for i, text := range hostile.Texts {
		rows = append(rows, map[string]any{"id": text, "name": text, "url": text, "key " + text: hostile.Texts[i/2]})
	}
	list, err := json.Marshal(map[string]any{"data": rows, "meta": map[string]any{"has_more": true, "next": hostile.Texts[0]}})
	if err != nil {
		panic(err)
	}
	return string(list)
}

// harm is what no input and no answer may bring to the terminal.
var harm = []string{"A defect in patchbay", "\x1b]0;owned", "\u202e", "\x1bc", "\x1b]52;c;cHduZWQ=\a", "\x1bP+q", "\u009b31m", "\u009d0;",
	sandbox.Token}

// rubbishService is the documented service, but for the answers to calls.
func rubbishService(t *testing.T) string {
	sound, n := sandbox.New(sandbox.Options{Catalog: catalog.New(), Records: 20}), atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/execute") {
			sound.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		a := rubbish[int(n.Add(1))%len(rubbish)]
		w.Header().Set("Content-Type", a.kind)
		w.Header().Set("Retry-After", "0")
		w.WriteHeader(a.status)
		_, _ = io.WriteString(w, a.body) // who asked may be gone
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// walker types what nobody would type.
type walker struct {
	t    *testing.T
	r    *rand.Rand
	w, h int
	// open starts the program.
	open func() *ptytest.Session
	s    *ptytest.Session
}

// strokes are sequences that a terminal sends for keys. Left out are those that
// could name a file elsewhere, that stop the process, or that end it.
var strokes = func() []string {
	out := []string{"\r", "\r", "\r", "\x1b", "\x1b", "\t", "\x1b[Z", " ", "\x7f", "\x1b[A", "\x1b[B", "\x1b[C",
		"\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[15~",
		"\x1b[1;2C", "\x1b[1;2D", "\x1b[106;5u", "\x1b[I", "\x1b[O", "\x1b", "\x1bx", "\x1b[", "\x1bO", "\x1b[999~",
		"\x1b]11;rgb:ff/ff/ff\a", "\x1b]11;rgb:00/00/00\a", "é", "長", "👩‍👩‍👧"}
	for c := 'a'; c <= 'z'; c++ {
		out = append(out, string(c), strings.ToUpper(string(c)))
	}
	for _, c := range "0123456789.,:;?-[]{}<>|'!*()=\"\\$" {
		out = append(out, string(c))
	}
	for _, c := range "bdefgjklnoprstwy" {
		out = append(out, string(c-'a'+1))
	}
	return out
}()

var pasted = []string{"x", `{"limit":3}`, "\x1b]0;owned\a", "a\nb\r\nc", "日本",
	`{"entity":"refunds","action":"list","params":{}}`, strings.Repeat("long ", 5000),
	strings.Repeat("wide 長い\n", 5000), "\x1b[201~jjj\x1b[200~", "\x00\xff\x9b31m\u202e"}

func (w *walker) step() {
	x, y := 1+w.r.IntN(w.w), 1+w.r.IntN(w.h)
	switch w.r.IntN(24) {
	case 0:
		w.resize()
	case 1, 2, 3:
		w.send(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y, x, y))
	case 4:
		w.send(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM\x1b[<0;%d;%dm", x, y, 1+w.r.IntN(w.w), 1+w.r.IntN(w.h), x, y))
	case 5:
		w.send(strings.Repeat(fmt.Sprintf("\x1b[<%d;%d;%dM", 64+w.r.IntN(4), x, y), 1+w.r.IntN(40)))
	case 6:
		w.send("\x1b[200~" + pasted[w.r.IntN(len(pasted))] + "\x1b[201~")
	case 7:
		w.send("\x1b\x1b" + strokes[w.r.IntN(len(strokes))])
	case 8:
		w.send("r")
	default:
		w.send(strokes[w.r.IntN(len(strokes))])
	}
}

// opens reports whether what follows a sequence at once would belong to it. A person is
// never that fast, and the rest of the walk would be one sequence.
func opens(sequence string) bool {
	_, after, found := strings.Cut(sequence[max(0, len(sequence)-2):], "\x1b")
	return found && (after == "" || strings.Contains("]P_^X[O", after))
}

func (w *walker) resize() {
	w.w, w.h = 1+w.r.IntN(210), 1+w.r.IntN(65)
	if w.r.IntN(4) == 0 {
		w.w, w.h = 1, 1
	}
	if !w.s.Ended() {
		w.s.Resize(w.w, w.h)
	}
}

// send types a sequence; where the keys found the way out, it looks at the
// terminal that was left, and starts anew.
func (w *walker) send(sequence string) {
	w.t.Helper()
	if w.s.TryType(sequence) == nil && !w.s.Ended() {
		if opens(sequence) {
			time.Sleep(2 * uv.DefaultEscTimeout)
		}
		return
	}
	w.ended(0)
	w.s, w.w, w.h = w.open(), 120, 36
}

// ended checks how the program ended and what it left.
func (w *walker) ended(code int) {
	w.t.Helper()
	if got := w.s.End(); got != code {
		w.t.Errorf("exit code %d, want %d\n%s", got, code, w.s.Screen())
	}
	w.s.Restored()
	out := w.s.Output()
	for _, bad := range harm {
		if at := strings.Index(out, bad); at >= 0 {
			w.t.Errorf("%q reaches the terminal: %q", bad, out[max(at-100, 0):min(at+100, len(out))])
		}
	}
}

// The built program, thousands of random inputs and answers of rubbish: it
// continues, and its end leaves the terminal as it was.
func TestRandomWalkRestoresTheTerminal(t *testing.T) {
	for name, end := range map[string]struct {
		by   func(s *ptytest.Session) error
		code int
	}{
		"ctrl+c":  {func(s *ptytest.Session) error { return s.TryType(strings.Repeat("\x03", 4)) }, 0},
		"SIGTERM": {func(s *ptytest.Session) error { return s.Cmd.Process.Signal(syscall.SIGTERM) }, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, empty := rubbishService(t), t.TempDir()
			w := &walker{t: t, r: rand.New(rand.NewPCG(*walkSeed, uint64(end.code))), w: 120, h: 36}
			w.open = func() *ptytest.Session {
				s := ptytest.Start(t, binary, ptytest.Options{W: 120, H: 36, Dir: t.TempDir(),
					Env: []string{"PATH=" + empty, "PLATFORM_BASE_URL=" + service, "PLATFORM_TOKEN=" + sandbox.Token,
						"PLATFORM_ORGANIZATION_ID=" + sandbox.OrganizationID}})
				s.Until("demo")
				return s
			}
			w.s = w.open()
			for range *walkSteps / 2 {
				w.step()
			}
			if !w.s.Ended() {
				w.s.Resize(20, 5)
				w.s.Wait("patchbay", func() bool { return w.s.Ended() || strings.Contains(w.s.Screen(), "patchbay") })
			}
			if w.s.Ended() { // the last keys found the way out
				w.ended(0)
				w.s = w.open()
			}
			if err := end.by(w.s); err != nil {
				t.Fatal(err)
			}
			w.ended(end.code)
		})
	}
}
