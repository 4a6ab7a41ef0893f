package overlay

import (
	"slices"
	"strings"
	"testing"
)

func titles(items []Item) string {
	var out []string
	for _, it := range items {
		out = append(out, it.Title)
	}
	return strings.Join(out, "|")
}

func TestStaticRanks(t *testing.T) {
	items := []Item{
		{Title: "Search the whole catalog"},
		{Title: "Copy the call as curl"},
		{Title: "Choose a theme, with a live preview"},
		{Title: "To the first row"},
		{Title: "Show what the program did", Also: "log"},
		{Title: "Make the catalog anew", Disabled: "there is none"},
		{Title: "Leave a field, a filter, the full screen"},
	}
	source := Static(items)
	for q, want := range map[string]string{
		"log":        "Show what the program did|Search the whole catalog|Make the catalog anew",
		"cat":        "Search the whole catalog|Make the catalog anew",
		"copy curl":  "Copy the call as curl",
		"thme":       "Choose a theme, with a live preview",
		"theme":      "Choose a theme, with a live preview",
		"fullscreen": "Leave a field, a filter, the full screen",
		"refund":     "",
	} {
		if got := titles(source(q)); got != want {
			t.Errorf("%q finds %s, want %s", q, got, want)
		}
	}
	if got := source("theme")[0].Marks; !slices.Equal(got, []int{9, 10, 11, 12, 13}) {
		t.Errorf("theme is marked at %v", got)
	}
}

func TestListStartsOnWhatCanBeChosen(t *testing.T) {
	l := &List{Source: Static([]Item{{Title: "no", Disabled: "why"}, {Title: "yes"}, {Title: "yes too"}})}
	l.refresh()
	if l.Facts() != "2 of 3" {
		t.Errorf("the list starts at %s", l.Facts())
	}
	l.SetQuery("no")
	if l.Facts() != "1 of 1" {
		t.Errorf("a list of disabled items starts at %s", l.Facts())
	}
}
