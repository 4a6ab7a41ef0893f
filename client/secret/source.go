package secret

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Ref names the one place a credential is read from. Exactly one member is set.
type Ref struct {
	// Keyring and File are keys in the OS keyring and in the secrets file.
	Keyring string `yaml:"keyring,omitempty" json:"keyring,omitempty"`
	File    string `yaml:"file,omitempty" json:"file,omitempty"`
	// Env is the name of an environment variable.
	Env string `yaml:"env,omitempty" json:"env,omitempty"`
	// Command is run by the shell; its first output line is the secret.
	Command string `yaml:"command,omitempty" json:"command,omitempty"`
}

// Empty tells whether no place is named.
func (r Ref) Empty() bool { return r == Ref{} }

// String tells the place for people. It holds no secret.
func (r Ref) String() string {
	switch {
	case r.Keyring != "":
		return "keyring entry " + r.Keyring
	case r.File != "":
		return "entry " + r.File + " of the secrets file"
	case r.Env != "":
		return "environment variable " + r.Env
	case r.Command != "":
		return "command " + firstWord(r.Command)
	}
	return "nowhere"
}

// RefTo names the place that a Store reported.
func RefTo(f Found, key string) Ref {
	if f.Source == FromFile {
		return Ref{File: key}
	}
	return Ref{Keyring: key}
}

// Sources resolves references.
type Sources struct {
	// Env is the environment.
	Env map[string]string
	// Keyring and File are asked for their references; nil when there is none.
	Keyring, File Store
	// CommandTimeout bounds a command; 20 seconds when 0.
	CommandTimeout time.Duration
}

// Resolve reads the secret that ref names. Its error wraps ErrNotFound when
// the place exists but holds nothing.
func (s Sources) Resolve(ctx context.Context, ref Ref) (Found, error) {
	switch {
	case ref.Env != "":
		return s.fromEnv(ref.Env)
	case ref.Command != "":
		return s.fromCommand(ctx, ref.Command)
	case ref.Keyring != "" && s.Keyring != nil:
		return s.Keyring.Get(ctx, ref.Keyring)
	case ref.File != "" && s.File != nil:
		return s.File.Get(ctx, ref.File)
	}
	return Found{}, fmt.Errorf("read a credential from %s: %w", ref, ErrNotFound)
}

func (s Sources) fromEnv(name string) (Found, error) {
	value := s.Env[name]
	if value == "" {
		return Found{}, fmt.Errorf("read environment variable %s: it is not set: %w", name, ErrNotFound)
	}
	return Found{Value: New(value), Source: FromEnv, Place: "environment variable " + name}, nil
}

func (s Sources) fromCommand(ctx context.Context, line string) (Found, error) {
	limit := s.CommandTimeout
	if limit == 0 {
		limit = 20 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := shell(ctx, line)
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.WaitDelay = time.Second
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return Found{}, fmt.Errorf("run the credential command %s: it did not end within %s: %w", firstWord(line), limit, ctx.Err())
	}
	if err != nil {
		return Found{}, fmt.Errorf("run the credential command %s: %w%s", firstWord(line), err, told(errText.String()))
	}
	value, _, _ := strings.Cut(string(out), "\n")
	value = strings.TrimRight(value, "\r")
	if value == "" {
		return Found{}, errors.Join(fmt.Errorf("run the credential command %s: it printed nothing", firstWord(line)), ErrNotFound)
	}
	return Found{Value: New(value), Source: FromCommand, Place: "command " + firstWord(line)}, nil
}

func shell(ctx context.Context, line string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.CommandContext(ctx, "cmd", "/C", line)
	}
	return exec.CommandContext(ctx, "sh", "-c", line)
}

// firstWord names a command without its arguments and the variables set before
// it, which may tell more than they should.
func firstWord(line string) string {
	for _, word := range strings.Fields(line) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return "of the settings"
}

// told quotes the first line of what a command said about its failure.
func told(text string) string {
	const longest = 200
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return ": " + line[:min(len(line), longest)]
}
