package response

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"patchbay/client/rawjson"
	"patchbay/ui/intent"
)

// offered are the paths that JumpPath offers, and what choosing one asks for.
func offered(t *testing.T, p *Pane) (titles []string, choose intent.Choose) {
	t.Helper()
	work, ok := p.JumpPath().(intent.Task)
	if !ok {
		t.Fatal("no work is asked for")
	}
	apply, err := work.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	choose = apply().(intent.Choose)
	for _, o := range choose.Options {
		titles = append(titles, o.Title)
	}
	return titles, choose
}

func TestPathsAreListedOnce(t *testing.T) {
	p := paneOf(t, `{"meta":{"x y":1},"data":[{"id":"a","tags":["u"]},{"id":"b","deep":{"er":[{"z":null}]}}]}`)
	p.ShowView("JSON")
	drawn(p, styles(t))
	p.row = 1
	titles, choose := offered(t, p)
	want := `.data[].id .data[].deep .data[].deep.er .data[].deep.er[] .data[].deep.er[].z .meta .meta["x y"] .data .data[] .data[].tags .data[].tags[]`
	if got := strings.Join(titles, " "); got != want {
		t.Errorf("the paths are\n%s, want\n%s", got, want)
	}
	for i, to := range map[int]string{0: ".data[1].id", 4: ".data[1].deep.er[0].z", 6: `.meta["x y"]`, 9: ".data[0].tags"} {
		choose.Done(choose.Options[i].Value)
		drawn(p, styles(t))
		if at := p.tree().path().Dotted(); at != to {
			t.Errorf("%s leads to %s, want %s", titles[i], at, to)
		}
	}
}

// A path may be typed, with or without the dot it begins with.
func TestATypedPathIsFound(t *testing.T) {
	p := paneOf(t, `{"data":[{"id":"a"},{"id":"b","n":[1,2]}]}`)
	p.ShowView("JSON")
	drawn(p, styles(t))
	_, choose := offered(t, p)
	for typed, want := range map[string]string{".data[1].n[1]": ".data[1].n[1]", "data[0].id": ".data[0].id", ".data": ".data"} {
		work(t, choose.Done(typed))
		drawn(p, styles(t))
		if at := p.tree().path().Dotted(); at != want {
			t.Errorf("%s leads to %s", typed, at)
		}
	}
	task := choose.Done(".data[7].id").(intent.Task)
	if _, err := task.Do(context.Background()); err == nil || !strings.Contains(err.Error(), ".data holds 2 records") {
		t.Errorf("a path that leads nowhere: %v", err)
	}
	if said, ok := choose.Done(".data[").(intent.Say); !ok || !said.Bad {
		t.Errorf("what is no path gives %v", said)
	}
}

// Of a large document so much is looked at that the list comes at once, and any record
// is reached.
func TestPathsOfALargeDocument(t *testing.T) {
	var b strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&b, `{"id":%d,"customer":{"name":"n%d"},"list":[1,2,3]}`+"\n", i, i)
	}
	for name, body := range map[string]string{"lines": b.String(),
		"array": "[" + strings.ReplaceAll(strings.TrimSpace(b.String()), "\n", ",") + "]"} {
		p := paneOf(t, body)
		p.ShowView("JSON")
		drawn(p, styles(t))
		titles, choose := offered(t, p)
		if len(titles) > 10 {
			t.Errorf("%s: %d paths", name, len(titles))
		}
		work(t, choose.Done(".[99999].customer.name"))
		drawn(p, styles(t))
		if at := p.tree().path().Dotted(); at != ".[99999].customer.name" || p.row != 99_999 {
			t.Errorf("%s: the path leads to %s, record %d", name, at, p.row)
		}
	}
}

// What is listed is bounded although every member has a name of its own.
func TestPathsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3 * mostPaths {
		fmt.Fprintf(&b, `,"k%d":{"v":1}`, i)
	}
	list, err := waysOf(context.Background(), &tree{root: rawjson.Parse([]byte("{" + b.String()[1:] + "}"))}, rawjson.Node{}, nil)
	if err != nil || len(list) != mostPaths {
		t.Errorf("%d paths, %v", len(list), err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := waysOf(ended, &tree{root: rawjson.Parse([]byte(`{"a":1}`))}, rawjson.Node{}, nil); err == nil {
		t.Error("stopped work goes on")
	}
}
