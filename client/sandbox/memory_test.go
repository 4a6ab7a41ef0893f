package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// resident is the memory of the process in MiB, as the system counts it; 0 where it
// does not tell.
func resident() float64 {
	raw, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(fields[0], 64)
	return n / 1024
}

// A pass over every list, search and get of all kinds must leave less than 250 MiB.
func BenchmarkPassOverAllKinds(b *testing.B) {
	for b.Loop() {
		r := newRig(b, Options{Catalog: catalog.New()})
		calls := pass(b, r)
		b.ReportMetric(resident(), "MiB-resident")
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		b.ReportMetric(float64(stats.HeapAlloc)/(1<<20), "MiB-live")
		b.ReportMetric(float64(calls), "calls")
		runtime.KeepAlive(r)
	}
}

// pass asks every action of every kind that reads.
func pass(b *testing.B, r *rig) (calls int) {
	for _, known := range r.s.opts.Catalog.Kinds() {
		k, err := r.s.opts.Catalog.Kind(known.Name)
		if err != nil {
			b.Fatal(err)
		}
		for i := range k.Entities {
			e := &k.Entities[i]
			for j := range e.Actions {
				a := &e.Actions[j]
				if a.Writes() {
					continue
				}
				params := r.actionArguments(k, e, a)
				delete(r.data, k.Name) // the data that params are taken from are not the service's
				status, raw := r.execute(k.Name, e.Name, a.Name, string(rawjson.Encode(params)))
				if status != 200 {
					fmt.Printf("%s %s.%s: %d %.100s\n", k.Name, e.Name, a.Name, status, raw)
				}
				calls++
			}
		}
	}
	return calls
}
