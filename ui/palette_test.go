package ui

import (
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// twoAccounts plays with two connectors of one kind, one of them open.
func twoAccounts(t *testing.T) *player {
	p := play(t, Deps{}, 120, 36)
	p.m.tree.SetConnectors("demo", []client.Connector{
		{ID: "1", Name: "acme payments", Kind: "payments", Workspace: "demo"},
		{ID: "2", Name: "gzip", Kind: "payments", Workspace: "demo"},
		{ID: "3", Name: "pages", Kind: "team_wiki", Workspace: "demo"}}, "")
	p.command("gzip customers list")
	p.wants("demo › gzip › customers › list")
	return p
}

func TestTheOpenConnectorComesFirst(t *testing.T) {
	p := twoAccounts(t)
	for _, line := range [][2]string{
		{"payments charges list", "gzip › charges › list"},
		{"charges get", "gzip › charges › get"},
		{"gzip charges list", "gzip › charges › list"},
		{"ACME PAYMENTS/refunds/list", "acme payments › refunds › list"},
		{"acme payments charges list", "acme payments › charges › list"},
	} {
		p.command("gzip invoices list")
		p.command(line[0])
		p.wants("demo › " + line[1])
	}
	p.command("gzip invoices list")
	p.keys("ctrl+p")
	p.typed("charges list")
	items := p.m.stack.Top().(*overlay.List).Source("invoices get")
	var notes []string
	for _, it := range items {
		if it.Title == "get" && strings.Contains(it.Note, "invoices") {
			notes = append(notes, it.Note)
		}
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "demo > gzip > invoices > get") ||
		!strings.Contains(notes[1], "demo > acme payments > invoices > get") {
		t.Errorf("the search finds %q", notes)
	}
	p.keys("enter")
	p.wants("gzip › charges › list")
}

func TestTheCommandLineCompletesNames(t *testing.T) {
	p := twoAccounts(t)
	p.keys(":")
	like := p.m.stack.Top().(*overlay.Prompt).Complete
	for stem, want := range map[string]string{"gz": "gzip", "gzip char": "gzip charges",
		"acme payments charges l": "acme payments charges list"} {
		if got := like(stem); len(got) == 0 || got[0] != want {
			t.Errorf("%q is completed by %q, want %q", stem, got, want)
		}
	}
}

func TestTheSearchOpensOnPlaces(t *testing.T) {
	p := twoAccounts(t)
	p.command("acme payments charges list")
	p.keys("ctrl+p")
	items := p.m.stack.Top().(*overlay.List).Source("")
	var groups []string
	for _, it := range items {
		if n := len(groups); n == 0 || groups[n-1] != it.Group {
			groups = append(groups, it.Group)
		}
	}
	if got := strings.Join(groups, "|"); got != "Places, the last first|Connectors|Kinds without a connector here|Actions" {
		t.Errorf("it lists %s", got)
	}
	if items[0].Title != "gzip customers list" {
		t.Errorf("it begins with %q", items[0].Title)
	}
}

func TestSearchedActionsStandOnce(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	for _, key := range []string{"?", "ctrl+p"} {
		p.keys(key)
		seen := map[string]bool{}
		for _, it := range p.m.stack.Top().(*overlay.List).Source("go to the record") {
			if seen[it.Title] {
				t.Errorf("%s lists %q twice", key, it.Title)
			}
			seen[it.Title] = true
		}
		found := p.m.stack.Top().(*overlay.List).Source("sort")
		for _, it := range found {
			if strings.Contains(it.Title, "Delete") {
				t.Errorf("%s finds %q for sort", key, it.Title)
			}
		}
		if key == "?" && !strings.HasPrefix(found[0].Title, "Sort by") {
			t.Errorf("sort finds %q first", found[0].Title)
		}
		p.keys("esc")
	}
}

// A connector whose workspace was not opened yet is looked for by its name.
func TestAConnectorIsLookedForByItsName(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	p.m.tree.SetConnectors("demo", []client.Connector{{ID: "1", Name: "gzip", Kind: "payments", Workspace: "demo"}}, "")
	p.command("nowhere charges list")
	p.wants("no connector is called nowhere")
	p.keys("esc")
	if len(p.m.tree.Unlisted()) != 0 {
		t.Errorf("%q were not asked", p.m.tree.Unlisted())
	}
}

// Behind the open connector comes the one that is called what is typed, before others of
// the open one's workspace.
func TestTheConnectorThatIsTypedStandsSecond(t *testing.T) {
	p := play(t, Deps{}, 120, 36)
	var faults []client.Connector
	for _, name := range []string{"expired", "gzip", "huge", "slow", "html", "cut"} {
		faults = append(faults, client.Connector{ID: "f-" + name, Name: name, Kind: "payments", Type: "stripe", Workspace: "faults"})
	}
	p.m.tree.SetConnectors("faults", faults, "")
	p.openOn(faults[1], "customers", "list", `{}`)
	p.keys("ctrl+p")
	var got []string
	for _, it := range p.m.stack.Top().(*overlay.List).Source("payments charges list") {
		if to, ok := it.Value.(intent.GoTo); ok && to.Hit.Action == "list" && len(got) < 3 {
			got = append(got, to.Connector.Workspace+"/"+to.Connector.Name)
		}
	}
	if strings.Join(got, " ") != "faults/gzip demo/payments faults/expired" {
		t.Errorf("it lists %q", got)
	}
}
