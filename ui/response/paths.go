package response

import (
	"context"
	"fmt"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// Bounds of looking for paths: values that are looked at, elements of one array, paths
// that are listed, and levels.
const (
	pathValues   = 200_000
	pathElements = 200
	mostPaths    = 5_000
	pathDepth    = 64
)

// way is a path that is found in a body, in whichever element of an array first.
type way struct {
	shown  string // with [] for any element
	path   rawjson.Path
	offset int
	sample string
}

// ways collects paths.
type ways struct {
	ctx   context.Context
	known map[string]bool
	list  []way
	left  int // values that may still be looked at
}

// into collects the paths of a value that lies at a path: shape is that with [] for any
// element.
func (c *ways) into(n rawjson.Node, path rawjson.Path, shape string) {
	array := n.Kind() == rawjson.Array
	i := 0
	for name, value := range n.Children() {
		if c.left--; c.left < 0 || len(c.list) >= mostPaths || c.ctx.Err() != nil || array && i == pathElements {
			return
		}
		step := rawjson.At(i)
		if i++; !array {
			step = rawjson.Name(name.Text())
		}
		below := shape + stepShape(step)
		c.add(value, path.With(step), below)
	}
}

func (c *ways) add(n rawjson.Node, path rawjson.Path, shape string) {
	if !c.known[shape] {
		c.known[shape] = true
		shown := shape
		if shown[0] == '[' {
			shown = "." + shown
		}
		c.list = append(c.list, way{shown, path, nodeFrom(n), sampleOf(n)})
	}
	if container(n) && len(path) < pathDepth {
		c.into(n, path, shape)
	}
}

// sampleOf tells what a value looks like.
func sampleOf(n rawjson.Node) string {
	switch n.Kind() {
	case rawjson.Object:
		return "object"
	case rawjson.Array:
		return "array"
	}
	return string(text.Truncate(scalarText(n, 120), 40))
}

// waysOf are the paths of a tree: first those of the record, so that a path leads to that
// one where it has it.
func waysOf(ctx context.Context, t *tree, record rawjson.Node, at rawjson.Path) ([]way, error) {
	c := &ways{ctx: ctx, known: map[string]bool{}, left: pathValues}
	if record.Exists() {
		c.into(record, at, shapeOf(at))
	}
	if t.root.Exists() {
		c.into(t.root, t.base, shapeOf(t.base))
	} else if x := t.index; x != nil {
		for i := range min(x.Len(), pathElements) {
			c.add(x.Record(i), x.PathOf(i), shapeOf(x.PathOf(i)))
		}
	}
	return c.list, ctx.Err()
}

// shapeOf is a path with [] for any element, without the dot of the whole.
func shapeOf(p rawjson.Path) string {
	var b strings.Builder
	for _, step := range p {
		b.WriteString(stepShape(step))
	}
	return b.String()
}

func stepShape(step rawjson.Step) string {
	if step.IsIndex() {
		return "[]"
	}
	t := rawjson.Path{step}.Dotted()
	if strings.HasPrefix(t, ".[") {
		return t[1:]
	}
	return t
}

// JumpPath lists the paths of what the tree shows, to go to one: any that is typed too.
func (p *Pane) JumpPath() intent.Intent {
	t := p.tree()
	if t == nil {
		return nil
	}
	shown, page := t.t, p.Page()
	var record rawjson.Node
	var at rawjson.Path
	if p.HasRecords() {
		record, at = page.Record(p.row), page.Index.PathOf(p.row)
	}
	return intent.Work("looking for paths", func(ctx context.Context) ([]way, error) {
		return waysOf(ctx, &tree{root: t.root, base: t.base, index: t.index}, record, at)
	}, func(list []way) intent.Intent {
		if t.t != shown {
			return nil
		}
		offsets := map[string]int{}
		options := make([]intent.Option, len(list))
		for i, w := range list {
			path := w.path.Dotted()
			offsets[path] = w.offset
			options[i] = intent.Option{Title: w.shown, Note: w.sample, Value: path}
		}
		goTo := func(path string) intent.Intent {
			if offset, ok := offsets[path]; ok {
				return p.showOffset(page, offset)
			}
			return p.lookPath(path)
		}
		return intent.Choose{Title: "Go to a path", Options: options, Free: true, Done: goTo}
	})
}

// showOffset puts the cursor of a view on an offset of a page that is still shown.
func (p *Pane) showOffset(page *answer.Page, offset int) intent.Intent {
	v, ok := p.current().(seeker)
	if !ok || p.Page() != page {
		return nil
	}
	v.goTo(p.Input, offset)
	p.follow()
	return nil
}

// lookPath goes to a path as it was typed, which may lead through all of a large body.
func (p *Pane) lookPath(typed string) intent.Intent {
	if !strings.HasPrefix(typed, ".") && !strings.HasPrefix(typed, "[") {
		typed = "." + typed
	}
	path, err := rawjson.ParsePath(strings.TrimPrefix(typed, "."))
	if err != nil {
		return intent.Say{Text: typed + " is no path: " + err.Error(), Bad: true}
	}
	page := p.Page()
	return intent.Work("looking for "+typed, func(context.Context) (rawjson.Node, error) {
		n, ok := lookup(page, path)
		if !ok {
			return n, fmt.Errorf("nothing lies at %s%s", typed, howMany(page))
		}
		return n, nil
	}, func(n rawjson.Node) intent.Intent { return p.showOffset(page, nodeFrom(n)) })
}

// howMany helps who names a record that there is not.
func howMany(page *answer.Page) string {
	if page.Index == nil || page.Index.Shape() == rawjson.Single {
		return ""
	}
	way := page.Index.Path().Dotted()
	return fmt.Sprintf("; %s holds %s records", way, quantity.Digits(page.Len()))
}

// lookup finds the value at a path of a body; records are found without reading what
// stands before them.
func lookup(page *answer.Page, path rawjson.Path) (rawjson.Node, bool) {
	if x := page.Index; x != nil && x.Shape() != rawjson.Single {
		before := x.Path()
		n := len(before)
		if len(path) > n && path[n].IsIndex() && path[:n].Dotted() == before.Dotted() {
			if i := path[n].Index; i < page.Len() {
				return page.Record(i).Lookup(path[n+1:])
			}
			return rawjson.Node{}, false
		}
	}
	root, base, _ := page.Layout()
	if !root.Exists() || len(base) > 0 {
		return rawjson.Node{}, false
	}
	return root.Lookup(path)
}
