package result

import "patchbay/client/rawjson"

// outlined is the size from which a body is laid out beside the update loop:
// to find the members of an object is to read all of it.
const outlined = 1 << 20

// manyRecords is from where on even counting the lines of a tree takes a while.
const manyRecords = 500_000

// firstLines is how many lines of a tree are laid out with it: a screen full.
const firstLines = 200

// outlines are the trees of a large body, made before a view shows them. A tree
// belongs to one goroutine, so a view takes its tree away.
type outlines struct{ whole, record *rawjson.Tree }

// outline lays out what a view would have to read whole. Where the index knows
// nearly all of the body as not too many records, nothing is left to read.
func (p *Page) outline() (o outlines) {
	if p.Size() < outlined {
		return o
	}
	if x := p.Index; x != nil && x.Shape() != rawjson.Single && x.Len() < manyRecords {
		if from, to := x.Bounds(); x.Shape() == rawjson.Lines || to-from > p.Size()/2 {
			return o
		}
	}
	root, _, levels := p.layout()
	o.whole = rawjson.NewTree(root, p.Index, levels)
	o.whole.Lines(0, firstLines, nil) // finds what the containers hold that are open there
	if p.Len() > 0 {
		o.whole.Reveal(nodeFrom(p.Record(0)))
	}
	if p.Len() == 1 {
		o.record = p.recordTree(root, o.whole)
	}
	return o
}

// recordTree lays the only record out, which may be all of the body.
func (p *Page) recordTree(root rawjson.Node, whole *rawjson.Tree) *rawjson.Tree {
	record := p.Index.Record(0)
	from, to := record.Span()
	if a, b := root.Span(); a == from && b == to {
		return whole.Twin(recordLevels(record))
	}
	return rawjson.NewTree(record, nil, recordLevels(record))
}

// layout is what the JSON view shows of a page, where that lies in the body, and
// how many of its levels are open at first.
func (p *Page) layout() (root rawjson.Node, base rawjson.Path, levels int) {
	root, levels = rawjson.Root(p.Env.Body), 1
	switch x := p.Index; {
	case x == nil:
		levels = 2
	case x.Shape() == rawjson.Lines:
		root = rawjson.Node{}
	case p.Growing() && x.Shape() == rawjson.List:
		// Only the array of the records is known so far.
		from, _ := x.Bounds()
		root, base = rawjson.NodeAt(p.Env.Body, from, p.Size()), x.Path()
	default:
		levels += len(x.Path())
	}
	if p.Size() < smallBody {
		levels++
	}
	return root, base, levels
}

// recordLevels is how many levels of a record are open at first.
func recordLevels(record rawjson.Node) int {
	if record.Size() > smallBody {
		return 1
	}
	return 2
}

// take gives a tree that was made before, once.
func take(t **rawjson.Tree) *rawjson.Tree {
	made := *t
	*t = nil
	return made
}
