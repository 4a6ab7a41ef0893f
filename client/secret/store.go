package secret

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zalando/go-keyring"
)

// Source names the kind of place a secret came from.
type Source string

// The sources.
const (
	FromKeyring Source = "keyring"
	FromFile    Source = "file"
	FromEnv     Source = "environment"
	FromCommand Source = "command"
	FromInput   Source = "input"
)

// Found is a secret and where it came from.
type Found struct {
	Value  Secret
	Source Source
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
	Set(ctx context.Context, key string, s Secret) (Found, error)
	// Delete forgets the secret; deleting what is not there is no error.
	Delete(ctx context.Context, key string) error
}

// keyringPatience bounds a call to the OS keyring, which may wait for a person
// to unlock it.
const keyringPatience = 30 * time.Second

// Backend is an OS keyring. The zero value of Keyring uses the real one.
type Backend interface {
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

type osKeyring struct{}

func (osKeyring) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (osKeyring) Set(service, user, password string) error {
	return keyring.Set(service, user, password)
}
func (osKeyring) Delete(service, user string) error { return keyring.Delete(service, user) }

// Keyring is the OS keyring as a Store.
type Keyring struct {
	// Service groups the entries; "patchbay" when empty.
	Service string
	// Backend is the keyring; nil for that of the operating system.
	Backend Backend
}

func (k Keyring) service() string {
	if k.Service == "" {
		return "patchbay"
	}
	return k.Service
}

func (k Keyring) backend() Backend {
	if k.Backend == nil {
		return osKeyring{}
	}
	return k.Backend
}

func (k Keyring) found(key string, value Secret) Found {
	return Found{Value: value, Source: FromKeyring, Place: "keyring entry " + k.service() + "/" + key}
}

// Get implements Store.
func (k Keyring) Get(ctx context.Context, key string) (Found, error) {
	value, err := patient(ctx, func() (string, error) { return k.backend().Get(k.service(), key) })
	if errors.Is(err, keyring.ErrNotFound) {
		return Found{}, fmt.Errorf("read keyring entry %s/%s: %w", k.service(), key, ErrNotFound)
	}
	if err != nil {
		return Found{}, fmt.Errorf("read keyring entry %s/%s: %w", k.service(), key, err)
	}
	return k.found(key, New(value)), nil
}

// Set implements Store.
func (k Keyring) Set(ctx context.Context, key string, s Secret) (Found, error) {
	_, err := patient(ctx, func() (string, error) { return "", k.backend().Set(k.service(), key, s.value) })
	if err != nil {
		return Found{}, fmt.Errorf("write keyring entry %s/%s: %w", k.service(), key, err)
	}
	return k.found(key, s), nil
}

// Delete implements Store.
func (k Keyring) Delete(ctx context.Context, key string) error {
	_, err := patient(ctx, func() (string, error) { return "", k.backend().Delete(k.service(), key) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("delete keyring entry %s/%s: %w", k.service(), key, err)
	}
	return nil
}

// patient runs a call that takes no context and gives up waiting when ctx ends.
func patient(ctx context.Context, call func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	type answer struct {
		value string
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := call()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return "", fmt.Errorf("the keyring gave no answer: %w", ctx.Err())
	}
}

// Fallback uses the first store that works: Get asks each in turn, Set stops
// at the first that keeps the secret, Delete asks all.
type Fallback []Store

// Get implements Store. When no store has the key, the error wraps ErrNotFound.
func (f Fallback) Get(ctx context.Context, key string) (Found, error) {
	var problems []error
	for _, s := range f {
		found, err := s.Get(ctx, key)
		if err == nil {
			return found, nil
		}
		problems = append(problems, err)
	}
	if len(problems) == 0 {
		return Found{}, fmt.Errorf("read secret %s: %w", key, ErrNotFound)
	}
	return Found{}, errors.Join(problems...)
}

// Set implements Store.
func (f Fallback) Set(ctx context.Context, key string, s Secret) (Found, error) {
	problems := []error{fmt.Errorf("no place could keep the secret %s", key)}
	for _, store := range f {
		found, err := store.Set(ctx, key, s)
		if err == nil {
			return found, nil
		}
		problems = append(problems, err)
	}
	return Found{}, errors.Join(problems...)
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
