package ui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
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
		if got := strings.Join(strings.Fields(strings.Join(out.lines(), " ")), " "); got != want || (err != nil) != strings.Contains(line, "exit 3") {
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
	p := openText(t, customers(3), 120, 36)
	p.run(p.m.perform(commandEnded(p.m, "true", &firstBytes{}, nil)))
	p.wants("true ended well and printed nothing")
	p.run(p.m.perform(commandEnded(p.m, "false", &firstBytes{}, errors.New("exit status 1"))))
	p.wants("false failed: exit status 1. It printed nothing")
	long := &firstBytes{max: 4}
	_, _ = long.Write([]byte("printed"))
	p.run(p.m.perform(commandEnded(p.m, "long", long, errors.New("exit status 2"))))
	p.wants("prin", "3 B are left out", "The command failed: exit status 2")
}

// What is on a screen goes to a command as it is.
func TestRowsGoToACommand(t *testing.T) {
	p := openText(t, customers(30), 120, 36)
	for _, e := range p.m.res.Exports() {
		if !strings.HasPrefix(e.Title, "NDJSON") {
			continue
		}
		out, err := pipeTo(t.Context(), "wc -l", e.Write)
		if err != nil || strings.TrimSpace(strings.Join(out.lines(), "")) != "30" {
			t.Errorf("wc -l says %q, %v", out.lines(), err)
		}
		return
	}
	t.Error("no NDJSON export is offered")
}
