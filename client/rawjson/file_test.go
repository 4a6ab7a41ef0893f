package rawjson

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// onDisk is a file of customers, and a source over it that has read nothing yet.
func onDisk(t *testing.T) (*File, *os.File, []byte) {
	t.Helper()
	data := customers(2000)
	path := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	// Of an older time, so that any writing shows.
	old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return NewFile(f, int64(len(data))), f, data
}

func TestAFileThatIsWrittenAnewIsToldOf(t *testing.T) {
	for name, write := range map[string]func(f *os.File, size int) error{
		"other content": func(f *os.File, size int) error {
			_, err := f.WriteAt(bytes.Repeat([]byte("y"), size+10), 0)
			return err
		},
		"shorter": func(f *os.File, size int) error { return f.Truncate(int64(size / 2)) },
	} {
		src, f, data := onDisk(t)
		if err := write(f, len(data)); err != nil {
			t.Fatal(err)
		}
		src.Slice(0, 100)
		if src.Err() == nil || !strings.Contains(src.Err().Error(), "open it again") {
			t.Errorf("%s: %v", name, src.Err())
		}
	}
}

func TestAFileThatGrowsIsStillTheSame(t *testing.T) {
	src, f, data := onDisk(t)
	if _, err := f.WriteAt([]byte("more"), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	if got := src.Slice(0, 100); !bytes.Equal(got, data[:100]) || src.Err() != nil {
		t.Errorf("%q, %v", got, src.Err())
	}
}

func TestAFileThatIsGoneIsReadOn(t *testing.T) {
	src, f, data := onDisk(t)
	if err := os.Remove(f.Name()); err != nil {
		t.Skip(err) // some systems keep what is open
	}
	if got := src.Slice(0, 100); !bytes.Equal(got, data[:100]) || src.Err() != nil {
		t.Errorf("%q, %v", got, src.Err())
	}
}
