package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"patchbay/client/secret"
)

// ask prompts on stderr and reads a line from stdin; empty gives the default.
func (a *app) ask(ctx context.Context, question, preset string) (string, error) {
	if preset != "" {
		question += " [" + preset + "]"
	}
	fmt.Fprintf(a.stderr, "%s: ", shown(question))
	line, err := waitFor(ctx, a.readLine)
	a.endPrompt()
	if line == "" {
		line = preset
	}
	return line, err
}

// endPrompt ends the line of a question where no terminal shows the enter that did.
func (a *app) endPrompt() {
	if !isTerminal(a.stdin) {
		fmt.Fprintln(a.stderr)
	}
}

// askSecret prompts and reads a line that a terminal does not show.
func (a *app) askSecret(ctx context.Context, question string) (secret.Secret, error) {
	fmt.Fprintf(a.stderr, "%s (not shown): ", shown(question))
	read := a.readLine
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		state, err := term.GetState(int(f.Fd()))
		if err != nil {
			return secret.Secret{}, fmt.Errorf("the terminal cannot hide what is typed: %w", err)
		}
		// A read that ctrl+c leaves behind would leave the terminal without echo.
		defer func() { _ = term.Restore(int(f.Fd()), state) }()
		defer fmt.Fprintln(a.stderr)
		read = func() (string, error) {
			line, err := term.ReadPassword(int(f.Fd()))
			return string(line), err
		}
	}
	line, err := waitFor(ctx, read)
	a.endPrompt()
	if err == nil && strings.TrimSpace(line) == "" {
		err = usage("nothing was typed for the %s", strings.ToLower(question))
	}
	value := secret.New(strings.TrimSpace(line))
	a.redactor.Add(value)
	return value, err
}

// confirm asks a question whose default is yes.
func (a *app) confirm(ctx context.Context, question string) (bool, error) {
	answer, err := a.ask(ctx, question+" (y/n)", "y")
	return strings.HasPrefix(strings.ToLower(answer), "y"), err
}

// pick lets the person choose one of several things by its number.
func (a *app) pick(ctx context.Context, question string, choices []string) (int, error) {
	for i, c := range choices {
		a.say("  %d  %s", i+1, c)
	}
	answer, err := a.ask(ctx, question, "1")
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(answer)
	if err != nil || n < 1 || n > len(choices) {
		return 0, usage("%q is not a number from 1 to %d", answer, len(choices))
	}
	return n - 1, nil
}

func (a *app) readLine() (string, error) {
	line, err := a.prompts().ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		err = usage("stdin ended before the question was answered").next("Run it in a terminal, or write one answer per line to stdin.")
	}
	return strings.TrimSpace(line), err
}

// waitFor runs a read that cannot be interrupted; it is left behind when the
// context ends.
func waitFor(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		line string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		line, err := read()
		done <- answer{line, err}
	}()
	select {
	case got := <-done:
		return got.line, got.err
	case <-ctx.Done():
		return "", canceled("sign in")
	}
}
