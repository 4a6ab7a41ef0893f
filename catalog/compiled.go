package catalog

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
)

//go:generate go run ./internal/compile
//go:generate go run ./internal/compile -from strangers -to strangers.bin

// compiled holds the connector files in the form described below; a test holds the
// two together. As a string it costs nothing before it is read.
//
//go:embed catalog.bin
var compiled string

// strangers holds the files of made-up types in the same form.
//
//go:embed strangers.bin
var strangers string

// Strangers are made-up kinds that the catalog does not have: the sandbox serves
// connectors of them, so that one can see how an unknown type is explored.
func Strangers() *Catalog { return Open(strangers) }

// Names of the sections; kinds and their indexes carry the kind's name behind it.
const (
	sectionSummaries = "summaries"
	sectionKind      = "kind:"
	sectionIndex     = "index:"
)

// Summary is what a list of kinds shows, known without opening the kind.
type Summary struct {
	Name          string `json:"kind"`
	Title         string `json:"title"`
	System        string `json:"system"`
	ConnectorType string `json:"connector_type"`
	DefinitionID  string `json:"definition_id,omitempty"`
	Doc           string `json:"doc,omitempty"`
	Entities      int    `json:"entities"`
	Actions       int    `json:"actions"`
	Source        Source `json:"source,omitempty"`
	// Workspaces, Faults and First are those of Sandbox.
	Workspaces []string  `json:"-"`
	Faults     []string  `json:"-"`
	First      FirstCall `json:"-"`
}

// Summary is what a list of kinds shows of the kind.
func (k *Kind) Summary() Summary {
	s := Summary{Name: k.Name, Title: k.Title, System: k.System, ConnectorType: k.ConnectorType,
		DefinitionID: k.DefinitionID,
		Doc:          k.Doc, Entities: len(k.Entities), Actions: k.ActionCount(), Source: k.Source}
	if k.Sandbox != nil {
		s.Workspaces, s.Faults, s.First = k.Sandbox.Workspaces, k.Sandbox.Faults, k.Sandbox.First
	}
	return s
}

// Compile turns kinds into the form that is embedded in the program: a directory
// of sections, then the sections. Kinds stand in the order of their names.
func Compile(kinds []*Kind) []byte {
	kinds = slices.SortedFunc(slices.Values(kinds), func(a, b *Kind) int { return strings.Compare(a.Name, b.Name) })
	var summaries []Summary
	names, sections := []string{sectionSummaries}, [][]byte{nil}
	for _, k := range kinds {
		summaries = append(summaries, k.Summary())
		names = append(names, sectionKind+k.Name, sectionIndex+k.Name)
		sections = append(sections, encodeSection(k), encodeSection(indexOf(k)))
	}
	sections[0] = encodeSection(summaries)
	out := binary.AppendUvarint(nil, uint64(len(names)))
	for i, name := range names {
		out = binary.AppendUvarint(out, uint64(len(name)))
		out = append(out, name...)
		out = binary.AppendUvarint(out, uint64(len(sections[i])))
	}
	for _, s := range sections {
		out = append(out, s...)
	}
	return out
}

// The compiled form is a sequence of sections. A section is a table of its
// strings followed by one value: structs as a bit set of the fields that are not
// zero and those fields, slices as length+1 and elements, strings as their place
// in the table. Decoding slices the embedded text and copies no string.

// encoder writes one section.
type encoder struct {
	body    []byte
	places  map[string]uint64
	strings []string
}

// encodeSection writes the value that v holds.
func encodeSection(v any) []byte {
	e := &encoder{places: map[string]uint64{}}
	e.value(reflect.ValueOf(v))
	out := binary.AppendUvarint(nil, uint64(len(e.strings)))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	for _, s := range e.strings {
		out = append(out, s...)
	}
	return append(out, e.body...)
}

func (e *encoder) number(n uint64) { e.body = binary.AppendUvarint(e.body, n) }

func (e *encoder) text(s string) {
	place, ok := e.places[s]
	if !ok {
		place = uint64(len(e.strings))
		e.places[s] = place
		e.strings = append(e.strings, s)
	}
	e.number(place)
}

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		e.number(map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int32:
		e.body = binary.AppendVarint(e.body, v.Int())
	case reflect.Uint8:
		e.number(v.Uint())
	case reflect.Float64:
		e.body = binary.LittleEndian.AppendUint64(e.body, math.Float64bits(v.Float()))
	case reflect.Pointer:
		e.value(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			e.text(string(v.Bytes()))
			return
		}
		e.number(uint64(v.Len()))
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		e.number(uint64(len(keys)))
		for _, key := range keys {
			e.text(key.String())
			e.value(v.MapIndex(key))
		}
	case reflect.Struct:
		var set uint64
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				set |= 1 << i
			}
		}
		e.number(set)
		for i := range v.NumField() {
			if set&(1<<i) != 0 {
				e.value(v.Field(i))
			}
		}
	default:
		panic("catalog: no compiled form for " + v.Type().String())
	}
}

var errCompiled = errors.New("the embedded catalog is damaged: build the program again after go generate ./catalog")

// sectionReader reads one section; after the first error every read gives zero.
type sectionReader struct {
	data    string
	strings []string
	err     error
}

// decodeSection reads a section into the value that target points to.
func decodeSection(data string, target any) error {
	r := &sectionReader{data: data}
	count := r.count()
	lengths := make([]int, count)
	for i := range lengths {
		lengths[i] = r.count()
	}
	r.strings = make([]string, count)
	for i, n := range lengths {
		r.strings[i] = r.take(n)
	}
	r.value(reflect.ValueOf(target).Elem())
	return r.err
}

func (r *sectionReader) fail() { r.err, r.data = errCompiled, "" }

func (r *sectionReader) take(n int) string {
	if n < 0 || n > len(r.data) {
		r.fail()
		return ""
	}
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}

// number reads an unsigned number in base 128, as encoding/binary writes it.
func (r *sectionReader) number() uint64 {
	var n uint64
	for i := 0; i < len(r.data) && i < binary.MaxVarintLen64; i++ {
		b := r.data[i]
		n |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.data = r.data[i+1:]
			return n
		}
	}
	r.fail()
	return 0
}

// count reads a length, which cannot exceed the bytes that are left.
func (r *sectionReader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *sectionReader) text() string {
	place := r.number()
	if place >= uint64(len(r.strings)) {
		r.fail()
		return ""
	}
	return r.strings[place]
}

func (r *sectionReader) value(v reflect.Value) {
	if r.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.number() == 1)
	case reflect.Int, reflect.Int32:
		n := r.number()
		v.SetInt(int64(n>>1) ^ -int64(n&1))
	case reflect.Uint8:
		v.SetUint(r.number())
	case reflect.Float64:
		if bits := r.take(8); len(bits) == 8 {
			v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64([]byte(bits))))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.value(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(r.text()))
			return
		}
		n := r.count()
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			r.value(v.Index(i))
		}
	case reflect.Map:
		n := r.count()
		v.Set(reflect.MakeMapWithSize(v.Type(), n))
		for range n {
			key := reflect.ValueOf(r.text())
			element := reflect.New(v.Type().Elem()).Elem()
			r.value(element)
			v.SetMapIndex(key, element)
		}
	case reflect.Struct:
		set := r.number()
		for i := 0; set != 0 && i < v.NumField(); i++ {
			if set&1 != 0 {
				r.value(v.Field(i))
			}
			set >>= 1
		}
	}
}
