package search

// State says how a node of the filter fares on one record.
type State string

// The states of a node. ServerOnly stands for conditions whose exact meaning
// only the service knows (fuzzy, keyword) and for groups that hang on them.
const (
	Met        State = "met"
	NotMet     State = "not met"
	ServerOnly State = "only the server can tell"
	Off        State = "left out"
)

// Explained is a node of the filter with its state on one record.
type Explained struct {
	// Path are the child indexes from the root of the filter.
	Path []int
	Node *Node
	// State of the node; Off for disabled and incomplete ones.
	State State
	// Values are what the record holds at the condition's field, as JSON; empty when it holds nothing.
	Values [][]byte
}

// Explain tells for every node of the filter, in tree order, how it fares on the record.
func Explain(record []byte, filter *Node) (out []Explained) {
	explain(record, filter, nil, &out)
	return out
}

func explain(record []byte, n *Node, at []int, out *[]Explained) State {
	if n == nil {
		return Off
	}
	mine := len(*out)
	*out = append(*out, Explained{Path: append([]int(nil), at...), Node: n})
	var state State
	if n.Op == Condition {
		switch t := compile(n); {
		case t == nil:
			state = Off
		case n.Operator == Fuzzy || n.Operator == Keyword:
			state = ServerOnly
		case t(record):
			state = Met
		default:
			state = NotMet
		}
		parsePath(n.Field).values(record, func(v []byte) bool {
			(*out)[mine].Values = append((*out)[mine].Values, v)
			return true
		})
	} else {
		state = explainGroup(record, n, at, out)
	}
	if n.Disabled {
		state = Off
	}
	(*out)[mine].State = state
	return state
}

// explainGroup joins the states of the children: one sure answer outweighs
// those that only the server knows.
func explainGroup(record []byte, n *Node, at []int, out *[]Explained) State {
	count := map[State]int{}
	for i, c := range n.Children {
		count[explain(record, c, append(at, i), out)]++
	}
	decisive, otherwise := NotMet, Met
	if n.Op != All {
		decisive, otherwise = Met, NotMet
	}
	state := otherwise
	switch {
	case count[Off] == len(n.Children):
		return Off
	case count[decisive] > 0:
		state = decisive
	case count[ServerOnly] > 0:
		state = ServerOnly
	}
	switch {
	case n.Op == Not && state == Met:
		return NotMet
	case n.Op == Not && state == NotMet:
		return Met
	}
	return state
}

// Variant is a query with one condition left out.
type Variant struct {
	// Path and Condition tell which one.
	Path      []int
	Condition *Node
	Query     Query
}

// LeaveOut returns the query once for each enabled condition, without that
// condition and without cursor: running them says which condition empties a result.
func LeaveOut(q Query) []Variant {
	var out []Variant
	q.Filter.Walk(func(path []int, n *Node) bool {
		if n.Disabled {
			return false
		}
		if n.Op != Condition || EncodeFilter(n) == nil {
			return true
		}
		v := Variant{Path: append([]int(nil), path...), Condition: n, Query: q}
		v.Query.Cursor = ""
		v.Query.Filter = q.Filter.Clone()
		v.Query.Filter.At(path).Disabled = true
		out = append(out, v)
		return true
	})
	return out
}
