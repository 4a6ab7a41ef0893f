package tree

import (
	"testing"

	"patchbay/client"
	"patchbay/ui/intent"
)

func TestUnfoldingAtTheEdgeShowsTheChildren(t *testing.T) {
	tree := New()
	tree.SetWorkspaces([]client.Workspace{{Name: "a"}, {Name: "b"}, {Name: "c"}}, "")
	tree.Fit(0, 3)
	tree.Move(0, 2)
	if tree.Open() == nil {
		t.Fatal("opening a workspace asks for nothing")
	}
	tree.Fit(0, 3)
	tree.SetConnectors("c", []client.Connector{{ID: "1", Name: "x"}, {ID: "2", Name: "y"}, {ID: "3", Name: "z"}}, "")
	tree.Fit(0, 3)
	if tree.scroll.Top != 2 || tree.Current().Workspace != "c" {
		t.Errorf("the window starts at %d, on %+v", tree.scroll.Top, tree.Current())
	}
}

func TestRevealOpensTheGroupOfALocalConnector(t *testing.T) {
	tree := New()
	tree.SetWorkspaces([]client.Workspace{{Name: "a"}}, "")
	c := client.Connector{Name: "mine", Kind: "payments", Local: true}
	tree.AddGroup("local", "called directly", []client.Connector{c})
	tree.Fit(40, 10)
	if in := tree.Reveal(c, "", ""); in != nil {
		t.Errorf("showing it asks for %v", in)
	}
	if n := tree.Current(); n == nil || n.Connector.Name != "mine" {
		t.Errorf("the cursor is on %+v", n)
	}
}

// What is called directly needs no service: it stands below what went wrong there.
func TestALocalGroupStandsBesideAProblem(t *testing.T) {
	tree := New()
	tree.SetWorkspaces(nil, "nothing listens there")
	if msg, empty := tree.Empty(); !empty || msg != "nothing listens there" {
		t.Errorf("%q, %v", msg, empty)
	}
	tree.AddGroup(LocalGroup, "called directly", []client.Connector{{ID: "m", Name: "mine", Kind: "payments", Local: true}})
	tree.Fit(40, 10)
	if msg, empty := tree.Empty(); empty {
		t.Errorf("only %q is shown", msg)
	}
	if in := tree.Open(); in != (intent.LoadWorkspaces{}) {
		t.Errorf("the problem opens %+v", in)
	}
	tree.Move(0, 1)
	tree.Open()
	tree.Move(0, 1)
	if n := tree.Current(); n == nil || n.Connector.Name != "mine" {
		t.Errorf("the cursor is on %+v", n)
	}
}
