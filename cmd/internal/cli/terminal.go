package cli

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/atotto/clipboard"

	"patchbay/ui"
)

// onScreen is what the explorer knows of the terminal and the flags that say how to draw.
func (a *app) onScreen(deps *ui.Deps, flags explorerFlags) {
	deps.ASCII, deps.Still = a.drawsASCII(flags), flags.NoMotion || a.env["PATCHBAY_NO_MOTION"] != ""
	deps.NoColor = a.env["NO_COLOR"] != ""
	deps.Clipboard, deps.ClipboardName = nativeClipboard(a.env, !clipboard.Unsupported, hasTmux(a.env))
	deps.Notification = notification(a.env)
}

// drawsASCII tells whether the screen keeps to ASCII: when asked to, and on the
// text console of Linux, whose font has no rounded corners and no triangles.
func (a *app) drawsASCII(flags explorerFlags) bool { return flags.ASCII || a.env["TERM"] == "linux" }

// nativeClipboard writes to a clipboard beside the terminal's own, and names it;
// nil when there is none. Over SSH the clipboard of this machine is not the one
// in front of the person. tmux passes the terminal's way on only when it is told
// to, but takes a text over its own.
func nativeClipboard(env map[string]string, has, tmux bool) (write func(string) error, name string) {
	remote := env["SSH_TTY"] != "" || env["SSH_CONNECTION"] != ""
	switch {
	case has && !remote:
		return clipboard.WriteAll, "the clipboard"
	case tmux:
		return loadBuffer, "tmux's buffer and through it to the clipboard"
	}
	return nil, ""
}

func hasTmux(env map[string]string) bool {
	if env["TMUX"] == "" {
		return false
	}
	_, err := exec.LookPath("tmux")
	return err == nil
}

// tmuxTimeout bounds how long tmux may take for a text.
const tmuxTimeout = 5 * time.Second

// loadBuffer gives a text to tmux, and asks it to pass it on to the clipboard.
func loadBuffer(t string) error {
	ctx, cancel := context.WithTimeout(context.Background(), tmuxTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin = strings.NewReader(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tmux load-buffer: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// notification is how the terminal shows a message on the desktop: OSC 9 in
// most, OSC 777 in those that know only that. tmux, screen and the text console
// pass on nothing but the bell. nil where the terminal has none of it.
func notification(env map[string]string) func(text string) string {
	term := env["TERM"]
	switch {
	case term == "dumb" || term == "":
		return nil
	case env["TMUX"] != "" || env["STY"] != "" || term == "linux":
		return func(string) string { return "\a" }
	case strings.HasPrefix(term, "foot") || strings.HasPrefix(term, "rxvt") || env["VTE_VERSION"] != "":
		return func(t string) string { return "\x1b]777;notify;patchbay;" + t + "\x1b\\" }
	}
	return func(t string) string { return "\x1b]9;patchbay: " + t + "\a" }
}
