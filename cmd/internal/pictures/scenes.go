package main

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// scene is one picture: where the explorer is, and what is pressed.
type scene struct {
	// name is that of the file; about says in words what the picture shows.
	name, about string
	theme       string
	w, h        int
	// place is reopened as by a later start; none is the first start.
	place place
	// card leaves the card of the first start open.
	card bool
	keys []string
	// shows are texts that must be on the screen, so that a scene that went
	// another way is noticed.
	shows []string
}

const dark = "patchbay-dark"

// newIssue is a call to paste into the form.
const newIssue = `{"entity":"issues","action":"create","params":{"fields":{"project":{"key":"OPS"},"issuetype":{"name":"Task"},` +
	`"summary":"Rotate the credentials of the staging connector","labels":["security","staging"]}}}`

// scenes are in the order of the README.
var scenes = []scene{
	{name: "first", about: "the first start, with the card that teaches five keys", theme: dark, w: 120, h: 36,
		card: true, shows: []string{"customers", "20 rows"}},
	{name: "wide", about: "the record beside the table where there is room", theme: dark, w: 180, h: 44,
		keys: []string{"3", "j j j", "l l"}, shows: []string{"20 rows", "next page", "Record 4"}},
	{name: "form", about: "the request form with a nested filter", theme: dark, w: 120, h: 36,
		place: place{"issue_tracker", "issues", "create"}, shows: []string{"valid", "2 rows", "Rotate the credentials"},
		keys: []string{"2", newIssue, "g l j l j j j l j j j j j j l j"}},
	{name: "search", about: "the search workbench and its results", theme: dark, w: 120, h: 36,
		place: place{"payments", "customers", "context_store_search"}, shows: []string{"valid", "any of", "desc", "rows"},
		keys: []string{"2 j enter", "'delinq", "enter enter x", "'any-of", "enter", "'currency", "enter enter", "'usd", "enter x",
			"'Add a condition", "enter", "'currency", "enter enter", "'cad", "enter j j enter", "'created", "enter l enter r 2 k k k"}},
	{name: "record", about: "one record as a tree", theme: dark, w: 120, h: 36,
		keys: []string{"3", "j j", "enter", "j j j"}, shows: []string{"Record"}},
	{name: "json", about: "the body as JSON", theme: "gruvbox-dark", w: 120, h: 36,
		keys: []string{"3", "] ]"}, shows: []string{"JSON"}},
	{name: "error", about: "a refused search and what to do next", theme: dark, w: 120, h: 36,
		place: place{"issue_tracker", "issues", "api_search"}, shows: []string{"400", "params.jql", "do next"},
		keys: []string{"2 enter", "'order by created", "enter ctrl+r"}},
	{name: "help", about: "help as a search over every action", theme: dark, w: 120, h: 36,
		keys: []string{"?", "'next page"}, shows: []string{"Fetch the next page"}},
	{name: "light", about: "the light theme", theme: "patchbay-light", w: 120, h: 36,
		keys: []string{"3", "j"}, shows: []string{"20 rows"}},
	{name: "narrow", about: "80 columns: one pane at a time", theme: dark, w: 80, h: 24,
		keys: []string{"3", "j"}, shows: []string{"20 rows"}},
}

// draw runs the scene and returns its picture.
func (s scene) draw() ([]byte, error) {
	st, err := newStage(s)
	if err != nil {
		return nil, err
	}
	st.press(s.keys...)
	if st.err != nil {
		return nil, st.err
	}
	view := st.model.View()
	text := ansi.Strip(view.Content)
	for _, want := range s.shows {
		if !strings.Contains(text, want) {
			return nil, fmt.Errorf("the screen lacks %q:\n%s", want, text)
		}
	}
	return render(view, st.theme, s), nil
}

// title is what the frame of the picture says.
func title(v tea.View) string {
	if v.WindowTitle == "" {
		return "patchbay"
	}
	return v.WindowTitle
}
