package data

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// What is read by hand is what the layouts of the standard library read.
func TestUsualMomentAgreesWithLayouts(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		got, known := usualMoment(text)
		if !known {
			return
		}
		for _, layout := range timeLayouts {
			if want, err := time.Parse(layout, text); err == nil {
				if !got.Equal(want) {
					t.Fatalf("%q is %v by hand, %v by its layout", text, got, want)
				}
				return
			}
		}
		t.Fatalf("%q is read by hand and by no layout", text)
	}
	rapid.Check(t, func(r *rapid.T) {
		at := time.Unix(rapid.Int64Range(-6e10, 2e11).Draw(r, "seconds"), rapid.Int64Range(0, 999999999).Draw(r, "nanos"))
		text := at.UTC().Format(rapid.SampledFrom(timeLayouts[:4]).Draw(r, "layout"))
		if _, known := usualMoment(text); !known {
			r.Fatalf("%q is not read by hand", text)
		}
		check(r, text)
		bytes := []byte(text)
		bytes[rapid.IntRange(0, len(bytes)-1).Draw(r, "place")] = rapid.SampledFrom([]byte("0139-:TZ+. x")).Draw(r, "byte")
		check(r, string(bytes))
	})
	for _, text := range []string{"", "2026", "2026-02-30T10:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T10:00:00.Z",
		"2026-01-01T10:00:00+0200", "2026-01-01T10:00:00.1234567890Z"} {
		check(t, text)
	}
}
