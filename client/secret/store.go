package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"patchbay/client/crew"
	"patchbay/client/ownfile"

	"github.com/zalando/go-keyring"

	"patchbay/client/wholefile"
)

// Found is a secret and where it came from.
type Found struct {
	Value Secret
	// Place tells the place for people: "keyring entry patchbay/prod.token".
	Place string
}

// ErrNotFound is wrapped by errors that tell that a place holds no secret of that name.
var ErrNotFound = errors.New("no secret is stored there")

// Store is a place that secrets are kept in between runs.
type Store interface {
	// Get returns the secret of that key; its error wraps ErrNotFound where there is none.
	Get(ctx context.Context, key string) (Found, error)
	// Set keeps the secret and tells the place.
	Set(ctx context.Context, key string, s Secret) (Ref, error)
	// Delete forgets the secret; deleting what is not there is no error.
	Delete(ctx context.Context, key string) error
}

// keyringPatience bounds a call to the OS keyring, which may wait for a person
// to unlock it.
const keyringPatience = 30 * time.Second

// service groups our entries of the keyring.
const service = "patchbay"

// Keyring is the OS keyring as a Store.
type Keyring struct{}

// Get implements Store.
func (Keyring) Get(ctx context.Context, key string) (Found, error) {
	value, err := patient(ctx, func() (string, error) { return keyring.Get(service, key) })
	if errors.Is(err, keyring.ErrNotFound) {
		err = ErrNotFound
	}
	if err != nil {
		return Found{}, fmt.Errorf("read keyring entry %s/%s: %w", service, key, err)
	}
	return Found{New(value), "keyring entry " + service + "/" + key}, nil
}

// Set implements Store.
func (Keyring) Set(ctx context.Context, key string, s Secret) (Ref, error) {
	_, err := patient(ctx, func() (string, error) { return "", keyring.Set(service, key, s.value) })
	if err != nil {
		err = fmt.Errorf("write keyring entry %s/%s: %w", service, key, err)
	}
	return Ref{Keyring: key}, err
}

// Delete implements Store.
func (Keyring) Delete(ctx context.Context, key string) error {
	_, err := patient(ctx, func() (string, error) { return "", keyring.Delete(service, key) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("delete keyring entry %s/%s: %w", service, key, err)
	}
	return nil
}

// patient runs a call to a keyring and gives up waiting when ctx ends.
func patient(ctx context.Context, call func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	value, err := Await(ctx, call)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("the keyring gave no answer: %w", ctx.Err())
	}
	return value, err
}

