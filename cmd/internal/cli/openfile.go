package cli

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// openers are the programs that open a file or an address as the desktop would, per
// system; it is the last argument, and no shell reads it.
var openers = map[string][]string{
	"darwin":  {"open"},
	"linux":   {"xdg-open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// openTime is how long a program that opens things may take to say that it cannot.
const openTime = 3 * time.Second

// fileOpener starts the system's program for a file; nil where there is none.
func fileOpener() func(path string) error {
	open := opener()
	if open == nil {
		return nil
	}
	return func(path string) error {
		absolute, err := filepath.Abs(path) // a name that begins with a dash is no option then
		if err != nil {
			return err
		}
		return open(absolute, filepath.Base(path))
	}
}

// pageOpener starts the browser for an address; nil where there is none, or no display.
func pageOpener(env map[string]string) func(address string) error {
	headless := env["DISPLAY"]+env["WAYLAND_DISPLAY"] == "" && runtime.GOOS != "windows" && runtime.GOOS != "darwin"
	open := opener()
	if headless || open == nil {
		return nil
	}
	return func(address string) error { return open(address, "the page") }
}

// opener starts the system's program for what it is given, a file or an address; called is
// what an error calls it. It is nil where there is none.
func opener() func(what, called string) error {
	words := openers[runtime.GOOS]
	if words == nil {
		words = openers["linux"]
	}
	program, err := exec.LookPath(words[0])
	if err != nil {
		return nil
	}
	return func(what, called string) error {
		c := exec.Command(program, append(words[1:len(words):len(words)], what)...)
		if err := c.Start(); err != nil {
			return fmt.Errorf("%s could not be started: %w", words[0], err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("%s could not open %s: %w", words[0], called, err)
			}
		case <-time.After(openTime): // it goes on by itself
		}
		return nil
	}
}
