package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestClipboardInFrontOfThePerson(t *testing.T) {
	for _, c := range []struct {
		env       map[string]string
		has, tmux bool
		want      string
	}{
		{nil, true, false, "the clipboard"},
		{nil, false, false, ""},
		{map[string]string{"SSH_TTY": "/dev/pts/1"}, true, false, ""},
		{map[string]string{"SSH_CONNECTION": "a b"}, true, true, "tmux's buffer and through it to the clipboard"},
		{nil, true, true, "the clipboard"},
		{nil, false, true, "tmux's buffer and through it to the clipboard"},
	} {
		write, name := nativeClipboard(c.env, c.has, c.tmux)
		if name != c.want || (write == nil) != (c.want == "") {
			t.Errorf("%+v: %q", c, name)
		}
	}
}

func TestTextGoesToTmux(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("tmux is a shell script here")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncat > " + filepath.Join(dir, "got") +
		"\n[ \"$*\" = 'load-buffer -w -' ] || { echo no such option; exit 1; }\n"
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	if hasTmux(nil) || !hasTmux(map[string]string{"TMUX": "x"}) {
		t.Error("tmux counts only inside of it")
	}
	if err := loadBuffer("a text"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "got")); err != nil || string(got) != "a text" {
		t.Errorf("tmux got %q, %v", got, err)
	}
}

func TestNotificationSuitsTheTerminal(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"TERM": "xterm-256color"}, "\x1b]9;patchbay: done\a"},
		{map[string]string{"TERM": "foot"}, "\x1b]777;notify;patchbay;done\x1b\\"},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "\x1b]777;notify;patchbay;done\x1b\\"},
		{map[string]string{"TERM": "tmux-256color", "TMUX": "x"}, "\a"},
		{map[string]string{"TERM": "linux"}, "\a"},
		{map[string]string{"TERM": "dumb"}, ""},
		{nil, ""},
	} {
		got := ""
		if f := notification(c.env); f != nil {
			got = f("done")
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

func TestImagesInTerminalsKnownForThem(t *testing.T) {
	for want, list := range map[bool][]map[string]string{
		true: {{"TERM": "xterm-kitty"}, {"TERM": "xterm-ghostty"}, {"TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"},
			{"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}},
		false: {{}, {"TERM": "xterm-256color"}, {"TERM": "xterm-kitty", "TMUX": "x"}, {"TERM": "screen", "KITTY_WINDOW_ID": "1"},
			{"TERM": "xterm-256color", "TERM_PROGRAM": "vscode", "KITTY_WINDOW_ID": "1"}, {"TERM": "alacritty", "KITTY_WINDOW_ID": "1"},
			{"TERM": "xterm-256color", "VTE_VERSION": "7600", "KITTY_WINDOW_ID": "1"}, {"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"},
			{"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, {"TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "KITTY_WINDOW_ID": "1"}},
	} {
		for _, env := range list {
			if drawsImages(env) != want {
				t.Errorf("%v: %v", env, !want)
			}
		}
	}
}