// Await runs a call that takes no context; it is left behind when ctx ends.
func Await[T any](ctx context.Context, call func() (T, error)) (value T, err error) {
	var beside crew.Crew
	done := make(chan struct{})
	var answer T
	var failed error
	beside.Go(func() {
		defer close(done)
		answer, failed = call()
	})
	select {
	case <-done:
		beside.Wait()
		return answer, failed
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// Fallback uses the first store that works: Get asks each in turn, Set stops
// at the first that keeps the secret, Delete asks all.
type Fallback []Store

// first asks the stores in turn until one answers.
func first[T any](f Fallback, ask func(Store) (T, error)) (T, error) {
	var problems []error
	for _, s := range f {
		answer, err := ask(s)
		if err == nil {
			return answer, nil
		}
		problems = append(problems, err)
	}
	var none T
	return none, errors.Join(problems...)
}

// Get implements Store. When no store has the key, the error wraps ErrNotFound.
func (f Fallback) Get(ctx context.Context, key string) (Found, error) {
	return first(f, func(s Store) (Found, error) { return s.Get(ctx, key) })
}

// Set implements Store.
func (f Fallback) Set(ctx context.Context, key string, s Secret) (Ref, error) {
	ref, err := first(f, func(to Store) (Ref, error) { return to.Set(ctx, key, s) })
	if err != nil {
		err = fmt.Errorf("no place could keep the secret %s\n%w", key, err)
	}
	return ref, err
}

// Delete implements Store. A store that cannot be reached is no error as long
// as another one answered.
func (f Fallback) Delete(ctx context.Context, key string) error {
	var problems []error
	for _, s := range f {
		if err := s.Delete(ctx, key); err != nil {
			problems = append(problems, err)
		}
	}
	if len(problems) < len(f) {
		return nil
	}
	return errors.Join(problems...)
}

// File keeps secrets in a JSON file that only its owner can read, for machines
// without a keyring.
type File struct {
	// Path of the file; its folder is made when needed.
	Path string
	mu   sync.Mutex
}

// Get implements Store. A file that others can read is refused.
func (f *File) Get(_ context.Context, key string) (Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	value, ok := all[key]
	if err == nil && !ok {
		err = fmt.Errorf("read entry %s of %s: %w", key, f.Path, ErrNotFound)
	}
	return Found{New(value), "entry " + key + " of " + f.Path}, err
}

// Set implements Store.
func (f *File) Set(_ context.Context, key string, s Secret) (Ref, error) {
	return Ref{File: key}, f.change(func(all map[string]string) bool { all[key] = s.value; return true })
}

// Delete implements Store. The file goes with its last secret.
func (f *File) Delete(_ context.Context, key string) error {
	if _, err := os.Stat(f.Path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.change(func(all map[string]string) bool {
		_, ok := all[key]
		delete(all, key)
		return ok
	})
}

// change reads the file, and writes it again where do says that it changed
// something. What other programs keep in it meanwhile stays.
func (f *File) change(do func(all map[string]string) (changed bool)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return wholefile.Change(f.Path, func() error {
		all, err := f.read()
		switch {
		case err != nil || !do(all):
			return err
		case len(all) == 0:
			return os.Remove(f.Path)
		}
		data, err := json.MarshalIndent(all, "", "  ")
		if err == nil {
			err = wholefile.Write(f.Path, append(data, '\n'))
		}
		if err != nil {
			return fmt.Errorf("write the secrets file: %w", err)
		}
		return nil
	})
}

func (f *File) read() (map[string]string, error) {
	all := map[string]string{}
	info, err := os.Stat(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the secrets file: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("read the secrets file %s: others can read it (mode %o); run: chmod 600 %s",
			f.Path, info.Mode().Perm(), f.Path)
	}
	data, err := ownfile.Read(f.Path, ownfile.Large)
	if err != nil {
		return nil, fmt.Errorf("read the secrets file: %w", err)
	}
	if json.Unmarshal(data, &all) != nil || all == nil {
		// The decoder's own words could quote a piece of a secret.
		return nil, fmt.Errorf("read the secrets file %s: it is not a JSON object of texts; repair it or delete it "+
			"and sign in again", f.Path)
	}
	return all, nil
}

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

// Empty reports whether no place is named.
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

// Sources resolves references.
type Sources struct {
	// Env is the environment.
	Env map[string]string
	// Keyring and File are asked for their references; nil when there is none.
	Keyring, File Store
}

// Resolve reads the secret that ref names. Its error wraps ErrNotFound when
// the place exists but holds nothing.
func (s Sources) Resolve(ctx context.Context, ref Ref) (Found, error) {
	switch {
	case ref.Env != "":
		value := s.Env[ref.Env]
		if value == "" {
			return Found{}, fmt.Errorf("read environment variable %s: it is not set: %w", ref.Env, ErrNotFound)
		}
		return Found{New(value), "environment variable " + ref.Env}, nil
	case ref.Command != "":
		return s.fromCommand(ctx, ref.Command)
	case ref.Keyring != "" && s.Keyring != nil:
		return s.Keyring.Get(ctx, ref.Keyring)
	case ref.File != "" && s.File != nil:
		return s.File.Get(ctx, ref.File)
	}
	return Found{}, fmt.Errorf("read a credential from %s: %w", ref, ErrNotFound)
}

// commandTimeout bounds a command.
const commandTimeout = 20 * time.Second

func (s Sources) fromCommand(ctx context.Context, line string) (Found, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, "cmd", "/C", line)
	}
	for name, value := range s.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.WaitDelay = time.Second
	var errText bytes.Buffer
	cmd.Stderr = &errText
	out, err := cmd.Output()
	value, _, _ := strings.Cut(string(out), "\n")
	value = strings.TrimRight(value, "\r")
	switch word := firstWord(line); {
	case ctx.Err() != nil:
		return Found{}, fmt.Errorf("run the credential command %s: it did not end within %s: %w", word, commandTimeout,
			ctx.Err())
	case err != nil:
		const longest = 200
		told, _, _ := strings.Cut(strings.TrimSpace(errText.String()), "\n")
		if told != "" {
			told = ": " + told[:min(len(told), longest)]
		}
		return Found{}, fmt.Errorf("run the credential command %s: %w%s", word, err, told)
	case value == "":
		return Found{}, fmt.Errorf("run the credential command %s: it printed nothing\n%w", word, ErrNotFound)
	default:
		return Found{New(value), "command " + word}, nil
	}
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
