package wholefile_test

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

var kills = flag.Int("kills", 8, "how often each writer is killed")

// Environment variables make the test program a writer.
const (
	// childWriter names what it writes, until it is killed or has written up to childTo.
	childWriter = "PATCHBAY_TEST_WRITER"
	childDir    = "PATCHBAY_TEST_DIR"
	childFrom   = "PATCHBAY_TEST_FROM"
	childTo     = "PATCHBAY_TEST_TO"
	// childLimit bounds the size of its files, as a full disk does.
	childLimit = "PATCHBAY_TEST_LIMIT"
	// childUser is who it runs as.
	childUser = "PATCHBAY_TEST_USER"
	// childOne is the number of one of many programs that write at once.
	childOne = "PATCHBAY_TEST_ONE"
)

func TestMain(m *testing.M) {
	if w, ok := writers[os.Getenv(childWriter)]; ok {
		writeOn(w)
	}
	if one := os.Getenv(childOne); one != "" {
		writeAsOne(one)
	}
	os.Exit(m.Run())
}

// writeOn is what the test program does as a writer: it says that it begins, and what
// it has written.
func writeOn(w writer) {
	limitFiles(os.Getenv(childLimit))
	become(os.Getenv(childUser))
	from, _ := strconv.Atoi(os.Getenv(childFrom))
	to, _ := strconv.Atoi(os.Getenv(childTo))
	fmt.Println(from)
	for n := from + 1; to == 0 || n <= to; n++ {
		if err := w.write(os.Getenv(childDir), n); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(n)
	}
	os.Exit(0)
}

// killsOfFolder is how many kills a folder sees before another one is begun: the first
// writing is another one than those after it.
const killsOfFolder = 40

// Every writer is killed at random moments: all it said it had written is there, whole,
// or something newer.
func TestKilledWriters(t *testing.T) {
	for name, w := range writers {
		t.Run(name, func(t *testing.T) {
			dir, last, all, within, begun := "", 0, 0, 30*time.Millisecond, time.Now()
			for i := range *kills {
				if i%min(killsOfFolder, (*kills+1)/2) == 0 {
					dir, last = t.TempDir(), 0
				}
				said, err := killed(name, dir, last, within)
				if err != nil {
					t.Fatalf("kill %d: %v", i, err)
				}
				there, err := w.read(dir)
				if err != nil || there < said || there > said+1 {
					t.Fatalf("kill %d: %d was written, %d is there: %v", i, said, there, err)
				}
				switch all += there - last; { // such that some kills come within each writing
				case there == last:
					within *= 2
				case there > last+2:
					within = max(within*2/3, time.Millisecond)
				}
				last = there
			}
			if all == 0 {
				t.Error("nothing was ever written")
			}
			t.Logf("%d kills, %d written, %s", *kills, all, time.Since(begun).Round(time.Second))
		})
	}
}

// killed runs a writer, kills it at a random moment after it began, and returns the
// last value that it said it had written.
func killed(name, dir string, from int, within time.Duration) (last int, err error) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childWriter+"="+name, childDir+"="+dir, childFrom+"="+strconv.Itoa(from))
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := c.Start(); err != nil {
		return 0, err
	}
	defer func() { _ = c.Wait() }()
	var gone atomic.Bool
	lines := bufio.NewScanner(out)
	for first := true; lines.Scan(); first = false {
		if first {
			time.AfterFunc(rand.N(within), func() { gone.Store(true); _ = c.Process.Kill() })
		}
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			_ = c.Process.Kill()
			return 0, errors.New(lines.Text())
		}
		last = n
	}
	if !gone.Load() {
		return 0, errors.New("the writer ended by itself")
	}
	return last, nil
}
