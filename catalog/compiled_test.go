package catalog

import (
	"strings"
	"sync"
	"testing"
)

func TestCatalogIsSafeForConcurrentUse(t *testing.T) {
	c := New()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, s := range c.Kinds() {
				if _, err := c.Kind(s.ConnectorType); err != nil {
					t.Error(err)
				}
			}
			c.Search("customers", 5)
		})
	}
	wg.Wait()
}

func TestDamagedCatalogIsAnError(t *testing.T) {
	for _, data := range []string{"", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", compiled[:len(compiled)/2], compiled[1:]} {
		if _, err := Open(data).Kind("code_hosting"); err == nil {
			t.Errorf("%d damaged bytes open without an error", len(data))
		}
	}
}

// A bound in Unix seconds is typed as a date or as -7d only where its format says so.
func TestBoundsInUnixSecondsAreTimes(t *testing.T) {
	k, err := New().Kind("payments")
	if err != nil {
		t.Fatal(err)
	}
	bounds := 0
	for _, e := range k.Entities {
		for _, a := range e.Actions {
			for _, p := range a.Params {
				if !strings.HasPrefix(p.Doc, "Bounds on") {
					continue
				}
				for _, m := range p.Members {
					if bounds++; m.Format != "unix" {
						t.Errorf("%s.%s: %s.%s has the format %q", e.Name, a.Name, p.Name, m.Name, m.Format)
					}
				}
			}
		}
	}
	if bounds == 0 {
		t.Error("no bounds in the catalog")
	}
}
