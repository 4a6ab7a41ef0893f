package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

// both are the sizes at which the views of a result are tried.
var both = []size{{80, 24}, {120, 36}}

func atBoth(t *testing.T, f func(t *testing.T, w, h int)) {
	for _, s := range both {
		t.Run(s.String(), func(t *testing.T) { f(t, s.w, s.h) })
	}
}

func customers(n int) string {
	var b strings.Builder
	b.WriteString("[")
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"id":"cus_%04d","email":"user%d@example.test","balance":%d,"plan":%q,"site":"https://example.test/%d","note":null}`, i, i, (i*7919)%1000, []string{"free", "pro", "team"}[i%3], i)
	}
	b.WriteString("]")
	return b.String()
}

// openText shows text as if it were a file.
func openText(t *testing.T, data string, w, h int) *player {
	t.Helper()
	src := rawjson.Bytes(data)
	d := answer.OpenDocument(t.Context(), src, answer.Reading{Name: "export.json", Size: int64(len(data))})
	d.WaitWhole(t.Context())
	p := play(t, Deps{Document: d}, w, h)
	p.send(tickMsg{})
	return p
}

func TestOpenFile(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := openText(t, customers(500), w, h)
		p.wants("cus_0000", "500 rows")
	})
}

func TestOpenFileShapes(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"ndjson":   {"{\"id\":1}\n{\"id\":2}\n", "2 rows"},
		"envelope": {`{"status":"success","result":{"data":[{"id":1},{"id":2},{"id":3}],"meta":{}}}`, "3 rows"},
		"object":   {`{"id":"only"}`, "only"},
		"cut":      {`[{"id":"a"},{"id":"b"},{"id":`, "cut off at line 1"},
		"broken":   {"[{\"id\":\"a\"},\n{\"id\":\"b\"},\n}]", "broken at line 3"},
		"text":     {"hello there", "hello there"},
		"empty":    {"", "empty file"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openText(t, c.data, 120, 36)
			p.wants(c.want)
			for range 6 {
				p.keys("]", "j", "G", "g")
				p.screen()
			}
		})
	}
}

func TestFileIsSearchedSortedAndFiltered(t *testing.T) {
	p := openText(t, customers(500), 120, 36)
	p.keys("/")
	p.typed("user123@")
	p.keys("enter")
	p.wants("cus_0123", " · 1 of 500 ")
	p.keys("esc", "l", "l", "o")
	p.wants("▲")
	p.keys("o")
	p.wants("▼")
	p.keys("]", "]", "/")
	p.typed("cus_0499")
	p.keys("enter")
	p.wants("1 of 1")
	p.keys("]", "/", "ctrl+u")
	p.typed("cus_0")
	p.keys("enter", "n")
	p.wants("of 500")
	p.keys("enter")
	p.wants("line ")
}

func TestLinksAreMadeOfWebAddressesOnly(t *testing.T) {
	p := openText(t, `[{"a":"https://example.test/x?q=ä","b":"javascript:alert(1)","c":"https://u:p@example.test/","d":"http://example.test/\u0007\u001b]0;x"}]`, 120, 36)
	p.keys("enter")
	raw := p.m.View().Content
	if !strings.Contains(raw, "\x1b]8;;https://example.test/x?q=%C3%A4") {
		t.Errorf("the address is no link: %q", raw)
	}
	for _, bad := range []string{"\x1b]8;;javascript", "\x1b]8;;https://u:p", "\x1b]8;;http://example.test/\a", "\x1b]0;"} {
		if strings.Contains(raw, bad) {
			t.Errorf("%q reaches the screen", bad)
		}
	}
}

func TestColumnsAreLaidOutAndRemembered(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "l", "H", "p", ")")
	key := "payments.customers"
	if got := p.m.deps.Settings; got.Pinned[key] != 2 || len(got.Widths[key]) != 1 || len(got.Columns[key]) == 0 {
		t.Fatalf("the layout was not kept: %+v", got)
	}
	want := strings.Join(p.m.deps.Settings.Columns[key], " ")
	p.keys("r")
	if _, shown := p.m.res.Columns(); strings.Join(shown, " ") != want {
		t.Errorf("another run shows %v, kept were %s", shown, want)
	}
}

func TestPagesTogether(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{Fresh: true}, w, h)
		p.keys("esc", "m", "enter")
		p.wants("Table of 6 pages", "5 pages came, 100 rows")
		p.m.toast.text = ""
		p.keys("G")
		p.wants("row 120 of 120")
	})
}

func TestLedger(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := play(t, Deps{Fresh: true}, w, h)
		p.keys("esc", ".", ".", "]", "]", "]", "]")
		p.wants("[Pages 3]", "starting_after", "next")
		p.keys("g", "enter")
		p.wants("page 1, more")
	})
}

func TestSchema(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		body := `{"data":[{"id":"cus_1","balance":"12","surprise":true},{"id":null}],"meta":{}}`
		p := play(t, Deps{Session: answers(t, "application/json", body)}, w, h)
		p.keys("enter")
		p.open("payments", "customers", "list")
		p.keys("r", "]", "]", "]", "]", "]")
		p.wants("[Schema", "surprise", "not in the catalog")
	})
}

func TestSummaryFilters(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := openText(t, customers(300), w, h)
		for range 8 {
			if p.m.res.CurrentField() == "plan" {
				break
			}
			p.keys("l")
		}
		p.keys("s")
		p.wants("3 distinct", "100 rows")
		p.keys("enter")
		p.wants("row 1 of 100 ", " of 300 ")
	})
}

func TestQueryLine(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := openText(t, customers(300), w, h)
		p.keys("|", "backspace")
		p.typed("select(.plan==\"pro\"")
		p.wants("^")
		p.typed(") | {id, balance}")
		p.rest()
		p.wants("from", "cus_0001")
		p.keys("enter")
		p.wants("100 rows", "100 results")
		p.keys("q")
		p.wants("300 rows")
	})
}

// What is wrong with a query is read in full where the line is narrow.
func TestQueryLineTellsInFull(t *testing.T) {
	p := openText(t, customers(30), 60, 20)
	p.keys("|", "backspace")
	p.typed("map(.name)|sort")
	p.rest()
	p.wants("failed on 30, first on input", "expected an object but", "number (0)")
	p.typed("|nosuchfunction_of_a_rather_long_name")
	p.wants("^", "nosuchfunction_of_a_rather_long_name/0")
}

func TestComputedColumn(t *testing.T) {
	p := openText(t, customers(30), 120, 36)
	p.keys("=")
	p.typed("half = .balance / 2")
	p.keys("enter")
	p.wants("half", "459.5")
}

func TestDiffOfMarkedRecords(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := openText(t, customers(30), w, h)
		p.keys("space", "space", "D", "enter")
		p.wants("cus_0000", "cus_0001", "→")
	})
}

func TestExportToFile(t *testing.T) {
	p := openText(t, customers(30), 120, 36)
	file := filepath.Join(t.TempDir(), "out.csv")
	p.keys("V", "j", "j", "V", "E")
	p.typed("CSV of 3 marked")
	p.keys("enter", "enter")
	p.wants("Write to the file")
	for range 20 {
		p.keys("backspace")
	}
	p.send(tea.PasteMsg{Content: file})
	p.keys("enter")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(string(data)), "\n"); len(lines) != 4 {
		t.Errorf("the file holds %d lines: %s", len(lines), data)
	}
	p.wants("written to")
}

func TestRawLines(t *testing.T) {
	p := openText(t, customers(30), 120, 36)
	p.keys("]", "]", "]", "enter", "j", "j")
	p.wants("line 3 of 30")
	p.keys("enter")
	p.wants("byte ")
}

func TestFileFitsEverySize(t *testing.T) {
	p := openText(t, customers(40), 120, 36)
	for range 4 {
		for w := 1; w <= 130; w += 7 {
			for h := 1; h <= 40; h += 5 {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				p.screen()
			}
		}
		p.send(tea.WindowSizeMsg{Width: 120, Height: 36})
		p.keys("]")
	}
}
