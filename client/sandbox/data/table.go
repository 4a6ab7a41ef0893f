package data

import (
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

// Table holds the records of an entity in the order in which a list gives them.
type Table struct {
	Entity *catalog.Entity
	Key    string
	Rows   []*Record
	ByKey  map[string]*Record
	// Used tells when the table was last asked for, Written whether anybody changed it.
	Used    int64
	Written bool
	// flat caches the encoded members of all records that a search looks at, so that
	// matching does not read whole records.
	flat map[string][][]byte
}

// Record is one object of the third party.
type Record struct {
	Obj *rawjson.Map
	// Hidden holds what the record belongs to without saying so: the repository
	// of an issue, the list of a subscriber.
	Hidden *rawjson.Map
	// Extra holds fields that only the replica has (searchable, not in the record).
	Extra *rawjson.Map
	raw   []byte
	N     int
	// At is when the record came to be, for ranges that name no field of it.
	At time.Time
}

// JSON is the record as it is sent, encoded once per change.
func (r *Record) JSON() []byte {
	if r.raw == nil {
		r.raw = rawjson.Encode(r.Obj)
	}
	return r.raw
}

// Lookup finds a value at a dotted path in the record, then among what it
// hides, then in its replica.
func (r *Record) Lookup(path string) (any, bool) {
	if v, ok := At(r.Obj, path); ok {
		return v, true
	}
	if v, ok := At(r.Hidden, path); ok {
		return v, true
	}
	return At(r.Extra, path)
}

// Whole is the record with the fields that only its replica has, or has in its own type.
func (r *Record) Whole() *rawjson.Map {
	if r.Extra == nil {
		return r.Obj
	}
	o := &rawjson.Map{Keys: slices.Clone(r.Obj.Keys), Vals: slices.Clone(r.Obj.Vals)}
	for i, name := range r.Extra.Keys {
		o.Set(name, r.Extra.Vals[i])
	}
	return o
}

// Project returns the encoded members of every record, kept until a write.
func (t *Table) Project(names []string) [][]byte {
	key := strings.Join(names, "\x00")
	if docs := t.flat[key]; docs != nil {
		return docs
	}
	docs := make([][]byte, len(t.Rows))
	var b []byte
	for i, r := range t.Rows {
		start := len(b)
		b = append(b, '{')
		for _, name := range names {
			v, has := r.Extra.Get(name)
			if !has {
				if v, has = r.Obj.Get(name); !has {
					continue
				}
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(rawjson.AppendQuoted(b, name), ':')
			b = rawjson.Append(b, v)
		}
		b = append(b, '}')
		docs[i] = b[start:len(b):len(b)]
		if len(b) > 1<<20 {
			b = nil
		}
	}
	if t.flat == nil || len(t.flat) > 8 {
		t.flat = map[string][][]byte{}
	}
	t.flat[key] = docs
	return docs
}

// Find returns the record with the key, by other identifying values too.
func (t *Table) Find(key string) *Record {
	if r := t.ByKey[key]; r != nil {
		return r
	}
	for _, r := range t.Rows {
		for _, k := range alternateKeys {
			if v := r.Obj.Value(k); v != nil && key != "" && k != t.Key && rawjson.TextOf(v) == key {
				return r
			}
		}
	}
	return nil
}

// alternateKeys are fields by which the vendors accept a record beside its key.
var alternateKeys = []string{"key", "id", "reference", "slug", "account_id", "number", "name", "login", "version"}

// Insert puts a new record in front: lists give the newest first.
func (t *Table) Insert(r *Record) {
	t.Written = true
	t.Rows = append([]*Record{r}, t.Rows...)
	t.ByKey[r.Obj.Text(t.Key)] = r
	t.flat = nil
}

// Drop removes a record.
func (t *Table) Drop(r *Record) {
	t.Written = true
	t.Rows = slices.DeleteFunc(t.Rows, func(one *Record) bool { return one == r })
	delete(t.ByKey, r.Obj.Text(t.Key))
	t.flat = nil
}

// Touch forgets what was encoded of a changed record.
func (t *Table) Touch(r *Record) {
	t.Written = true
	r.raw = nil
	t.flat = nil
}

// Cells is how many fields the records have.
func (t *Table) Cells() int {
	if len(t.Rows) == 0 {
		return 0
	}
	return len(t.Rows) * t.Rows[0].Obj.Len()
}
