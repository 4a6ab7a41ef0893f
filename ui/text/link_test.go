package text

import "testing"

func TestWebAddress(t *testing.T) {
	for in, want := range map[string]bool{
		"https://example.test/a?b=c":    true,
		"http://example.test":           true,
		"https://example.test/ü?q=ä#ö":  true,
		"https://u:p@example.test/":     false,
		"javascript:alert(1)":           false,
		"https://":                      false,
		"https://example.test/\x1b]8;;": false,
		"https://example.test/\x07":     false,
		"ftp://example.test/":           false,
	} {
		address, ok := webAddress(in)
		if ok != want {
			t.Errorf("webAddress(%q) = %q, %v", in, address, ok)
		}
		if got := Link("x", in); (got != "x") != want {
			t.Errorf("Link to %q is %q", in, got)
		}
	}
	if got, ok := webAddress("https://example.test/ä b"); !ok || got != "https://example.test/%C3%A4%20b" {
		t.Errorf("not percent-encoded: %q, %v", got, ok)
	}
}
