package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/text"
)

// commandOutput is how much of a command's output is shown.
const commandOutput = 256 << 10

func askCommand(e response.Export) intent.Intent {
	p := overlay.NewPrompt("Write to the command", "A shell command that reads stdin, such as: wc -l", "",
		func(line string) intent.Intent {
			run := func(ctx context.Context) (func() intent.Intent, error) {
				out, err := pipeTo(ctx, line, e.Write)
				return func() intent.Intent { return commandEnded(line, out, err) }, ctx.Err()
			}
			return intent.Task{Lane: intent.Writing, What: "running " + line, Do: run}
		})
	p.Check = func(v string) string {
		return action.Reason(strings.TrimSpace(v) == "", "type a command, or esc to leave")
	}
	return intent.Push{Overlay: p}
}

// commandEnded shows what a command printed; one that printed nothing and went
// well is only told of.
func commandEnded(line string, out *firstBytes, err error) intent.Intent {
	var lines []text.Safe
	if out.kept.Len() > 0 {
		lines = text.Lines(strings.TrimRight(out.kept.String(), "\n"))
	}
	if out.more > 0 {
		lines = append(lines, "", text.Sprintf("Only the first %s of what it printed are shown, %s are left out.",
			text.Size(commandOutput), text.Size(out.more)))
	}
	switch {
	case err == nil && len(lines) == 0:
		return intent.Say{Text: line + " ended well and printed nothing"}
	case err != nil && len(lines) == 0:
		return intent.Say{Text: line + " failed: " + err.Error() + ". It printed nothing", Bad: true}
	case err != nil:
		lines = append(lines, "", text.Sanitize("The command failed: "+err.Error()))
	}
	body := make([]overlay.Line, len(lines))
	for i, l := range lines {
		body[i] = overlay.Line{Text: string(l)}
	}
	return intent.Push{Overlay: &overlay.Reader{Heading: line, Body: body, Wide: true, Data: true,
		CopyWhat: "output"}}
}

// pipeGrace is how long what a stopped command left behind may hold its output open.
const pipeGrace = time.Second

// pipeTo runs a shell command with what write produces on its stdin and
// returns what it printed. It has no terminal, which is the screen's; when ctx
// ends, so does the command with all that it started.
func pipeTo(ctx context.Context, line string, write func(context.Context, io.Writer) error) (*firstBytes, error) {
	shell := []string{"sh", "-c", line}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", line}
	}
	cmd := exec.CommandContext(ctx, shell[0], shell[1:]...)
	out := &firstBytes{max: commandOutput}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, out, pipeGrace
	detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return out, err
	}
	if err := cmd.Start(); err != nil {
		return out, err
	}
	defer context.AfterFunc(ctx, func() { _ = in.Close() })() // a command that does not read must not hold the writing
	written := write(ctx, in)
	_ = in.Close() // the command may have read enough and gone
	err = cmd.Wait()
	closed := written == nil || errors.Is(written, os.ErrClosed) || strings.Contains(written.Error(), "broken pipe")
	if err == nil && !closed {
		err = fmt.Errorf("not all could be given to it: %w", written)
	}
	return out, err
}

// firstBytes keeps the first bytes written to it and counts the rest. It must
// have no other way in: what copies takes a buffer's own, which has no bound.
type firstBytes struct {
	kept bytes.Buffer
	max  int
	more int64
}

// Write implements io.Writer.
func (f *firstBytes) Write(b []byte) (int, error) {
	n := min(len(b), f.max-f.kept.Len())
	f.kept.Write(b[:n])
	f.more += int64(len(b) - n)
	return len(b), nil
}
