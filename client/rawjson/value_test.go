package rawjson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestMapKeepsOrderNullAndNumbers(t *testing.T) {
	v, err := Decode([]byte(`{"b":1.50,"a":null,"n":12345678901234567890,"l":[true,"x",{"k":-0}],"b":2e3}`))
	if err != nil {
		t.Fatal(err)
	}
	m := v.(*Map)
	if got := string(m.JSON()); got != `{"b":2e3,"a":null,"n":12345678901234567890,"l":[true,"x",{"k":-0}]}` {
		t.Error(got)
	}
	if v, ok := m.Get("a"); v != nil || !ok || m.Has("c") || m.Value("c") != nil {
		t.Error("null and absent are not told apart")
	}
	c := m.Clone()
	m.Value("l").([]any)[2].(*Map).Set("k", "changed")
	m.Set("a", 1)
	m.Remove("b")
	m.Add("z", []string{"p", "q"})
	if got := string(m.JSON()); got != `{"a":1,"n":12345678901234567890,"l":[true,"x",{"k":"changed"}],"z":["p","q"]}` {
		t.Error(got)
	}
	if got := string(Encode(c)); !strings.HasSuffix(got, `{"k":-0}]}`) || m.Len() != 4 {
		t.Errorf("the copy became %s", got)
	}
}

func TestParseMapKeepsEachValueAsItWasWritten(t *testing.T) {
	m := ParseMap([]byte(" {\"a\\u0062\": [1, 2] , \"x\":\"\\u00e9\", \"x\":null}\n"))
	if got := string(m.JSON()); got != `{"ab":[1, 2],"x":"\u00e9","x":null}` {
		t.Error(got)
	}
	for _, wrong := range []string{"", "null", "[1]", `{"a":1} 2`, `{"a"`} {
		if ParseMap([]byte(wrong)) != nil {
			t.Errorf("%q is taken for an object", wrong)
		}
	}
	var none *Map
	if none.Len() != 0 || none.Has("a") || string(none.JSON()) != "null" || none.Clone() != nil {
		t.Error("a nil Map cannot be read")
	}
}

func TestEncode(t *testing.T) {
	v := NewMap("n", nil, "b", false, "i", 3, "l", int64(1<<62), "f", 0.5, "inf", math.Inf(1), "raw", json.RawMessage("[ ]"), "e", []any{})
	if got := string(Encode(v)); got != `{"n":null,"b":false,"i":3,"l":4611686018427387904,"f":0.5,"inf":null,"raw":[ ],"e":[]}` {
		t.Error(got)
	}
	if got := string(AppendQuoted(nil, "é\x00\"\\\n\t\r\x7f\xff<&>")); got != `"é\u0000\"\\\n\t\r\u007f`+"\ufffd"+`<&>"` {
		t.Error(got)
	}
}

func FuzzValue(f *testing.F) {
	f.Add([]byte(`{"a":[1,"\u00e9",null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Decode(data)
		if (err == nil) != json.Valid(data) {
			t.Fatalf("%q: %v", data, err)
		}
		if err != nil {
			return
		}
		out := Encode(v)
		again, err := Decode(out)
		if err != nil || string(Encode(again)) != string(out) {
			t.Fatalf("%q becomes %q: %v", data, out, err)
		}
	})
}

// A look into a container takes memory for its cursor alone: a million records are looked into.
func TestLookingIntoAContainerTakesOneAllocation(t *testing.T) {
	n := Parse([]byte(`{"a":[1,2],"b":{"c":3}}`))
	for what, look := range map[string]func(){
		"Get":  func() { n.Get("b") },
		"Pick": func() { n.Pick(func([]byte) int { return 0 }, func(int, Node) bool { return true }) },
	} {
		if got := testing.AllocsPerRun(100, look); got != 1 {
			t.Errorf("%s takes memory %v times", what, got)
		}
	}
}

// What is decoded is what encoding/json reads, and of names that stand twice the last.
func FuzzDecodedValues(f *testing.F) {
	many := "{"
	for i := range 40 {
		many += fmt.Sprintf(`"k%d": %d ,`, i%25, i)
	}
	for _, s := range []string{`{"a":[1,-2.5e3,null,true,false,"\u001b\ud83d\ude80\"\\"],"b":{ }}`, ` [ ] `, `"x"`, "\t1\n", `{"a":1,"a":2}`,
		"\"\xff\"", many + `"z":[{}]}`, `[[],[[]],{"":{"":0}}]`, `"\\"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Decode(data)
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var want any
		if err != nil || d.Decode(&want) != nil {
			return
		}
		if !reflect.DeepEqual(plainValue(got), want) {
			t.Fatalf("%q is read as %#v", data, plainValue(got))
		}
	})
}

// plainValue is a value as encoding/json reads it.
func plainValue(v any) any {
	switch v := v.(type) {
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, plainValue(e))
		}
		return list
	case *Map:
		m := map[string]any{}
		for i, k := range v.Keys {
			m[k] = plainValue(v.Vals[i])
		}
		if len(m) != len(v.Keys) {
			panic("a name stands twice")
		}
		return m
	}
	return v
}

// The time that reading takes grows with the size alone: not with how many members an
// object has, nor with how deep its values stand.
func BenchmarkDecode(b *testing.B) {
	many := []byte("{")
	for i := range 100_000 {
		many = fmt.Appendf(many, `"a%06d":1,`, i)
	}
	many = append(many, `"":0}`...)
	deep := strings.Repeat("[", maxDepth-1) + strings.Repeat("1,", 1<<19) + "1" + strings.Repeat("]", maxDepth-1)
	for name, data := range map[string][]byte{"many members": many, "deep": []byte(deep)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Decode(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
