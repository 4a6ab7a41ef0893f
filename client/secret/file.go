package secret

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// File keeps secrets in a JSON file that only its owner can read, for machines
// without a keyring.
type File struct {
	// Path of the file; its folder is made when needed.
	Path string
	mu   sync.Mutex
}

func (f *File) found(key string, value Secret) Found {
	return Found{Value: value, Source: FromFile, Place: "entry " + key + " of " + f.Path}
}

// Get implements Store. A file that others can read is refused.
func (f *File) Get(_ context.Context, key string) (Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return Found{}, err
	}
	value, ok := all[key]
	if !ok {
		return Found{}, fmt.Errorf("read entry %s of %s: %w", key, f.Path, ErrNotFound)
	}
	return f.found(key, New(value)), nil
}

// Set implements Store.
func (f *File) Set(_ context.Context, key string, s Secret) (Found, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return Found{}, err
	}
	all[key] = s.value
	return f.found(key, s), f.write(all)
}

// Delete implements Store. The file goes with its last secret.
func (f *File) Delete(_ context.Context, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := f.read()
	if err != nil {
		return err
	}
	if _, ok := all[key]; !ok {
		return nil
	}
	delete(all, key)
	if len(all) == 0 {
		return os.Remove(f.Path)
	}
	return f.write(all)
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
		return nil, fmt.Errorf("read the secrets file %s: others can read it (mode %o); run: chmod 600 %s", f.Path, info.Mode().Perm(), f.Path)
	}
	data, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fmt.Errorf("read the secrets file: %w", err)
	}
	if json.Unmarshal(data, &all) != nil {
		// The decoder's own words could quote a piece of a secret.
		return nil, fmt.Errorf("read the secrets file %s: it is not a JSON object of texts; repair it or delete it and sign in again", f.Path)
	}
	return all, nil
}

func (f *File) write(all map[string]string) error {
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("write the secrets file: %w", err)
	}
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write the secrets file: %w", err)
	}
	tmp, err := os.CreateTemp(dir, ".secrets-*")
	if err != nil {
		return fmt.Errorf("write the secrets file: %w", err)
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(append(data, '\n'))
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write the secrets file: %w", err)
	}
	return os.Rename(tmp.Name(), f.Path)
}
