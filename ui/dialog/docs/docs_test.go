package docs

import (
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	small "patchbay/testdata/catalog"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/request"
	"patchbay/ui/style"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	request *request.Pane
}

func (desk) Focus() intent.Pane         { return intent.Request }
func (desk) Document() *answer.Document { return nil }
func (desk) Catalog() *catalog.Catalog  { return small.Catalog() }
func (d desk) Request() *request.Pane   { return d.request }

func TestTheOpenActionIsDocumented(t *testing.T) {
	d := desk{request: request.New(time.Now)}
	f := &Feature{Host: d}
	if why := f.missing(); !strings.Contains(why, "put the cursor on a connector") {
		t.Errorf("without an action: %q", why)
	}
	k, e, a, err := small.Catalog().Resolve("payments", "customers", "list")
	if err != nil {
		t.Fatal(err)
	}
	d.request.Open(client.Connector{Kind: "payments"}, k, e, a, nil, nil)
	if why := f.missing(); why != "" {
		t.Fatal(why)
	}
	r := f.open().(intent.Push).Overlay.(*overlay.Reader)
	if r.Heading != k.Title+" / customers / list" || len(r.Body) == 0 {
		t.Errorf("%q is shown with %d lines", r.Heading, len(r.Body))
	}
	if in, ok := f.Of("nothing", "", "").(intent.Say); !ok || !in.Bad {
		t.Error("an unknown kind is documented")
	}
}

func TestTheDocumentationAsideScrolls(t *testing.T) {
	d := desk{request: request.New(time.Now)}
	f, s := &Feature{Host: d}, &style.Styles{}
	f.Wheel(5, 40, 4, s) // nothing is open yet
	if _, lines := f.Aside(40, 4, s); lines != nil {
		t.Errorf("without an action it shows %q", lines)
	}
	k, e, a, err := small.Catalog().Resolve("payments", "customers", "list")
	if err != nil {
		t.Fatal(err)
	}
	d.request.Open(client.Connector{Kind: "payments"}, k, e, a, nil, nil)
	_, first := f.Aside(40, 4, s)
	f.Wheel(1, 40, 4, s)
	if _, next := f.Aside(40, 4, s); len(next) != 4 || next[0] != first[1] {
		t.Errorf("a line down from %q it shows %q", first, next)
	}
	f.Wheel(1<<20, 40, 4, s)
	if _, last := f.Aside(40, 4, s); len(last) != 4 {
		t.Errorf("the end shows %d lines", len(last))
	}
	f.Rewind()
	if _, again := f.Aside(40, 4, s); again[0] != first[0] {
		t.Errorf("another action begins with %q", again[0])
	}
}
