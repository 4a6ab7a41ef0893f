package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// piped is a command that gets size bytes, as its output and its end.
func piped(t *testing.T, line string, size int) (*firstBytes, error) {
	t.Helper()
	return pipeTo(t.Context(), line, func(_ context.Context, w io.Writer) error {
		_, err := w.Write(bytes.Repeat([]byte("x\n"), size/2))
		return err
	})
}

func TestPipeTo(t *testing.T) {
	for line, want := range map[string]string{
		"wc -l":                   "500000",
		"head -n 1":               "x",
		"true":                    "",
		"echo no >&2; exit 3":     "no",
		"(exec 0<&-; echo shut)":  "shut",
		"cat >/dev/null; echo ok": "ok",
	} {
		out, err := piped(t, line, 1_000_000)
		got := strings.Join(strings.Fields(out.kept.String()), " ")
		if got != want || (err != nil) != strings.Contains(line, "exit 3") {
			t.Errorf("%s printed %q, %v", line, got, err)
		}
	}
}

func TestWhatACommandPrintsIsBounded(t *testing.T) {
	out, err := piped(t, "cat >/dev/null; yes | head -c 400000 >&2", 10)
	if err != nil || out.kept.Len() != commandOutput || out.more != 400000-commandOutput {
		t.Errorf("%d bytes kept, %d left out, %v", out.kept.Len(), out.more, err)
	}
}

func TestACommandThatDoesNotReadIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var written error
	_, err := pipeTo(ctx, "sleep 1000 | cat", func(_ context.Context, w io.Writer) error {
		cancel()
		_, written = w.Write(make([]byte, 1<<20))
		return written
	})
	if err == nil || written == nil {
		t.Errorf("it ended with %v, the writing with %v", err, written)
	}
}

func TestACommandThatPrintsNothingIsOnlyToldOf(t *testing.T) {
	for _, c := range []struct {
		line string
		err  error
		want string
	}{
		{"true", nil, "true ended well and printed nothing"},
		{"false", errors.New("exit status 1"), "false failed: exit status 1. It printed nothing"},
	} {
		said, ok := commandEnded(c.line, &firstBytes{}, c.err).(intent.Say)
		if !ok || said.Text != c.want || said.Bad != (c.err != nil) {
			t.Errorf("%s: %+v", c.line, said)
		}
	}
	long := &firstBytes{max: 4}
	_, _ = long.Write([]byte("printed"))
	shown, ok := commandEnded("long", long, errors.New("exit status 2")).(intent.Push)
	if !ok {
		t.Fatal("what was printed is not shown")
	}
	var body []string
	for _, l := range shown.Overlay.(*overlay.Reader).Body {
		body = append(body, l.Text)
	}
	for _, want := range []string{"prin", "3 B are left out", "The command failed: exit status 2"} {
		if !strings.Contains(strings.Join(body, "\n"), want) {
			t.Errorf("%q lacks %q", body, want)
		}
	}
}
