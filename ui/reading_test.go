package ui

import (
	"fmt"
	"strings"
	"testing"
)

// onColumn moves the table's cursor to a column.
func (p *player) onColumn(name string) {
	p.t.Helper()
	for range 40 {
		if p.m.res.CurrentField() == name {
			return
		}
		p.keys("l")
	}
	p.t.Fatalf("there is no column %s", name)
}

const mixed = `[{"id":"a","n":3,"at":"x"},{"id":"b","n":1,"at":null},{"id":"c","n":2},{"id":"d","n":9,"at":""},{"id":"e","n":5,"at":"null"}]`

func TestRowsWithoutAValueAreKept(t *testing.T) {
	for word, want := range map[string]string{"null": "b", "absent": "c", "empty": "d"} {
		p := openText(t, mixed, 120, 36)
		p.onColumn("at")
		p.keys("s")
		p.wants("("+word+")", "1 row, 20.0%")
		p.typed("(" + word)
		p.keys("enter")
		p.wants("at that is \""+word+"\" · 1 of 5", "row 1 of 1")
		p.keys("enter")
		p.wants(`id: "` + want + `"`)
	}
	p := openText(t, mixed, 120, 36)
	p.onColumn("at")
	p.keys("/", "ctrl+t", "shift+tab")
	p.typed("nul")
	p.wants("say absent, null or empty")
	p.typed("l")
	p.rest()
	p.wants("at that is", "1 of 5 ")
	p.keys("ctrl+t", "ctrl+t")
	p.rest()
	p.wants("rows with", "2 of 5 ") // the null, and the text "null"
}

func TestNextRecordFollowsTheTable(t *testing.T) {
	p := openText(t, mixed, 120, 36)
	p.onColumn("n")
	p.keys("o", "g", "enter")
	p.wants("record 2 of 5, row 1 of 5")
	p.keys("J")
	p.wants("record 3 of 5, row 2 of 5")
	p.keys("J", "J", "J", "J")
	p.wants("record 4 of 5, row 5 of 5")
	p.keys("K")
	p.wants("record 5 of 5, row 4 of 5")
}

// What was found in one record says nothing of the next one.
func TestSearchGoesOnInTheNextRecord(t *testing.T) {
	p := openText(t, `[{"a":"x","b":"y"},{"a":"y","b":"x"}]`, 120, 36)
	p.keys("enter", "/")
	p.typed("x")
	p.keys("enter")
	p.wants(".[0].a")
	p.keys("J", "n")
	p.wants("1 of 1", ".[1].b")
}

func TestRecordTellsWhatIsMissingInTheCatalogOnly(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "enter", ")", ")", ")")
	for range 60 {
		if s := p.screen(); strings.Contains(s, "not in the catalog") {
			t.Fatalf("a documented record holds what is not in the catalog:\n%s", s)
		}
		p.keys("j")
	}
}

func TestLinkUnderTheCursor(t *testing.T) {
	p := openText(t, `[{"a":"https://example.test/x","b":1}]`, 120, 36)
	p.keys("enter")
	if raw := p.m.View().Content; strings.Count(raw, "\x1b]8;;https://example.test/x") != 1 {
		t.Errorf("the value under the cursor is no link: %q", raw)
	}
}

func TestSchemaOfAFile(t *testing.T) {
	p := openText(t, mixed, 120, 36)
	p.keys("]", "]", "]", "]")
	p.wants("[Schema", "5 records looked at, 3 fields", "4 of 5", "string 3, null 1", "the catalog does not know this record")
}

func TestServerTimeOnTheWire(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "[")
	p.wants("[Wire]", "server ", "Server-Timing")
}

func TestFetchUntilACondition(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "m")
	p.typed("until")
	p.keys("enter")
	p.typed(".balance >")
	p.keys("enter")
	p.wants("Until a row holds")
	p.typed(" 5900 and .delinquent")
	p.keys("enter")
	p.wants("is what you looked for")
	met, _, ok := p.m.res.Current()
	if balance, _ := met.Get("balance"); !ok || string(balance.Raw()) != "6000" {
		t.Errorf("the cursor is on a record with balance %s", balance.Raw())
	}
}

// The columns chosen for an entity are not those of what a query made of it.
func TestQueryHasColumnsOfItsOwn(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "l", "l", "H", "|", "ctrl+u")
	p.typed("{id, half: (.balance / 2)}")
	p.keys("enter")
	p.wants("half", "20 results")
	p.keys("l", ")")
	p.keys("q")
	if kept := p.m.deps.Settings.Columns["payments.customers"]; len(kept) < 5 {
		t.Errorf("the columns of the entity are %v", kept)
	}
}

// A text longer than the window is cut there, says so, and is read whole with i.
func TestLongTextsAreReadWhole(t *testing.T) {
	atBoth(t, func(t *testing.T, w, h int) {
		p := openText(t, `[{"id":1,"t":"`+strings.Repeat("word ", 2000)+`the end","u":2}]`, w, h)
		p.keys("enter")
		p.wants("; enter shows more", "u: 2")
		p.keys("j", "enter")
		p.wants("… of 10.0 KB; i on it shows all")
		p.lacks("the end", "u: 2")
		p.keys("enter")
		p.wants("; enter shows more", "u: 2")
		p.keys("i")
		p.wants(".[0].t", "lines 1-")
		p.keys("G")
		p.wants(map[int]string{80: "the end", 120: "word the   "}[w])
		p.keys("esc", "]", "j", "i")
		p.wants("─ .[0].id ─")
	})
}

func TestFindingsAreReadWhole(t *testing.T) {
	long := strings.Repeat("many words ", 12)
	p := openText(t, `[{"id":"cus_1","object":"customer","balance":"`+long+`","created":1}]`, 80, 24)
	p.keys("A")
	p.typed("payments customers")
	p.keys("enter", "[")
	p.wants("[Schema", "documented integer, found string", "many words")
	p.lacks("words ma…")
	p.keys("w")
	p.wants("words ma…")
}

// The words over the table of fields stay when it scrolls.
func TestHeadingOfTheFieldsStays(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `,"field_%d":%d`, i, i)
	}
	p := openText(t, "[{"+b.String()[1:]+"},{}]", 80, 24)
	p.keys("]", "]", "]", "]")
	p.wants("[Schema", "holds")
	p.keys("G")
	p.wants("seen", "holds", "documented", "field_59 ")
	p.keys("home")
	p.wants("2 records looked at", "holds", "field_0 ")
}

// A long text is shown once: its first lines, or all of it once it is unfolded; a search
// that finds it unfolds it.
func TestALongTextIsShownOnce(t *testing.T) {
	p := openText(t, `[{"t":"first line\nsecond line\n`+strings.Repeat("word ", 60)+`the end","u":2}]`, 80, 24)
	p.keys("enter")
	for _, once := range []string{`"first line`, "second line"} {
		if n := strings.Count(p.screen(), once); n != 1 {
			t.Errorf("%q is there %d times:\n%s", once, n, p.screen())
		}
	}
	p.wants("more lines; enter shows more", "u: 2")
	p.lacks("the end")
	p.keys("enter")
	p.wants(`the end"`, "u: 2")
	p.lacks("more lines")
	p.keys("enter", "/")
	p.lacks("the end")
	p.typed("the end")
	p.rest()
	p.wants(`the end"`)
}
