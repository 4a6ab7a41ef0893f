package ui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/profile"
	"patchbay/ui/overlay"
)

// commandLine plays a fresh sandbox whose card is gone.
func commandLine(t *testing.T, deps Deps) *player {
	t.Helper()
	deps.Fresh = true
	p := play(t, deps, 120, 36)
	p.keys("esc")
	return p
}

func (p *player) command(line string) {
	p.t.Helper()
	p.keys(":")
	p.typed(line)
	p.keys("enter")
}

func TestThePlacesOfTheCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"invoices":              "payments › invoices › list",
		"charges get":           "payments › charges › get",
		"team_wiki pages list":  "team_wiki › pages › list",
		"team_wiki/spaces":      "team_wiki › spaces › list",
		"go payments > refunds": "payments › refunds › list",
	} {
		p := commandLine(t, Deps{})
		p.command(line)
		p.wants(want)
	}
}

func TestCommandsThatTakeAValue(t *testing.T) {
	p := commandLine(t, Deps{})
	p.command("set limit 3")
	if got := string(p.m.req.Params()); !strings.Contains(got, `"limit":3`) {
		t.Errorf("params %s", got)
	}
	p.command("set created.gte 2026-01-01")
	if got := string(p.m.req.Params()); !strings.Contains(got, `"gte":1767225600`) {
		t.Errorf("params %s", got)
	}
	p.keys("r")
	p.command("view pages")
	p.wants("[Pages")
	p.command("view table")
	p.command("filter Zoe")
	p.wants("Zoe")
	p.command("theme nord")
	if got := p.m.look.Styles.Theme.Name; got != "nord" {
		t.Errorf("theme %q", got)
	}
	p.command("jq .email")
	if p.field() != ".email" {
		t.Errorf("jq opened %v", p.m.stack.Top())
	}
}

func TestASearchIsSetByCommand(t *testing.T) {
	p := commandLine(t, Deps{})
	p.command("customers context_store_search")
	p.command("set limit 5")
	p.command("set fields [\"id\"]")
	if got := string(p.m.req.Params()); !strings.Contains(got, `"limit":5`) || !strings.Contains(got, `"fields":["id"]`) {
		t.Errorf("params %s", got)
	}
	p.command("set limit many")
	p.wants("limit cannot be many")
	p.command("set query {}")
	p.wants("query is built in the form")
}

func TestCommandsThatCannotBe(t *testing.T) {
	for line, want := range map[string]string{
		"nothing":        "there is no command, action or place nothing",
		"payment_i":      "there is no payment_i; tab takes payment_intents",
		"go nowhere":     "there is no place nowhere",
		"set":            "name the param and its value",
		"set nope 1":     "list has no param nope",
		"set limit":      "a value is missing behind limit",
		"view diagram":   "there is no view diagram of this answer",
		"theme puce":     "there is no theme puce",
		"charges delete": "there is no",
	} {
		p := commandLine(t, Deps{})
		p.command(line)
		p.wants(want)
		if _, open := p.m.stack.Top().(*overlay.Prompt); !open {
			t.Errorf("%q closed the line", line)
		}
	}
}

func TestTheCommandLineCompletes(t *testing.T) {
	p := commandLine(t, Deps{})
	p.keys(":")
	like := p.m.stack.Top().(*overlay.Prompt).Complete
	for stem, want := range map[string]string{
		"se": "set ", "set li": "set limit ", "view sch": "view schema", "theme no": "theme nord", "payments cust": "payments customers",
		"payments customers a": "payments customers api_search", "refu": "refunds", "go team": "go team_wiki", "copy.ca": "copy.call",
		"customers context": "customers context_store_search", "customers store": "customers context_store_search", "theme light": "theme github-light", "prev": "preview",
	} {
		if got := like(stem); len(got) == 0 || got[0] != want {
			t.Errorf("%q is completed by %q, want %q", stem, got, want)
		}
	}
	if got := like("payments customers "); len(got) != 7 {
		t.Errorf("the actions of customers are %q", got)
	}
}

func TestEnterTakesTheOnlyCompletion(t *testing.T) {
	p := commandLine(t, Deps{})
	p.command("customers context")
	p.wants("customers / context_store_search")
	p.keys(":")
	p.typed("theme light")
	p.keys("enter")
	p.wants("there is no theme light")
}

// What the open kind has not is offered from those that have it.
func TestPlacesOfOtherKinds(t *testing.T) {
	p := commandLine(t, Deps{})
	p.command("team_wiki pages")
	p.keys(":")
	p.typed("charges list")
	p.wants("payments charges list")
	p.keys("enter")
	p.wants("payments › charges › list")
	p.command("users list")
	p.wants("tab takes crm users list")
	p.keys("esc")
	p.command("charges fly")
	p.wants("there is no command, action or place charges fly")
}

func TestCommandsAreKeptBetweenStarts(t *testing.T) {
	var kept profile.State
	save := func(s profile.State) error { kept = s; return nil }
	p := commandLine(t, Deps{SaveSettings: save, Settings: profile.State{Commands: []string{"refunds", "invoices"}}})
	p.command("charges")
	p.command("invoices")
	if want := []string{"refunds", "charges", "invoices"}; !slices.Equal(kept.Commands, want) {
		t.Errorf("kept %q, want %q", kept.Commands, want)
	}
}

// A query that is only offered gives way to what is typed.
func TestOfferedQueryGivesWay(t *testing.T) {
	p := openText(t, customers(10), 120, 36)
	value := p.field
	p.keys("|")
	p.typed(".[] | .amount")
	if got := value(); got != ".[] | .amount" {
		t.Errorf("typed anew: %q", got)
	}
	p.keys("esc", "|", "end")
	p.typed("email")
	if got := value(); got != ".email" {
		t.Errorf("typed behind: %q", got)
	}
	p.keys("enter", "|")
	p.send(tea.PasteMsg{Content: "{id}"})
	if got := value(); got != "{id}" {
		t.Errorf("pasted: %q", got)
	}
	p.keys("esc", "|", "backspace")
	p.typed("d")
	if got := value(); got != ".emaid" {
		t.Errorf("edited: %q", got)
	}
}
