package request

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/search"
	"patchbay/ui/intent"
)

// signs are what operators may be typed as, beside their names.
var signs = map[string]string{"=": search.Eq, "!": search.Neq, "!=": search.Neq, ">": search.Gt, ">=": search.Gte,
	"<": search.Lt, "<=": search.Lte, "~": search.Like}

// operatorOf is the operator that a text names or is the sign of; "" where it is none of
// those that the field has.
func (e *searchEditor) operatorOf(n *search.Node, t string) string {
	f, _, _ := search.FindField(e.entity, n.Field)
	if op := cmp.Or(signs[t], t); slices.Contains(search.Operators(f), op) {
		return op
	}
	return ""
}

// beginsOperator reports whether a text may become an operator of the field.
func (e *searchEditor) beginsOperator(n *search.Node, t string) bool {
	f, _, _ := search.FindField(e.entity, n.Field)
	for _, op := range search.Operators(f) {
		if strings.HasPrefix(op, t) {
			return true
		}
	}
	for sign, op := range signs {
		if strings.HasPrefix(sign, t) && slices.Contains(search.Operators(f), op) {
			return true
		}
	}
	return false
}

// leap goes on from the operator of a condition without a value to that value, once what
// is typed begins no operator: behind one it is the value, else all of it is, and the
// operator stays the one proposed. It reports whether it took the key.
func (r *Pane) leap(msg tea.KeyPressMsg) bool {
	e, ok := r.ed.(*searchEditor)
	row, there := searchRow{}, false
	if ok {
		row, there = e.row(r.scroll.Cursor)
	}
	if !there || row.kind != rowNode || row.node.Op != search.Condition || r.cell != 1 || msg.Text == "" ||
		len(row.node.Value) > 0 {
		return false
	}
	typed := r.field.Value()
	if r.field.Offered() {
		typed = ""
	}
	if e.beginsOperator(row.node, typed+msg.Text) {
		return false
	}
	op, value := e.operatorOf(row.node, typed), strings.TrimLeft(msg.Text, " ")
	word := op == typed && unicode.IsLetter([]rune(msg.Text)[0])
	if op == "" || word {
		op, value = r.before, typed+value
	}
	row.node.Operator = op
	r.field, r.cell = nil, 2
	r.begin(r.ed.text(r.scroll.Cursor, r.cell))
	r.field.Paste(value)
	r.changed()
	return true
}

// adding reports whether the cursor types the value of a condition that was just added.
func (r *Pane) adding() bool {
	e, search := r.ed.(*searchEditor)
	if !search || r.cell != 2 || e.fresh == nil {
		return false
	}
	row, there := e.row(r.scroll.Cursor)
	return there && row.node == e.fresh
}

// another ends the condition that was just added and asks for the next one of its group;
// ok is false where tab goes to the next field.
func (r *Pane) another() (in intent.Intent, ok bool) {
	if !r.adding() {
		return nil, false
	}
	e := r.ed.(*searchEditor)
	if len(e.fresh.Value) == 0 {
		return nil, false
	}
	if p := r.endField(); p != "" {
		return intent.Say{Text: p, Bad: true}, true
	}
	r.scroll.Cursor, r.cell = e.behind(r.scroll.Cursor), 0
	return r.Enter(), true
}
