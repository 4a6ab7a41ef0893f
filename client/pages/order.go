package pages

import (
	"bytes"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// order is how the values of one field follow each other on a page.
type order struct {
	field          string
	up, down, same int
}

func (o order) pairs() int { return o.up + o.down + o.same }

// mostOrders bounds how many fields of a page are watched.
const mostOrders = 8

// ordersOf looks how a page is sorted by its key and by the fields that look
// like times: what lists are usually sorted by.
func ordersOf(x *rawjson.Index, key string) []order {
	if x.Len() < 3 {
		return nil
	}
	fields := watched(x.Record(0), key)
	out := make([]order, len(fields))
	last := make([]rawjson.Node, len(fields))
	for k, f := range fields {
		out[k].field = f
	}
	for i := range x.Len() {
		rec := x.Record(i)
		rec.Pick(func(name []byte) int {
			for k := range fields {
				if fields[k] == string(name) {
					return k
				}
			}
			return -1
		}, func(k int, v rawjson.Node) bool {
			out[k].add(last[k], v)
			last[k] = v
			return true
		})
	}
	return out
}

func watched(rec rawjson.Node, key string) []string {
	var out []string
	for m := range rec.Members() {
		name := m.Key()
		if present(m.Value) && (name == key || timely(name)) && len(out) < mostOrders {
			out = append(out, name)
		}
	}
	return out
}

// timely tells whether a field's name speaks of a time.
func timely(name string) bool {
	name = strings.ToLower(name)
	for _, word := range [...]string{"creat", "updat", "modif", "date", "time", "_at", "edited"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func (o *order) add(last, v rawjson.Node) {
	if !present(last) || last.Kind() != v.Kind() {
		return
	}
	switch c := compare(last, v); {
	case c < 0:
		o.up++
	case c > 0:
		o.down++
	default:
		o.same++
	}
}

func compare(a, b rawjson.Node) int {
	if a.Kind() != rawjson.Number {
		return bytes.Compare(a.Raw(), b.Raw())
	}
	x, _ := strconv.ParseFloat(string(a.Raw()), 64)
	y, _ := strconv.ParseFloat(string(b.Raw()), 64)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// watch follows the orders over pages and tells the first field whose order
// broke: sorted without exception on all pages before, over at least
// fewestPairs neighbours, and clearly not, or the other way, on this one.
type watch map[string]*order

const fewestPairs = 7

func (w watch) broken(orders []order) (field string, ok bool) {
	for _, now := range orders {
		before := w[now.field]
		if before == nil || before.pairs() < fewestPairs || before.up > 0 && before.down > 0 {
			continue
		}
		against := now.up
		if before.up > 0 {
			against = now.down
		}
		if before.up+before.down >= 3 && against >= 3 && against*4 >= now.pairs() {
			field, ok = now.field, true
			break
		}
	}
	for _, now := range orders {
		if w[now.field] == nil {
			w[now.field] = &order{field: now.field}
		}
		sum := w[now.field]
		sum.up, sum.down, sum.same = sum.up+now.up, sum.down+now.down, sum.same+now.same
	}
	return field, ok
}
