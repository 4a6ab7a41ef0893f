package text

import "testing"

func TestPlainKeepsData(t *testing.T) {
	for _, data := range []Safe{"Zoë", "花子", "3 × 4 → 5 µm…", "│ a │", "plain", ""} {
		line := "│ ▸ " + Protect(data) + " · 2 µs …"
		if got, want := Plain(line), "| > "+data+" - 2 us ~"; got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
		if Width(Protect(data)) != Width(data) {
			t.Errorf("%q has another width when it is protected", data)
		}
	}
	if got := Plain(Protect("\U000f0000")); got != "\ufffd" {
		t.Errorf("a private character in data becomes %q", got)
	}
}
