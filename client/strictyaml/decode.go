package strictyaml

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Decode fills the value that target points to.
func (n Node) Decode(target any) { n.Fill(reflect.ValueOf(target).Elem()) }

// Fill fills v by the hook of its type, else by what kind of value it is.
func (n Node) Fill(v reflect.Value) {
	if !n.enter() {
		return
	}
	if hook := n.file.Hooks[v.Type()]; hook != nil {
		hook(n, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if n.IsNull() {
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		n.Fill(v.Elem())
	case reflect.Struct:
		n.FillStruct(v)
	case reflect.Slice:
		n.FillSlice(v)
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		n.Each(func(key string, value Node) {
			element := reflect.New(v.Type().Elem()).Elem()
			value.Fill(element)
			v.SetMapIndex(reflect.ValueOf(key), element)
		})
	default:
		n.fillScalar(v)
	}
}

// FillSlice fills a slice from a list, whatever the hook of its type.
func (n Node) FillSlice(v reflect.Value) {
	items := n.Items()
	if items == nil {
		return
	}
	out := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		item.Fill(out.Index(i))
	}
	v.Set(out)
}

// FillStruct fills a struct from keys and values, whatever the hook of its type.
func (n Node) FillStruct(v reflect.Value) {
	keys := Keys(v.Type())
	if n.file.Begin != nil {
		n = n.file.Begin(n, v)
	}
	n.Each(func(key string, value Node) {
		if n.file.Key != nil && n.file.Key(n, v, key, value) {
			return
		}
		if i := slices.Index(keys, key); i >= 0 {
			value.Fill(v.Field(i))
			return
		}
		// Which keys there are: the nearest, else all of a few.
		told := DidYouMean(key, keys)
		known := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "" })
		if told == "" && len(known) > 0 && len(known) <= 15 {
			told = "; known are " + strings.Join(known, ", ")
		}
		n.file.report(n.file.line(value.path), n.path, "unknown key %q%s", key, told)
	})
}

// Keys lists the key of each field of a struct: its yaml tag, else its json tag;
// empty for a field that no key fills.
func Keys(t reflect.Type) []string {
	keys := make([]string, t.NumField())
	for i := range keys {
		tag, ok := t.Field(i).Tag.Lookup("yaml")
		if !ok {
			tag = t.Field(i).Tag.Get("json")
		}
		if keys[i], _, _ = strings.Cut(tag, ","); keys[i] == "-" {
			keys[i] = ""
		}
	}
	return keys
}

func (n Node) fillScalar(v reflect.Value) {
	if !n.IsScalar() {
		n.Bad("expected a single value, found %s", n.describe())
		return
	}
	tag := n.resolved().ShortTag()
	var err error
	switch v.Kind() {
	case reflect.String:
		if n.file.Portable && tag != "!!str" && tag != "!!timestamp" || tag == "!!null" {
			n.Bad("expected text, found %s: write %q", n.describe(), n.Value())
			return
		}
		v.SetString(n.Value())
	case reflect.Bool:
		if tag != "!!bool" {
			n.Bad("expected true or false, found %s", n.describe())
			return
		}
		v.SetBool(strings.EqualFold(n.Value(), "true"))
	case reflect.Int:
		var i int
		i, err = strconv.Atoi(n.Value())
		v.SetInt(int64(i))
	case reflect.Float64:
		var f float64
		f, err = strconv.ParseFloat(n.Value(), 64)
		v.SetFloat(f)
	}
	if err != nil {
		n.Bad("expected a number, found %s", n.describe())
	}
}

// JSON is any value as JSON: keys in the order of the file, numbers with the
// text they were written with where JSON can hold it; nil after a problem.
func (n Node) JSON() json.RawMessage {
	problems := len(n.file.problems)
	out := n.appendJSON(nil)
	if len(n.file.problems) > problems {
		return nil
	}
	return out
}

func (n Node) appendJSON(dst []byte) []byte {
	switch {
	case !n.enter():
	case n.IsList():
		dst = append(dst, '[')
		for i, item := range n.Items() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst)
		}
		dst = append(dst, ']')
	case n.IsMapping():
		dst = append(dst, '{')
		n.Each(func(key string, value Node) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, key), ':')
			dst = value.appendJSON(dst)
		})
		dst = append(dst, '}')
	default:
		dst = n.appendScalar(dst)
	}
	return dst
}

func (n Node) appendScalar(dst []byte) []byte {
	text := n.Value()
	switch tag := n.resolved().ShortTag(); tag {
	case "!!null":
		return append(dst, "null"...)
	case "!!bool":
		return append(dst, strings.ToLower(text)...)
	case "!!int", "!!float":
		// The text of a number that JSON writes the same way stays; others (0x1F, .5)
		// become decimal ones.
		if json.Valid([]byte(text)) {
			return append(dst, text...)
		}
		if i, err := strconv.ParseInt(text, 0, 64); err == nil {
			return strconv.AppendInt(dst, i, 10)
		}
		f, err := strconv.ParseFloat(text, 64)
		number, unwritable := json.Marshal(f)
		if err != nil || unwritable != nil {
			n.Bad("%q is no number that JSON can hold; quote it to give text", text)
		}
		return append(dst, number...)
	case "!!str", "!!timestamp":
		if n.file.Portable && !quoted(n.resolved()) && misread(text) {
			n.Bad("YAML readers may take %s for a truth value: write %q", text, text)
		}
		return appendText(dst, text)
	default:
		n.Bad("JSON cannot hold a value of type %s", tag)
	}
	return dst
}

// appendText writes text as JSON without escaping <, > and &.
func appendText(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
