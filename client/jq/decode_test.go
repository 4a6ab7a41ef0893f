package jq

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// largeInput is many windows of a file.
const largeInput = 1 << 20

// large is a value that is decoded piece by piece.
func large() string {
	one := `{"id":12345678901234567890,"f":1.50,"s":"M\u00fcller \ud83d\ude80 \n","bad":"` + "\xff" + `","n":null,"t":true,"no":false,"a":[],"o":{},"twice":1,"twice":[{"x":-0}]}`
	return `[` + one + strings.Repeat(","+one, largeInput/len(one)) + `]`
}

func TestDecodingAgreesWithEncodingJSON(t *testing.T) {
	text := []byte(large())
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var want any
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	got, err := decode(ctx, rawjson.Root(rawjson.NewFile(bytes.NewReader(text), int64(len(text)))))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("it differs, error %v", err)
	}
	if _, err := decode(ctx, rawjson.Root(rawjson.Bytes(large()+"x"))); err == nil {
		t.Error("what is no JSON was decoded")
	}
}

// ending is a source that ends a context while it is read.
type ending struct {
	rawjson.Bytes
	at   int
	stop func()
}

func (e ending) Slice(from, to int) []byte {
	if from >= e.at {
		e.stop()
	}
	return e.Bytes.Slice(from, to)
}

func TestDecodingCanBeStopped(t *testing.T) {
	text := large()
	stopped, cancel := context.WithCancel(ctx)
	n := rawjson.NodeAt(ending{rawjson.Bytes(text), len(text) / 2, cancel}, 0, len(text))
	if v, err := decode(stopped, n); !errors.Is(err, context.Canceled) || v != nil {
		t.Errorf("it went on, error %v", err)
	}
}

func TestInputsAreBounded(t *testing.T) {
	long, longer := `"`+strings.Repeat("a", 3000)+`"`, `"`+strings.Repeat("a", 9300)+`"`
	p, err := Compile("length")
	if err != nil {
		t.Fatal(err)
	}
	want := "input 2 has 9 kB, more than the 4 kB that are decoded in one piece"
	if _, err := p.Run(ctx, inputs(long, longer), &Results{}, Options{MaxInput: 4 << 10}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	_, stats := play(t, "[inputs]", Options{MaxInput: 4 << 10}, long, long)
	if want := "they are more than 4 kB"; !strings.Contains(stats.FirstError, want) {
		t.Errorf("%+v, want %s", stats, want)
	}
}
