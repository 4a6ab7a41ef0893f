package ui

import (
	"strings"
	"testing"
)

func TestFilterAndSortStayOnOtherPages(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "l", "l", "o", "/")
	p.typed("bauer")
	p.keys("enter")
	p.wants(`· 4 of 20`, "balance▲")
	p.keys(".")
	p.wants("page 2, more", `· 0 of 20`, "balance▲", "No row passes the filter")
	p.keys(".")
	p.wants("page 3, more", `· 1 of 20`)
	p.keys("r")
	p.wants("page 1, more", `· 4 of 20`, "balance▲")
	p.keys("esc", ".")
	p.wants("page 2, more", "balance▲", "row 1 of 20 ")
	if strings.Contains(p.screen(), "rows with") {
		t.Error("esc does not end the filter for the pages to come")
	}
	p.open("payments", "invoices", "list")
	p.keys("r")
	if s := p.screen(); strings.Contains(s, "▲") {
		t.Errorf("another action is sorted too:\n%s", s)
	}
}

func TestComingBackToAPage(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "l", "l", "o", "j", "j", "j")
	p.wants("row 4 of 20")
	p.keys(".")
	p.wants("page 2, more", "row 1 of 20")
	p.keys("j", ",")
	p.wants("page 1, more", "row 4 of 20")
	p.keys(".")
	p.wants("page 2, more", "row 2 of 20")
}

func TestMarksStayWithTheirPages(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "space", ".")
	p.wants("1 marked, 1 on other pages")
	p.keys("j", "space")
	p.wants("Table 2 marked", "2 marked, 1 on other pages")
	p.keys("t")
	p.wants("Table of 2 pages 2 marked", "row 23 of 40, 2 marked")
	p.keys("t", "D", "enter")
	p.wants("Row 2 of page 2 against row 1 of page 1")
	p.keys("esc", "E")
	p.wants("2 marked rows")
	p.keys("esc", "y")
	p.wants("2 marked rows as JSON array", "2 marked rows as NDJSON", "2 marked rows as CSV", "2 marked rows as Markdown table")
	p.keys("esc", "esc")
	if strings.Contains(p.screen(), "marked") {
		t.Error("esc does not take the marks away on all pages")
	}
}

func TestSearchGoesOnInTheNextPage(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "]", "]", "/")
	p.typed("bauer")
	p.keys("enter")
	p.wants("[JSON]", "/bauer · 1 of")
	p.keys(".", ".")
	p.wants("[JSON]", "page 3, more", "/bauer · 1 of")
	p.keys("[", "[")
	p.wants("[Table]", "row 7 of 20")
}

// What is being typed while an answer comes is not interrupted.
func TestAnAnswerDoesNotEndTheTyping(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc")
	_, next := p.m.Update(keyMsg("."))
	p.keys("/")
	p.typed("bau")
	p.run(next)
	p.typed("er")
	p.rest()
	p.wants("page 2, more", "rows with bauer", "0 of 20 loaded")
	p.keys("esc")
	p.wants("row 1 of 20")
}

func TestAQueryIsLeftToTheTableAsItWas(t *testing.T) {
	p := openText(t, customers(100), 120, 36)
	p.keys("l", "H", "o", "/")
	p.typed("user1")
	p.keys("enter", "space", "j", "j")
	p.m.toast.text = ""
	before := p.screen()
	p.keys("|")
	p.typed(".id")
	p.keys("enter")
	p.wants("11 results from 11 inputs")
	p.lacks("keys sorted")
	p.keys("q")
	p.m.toast.text = ""
	if after := p.screen(); after != before {
		t.Errorf("the table is not as it was:\n%s\nwas\n%s", after, before)
	}
}

func TestAQuerySaysWhatItIsFed(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "|")
	p.wants("jq over each record ")
	p.keys("ctrl+t")
	p.wants("jq over the whole answer")
	p.keys("esc", ".", "|")
	p.wants("jq over each record of 2 pages")
	p.keys("esc", "l", "o", "|")
	p.wants("jq over each of 20 rows shown of this page")
	p.keys("esc", "t", "|")
	p.wants("jq over each of 40 rows shown ")
}

// The results of a query have their keys in another order than what came.
func TestResultsOfAQueryTellOfTheirKeys(t *testing.T) {
	p := openText(t, customers(5), 120, 36)
	p.keys("|")
	p.typed("{id, email}")
	p.keys("enter")
	p.wants("jq {id, email} · 5 rows", "keys sorted")
}

// The path of a value begins at the whole; lines have one when put together.
func TestACopiedPathIsAQueryOverTheWhole(t *testing.T) {
	p := openText(t, "{\"n\":\"first\"}\n{\"n\":\"second\"}\n", 120, 36)
	p.keys("|")
	p.typed(".[1].n")
	p.rest()
	p.wants("jq over each record ", "copied paths begin at the whole: ctrl+t")
	p.keys("ctrl+t")
	p.rest()
	p.wants("jq over the lines as one array", `"second"`)
}

func TestAnEmptyNameIsSeen(t *testing.T) {
	p := openText(t, `{"":{"a":1},"b":2}`, 120, 36)
	p.keys("]")
	p.wants(`"": {`)
}

func TestMarkedRowsAreCopiedInEveryFormat(t *testing.T) {
	p := openText(t, `[{"id":1,"note":"a, b"},{"id":2,"note":"=c"},{"id":3,"note":"d"}]`, 120, 36)
	p.keys("space", "space")
	want := map[string]string{
		"2 marked rows as JSON array":     "[\n{\"id\":1,\"note\":\"a, b\"},\n{\"id\":2,\"note\":\"=c\"}\n]\n",
		"2 marked rows as NDJSON":         "{\"id\":1,\"note\":\"a, b\"}\n{\"id\":2,\"note\":\"=c\"}\n",
		"2 marked rows as CSV":            "id,note\n1,\"a, b\"\n2,'=c\n",
		"2 marked rows as Markdown table": "| id | note |\n| --- | --- |\n| 1 | a, b |\n| 2 | =c |\n",
	}
	for _, o := range p.m.res.Copies() {
		expected, ok := want[o.Title]
		if !ok {
			continue
		}
		delete(want, o.Title)
		if got, err := o.Text(t.Context()); err != nil || got != expected {
			t.Errorf("%s is %q (%v), want %q", o.Title, got, err, expected)
		}
	}
	if len(want) > 0 {
		t.Errorf("not offered: %v", want)
	}
}
