package rawjson

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestBadLinesAreRecords(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
		cut  bool
	}{
		"open object, then text": {"{\"a\":1}\n{\"a\":2\n{\"a\":3}\nnot json\n{\"a\":4}", []string{`{"a":1}`, `{"a":2`, `{"a":3}`, `not json`, `{"a":4}`}, false},
		"open text":              {"{\"a\":1}\n{\"a\":\"x\n{\"a\":3}\n", []string{`{"a":1}`, `{"a":"x`, `{"a":3}`}, false},
		"open list":              {"{\"a\":1}\n[1,\n{\"a\":3}\n{\"a\":4}\n", []string{`{"a":1}`, `[1,`, `{"a":3}`, `{"a":4}`}, false},
		"first line open":        {"{\"a\":1\n{\"a\":2}\n{\"a\":3}\n", []string{`{"a":1`, `{"a":2}`, `{"a":3}`}, false},
		"first line text":        {"# a log\n\n{\"a\":2}\r\n{\"a\":3}\n", []string{`# a log`, `{"a":2}`, `{"a":3}`}, false},
		"second line text":       {"{\"items\":[{\"a\":1}]}\nwhat\n{\"a\":3}\n", []string{`{"items":[{"a":1}]}`, `what`, `{"a":3}`}, false},
		"text behind a value":    {"{\"a\":1}\n{\"a\":2} what is this\n{\"a\":3}\n", []string{`{"a":1}`, `{"a":2}`, `what is this`, `{"a":3}`}, false},
		"closing bracket":        {"{\"a\":1}\n}\n]\n{\"a\":3}", []string{`{"a":1}`, `}`, `]`, `{"a":3}`}, false},
		"values over lines":      {"{\"a\":1}\n{\n\"a\":2\n}\n[\n1\n] 5 \"x\"\n{\"a\":3}", []string{`{"a":1}`, "{\n\"a\":2\n}", "[\n1\n]", "5", `"x"`, `{"a":3}`}, false},
		"arrays":                 {"[1,2]\n[3,4]\nbad\n[5\n[6]\n", []string{`[1,2]`, `[3,4]`, `bad`, `[5`, `[6]`}, false},
		"array, then text":       {"[1]\noops\n\n[2]\n{\"a\":1}\n", []string{`[1]`, `oops`, `[2]`, `{"a":1}`}, false},
		"array, then objects":    {"[\"id\"]\n{\"a\":1}\n", []string{`["id"]`, `{"a":1}`}, false},
		"arrays over lines":      {"[\n1\n]\n[\n2\n]", []string{"[\n1\n]", "[\n2\n]"}, false},
		"arrays side by side":    {"[1][2] []", []string{`[1]`, `[2]`, `[]`}, false},
		"cut at the end":         {"{\"a\":1}\n{\"a\":2}\n{\"a\":", []string{`{"a":1}`, `{"a":2}`, `{"a":`}, true},
		"cut over lines":         {"{\n\"a\":1}\n{\n\"a\":2}\n{\n\"a\":", []string{"{\n\"a\":1}", "{\n\"a\":2}", "{\n\"a\":"}, true},
	} {
		for _, size := range []int{1, 3, 7, 1 << 20} {
			x, err := BuildIndex(context.Background(), chunked{[]byte(c.body), size})
			var got []string
			for i := range x.Len() {
				got = append(got, string(x.Record(i).Raw()))
			}
			var bad *SyntaxError
			if x.Shape() != Lines || !slices.Equal(got, c.want) || x.CutRecord() != c.cut || errors.As(err, &bad) != c.cut {
				t.Errorf("%s in pieces of %d: shape %d, %q, cut %v, %v", name, size, x.Shape(), got, x.CutRecord(), err)
			}
		}
	}
}

// An array is taken for the first of several only where more comes behind it:
// its elements are not held back.
func TestArraysOfAStreamAreTakenAsTheyCome(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		shape  Shape
		want   int
	}{
		{[]string{"[1,2]", "\n", "[3,4]\nbad\n[5]"}, Lines, 4},
		{[]string{"[1,2]\n", "\n"}, List, 2},
		{[]string{"[1,", "2,", "3]"}, List, 3},
		{[]string{"[\"" + strings.Repeat("a", arrayWait) + "\",", "2,", "3]"}, List, 3},
	} {
		b := &Buffer{}
		x := NewIndex(b)
		done := make(chan struct{})
		go func() { defer close(done); _ = x.Run(context.Background()) }()
		for _, piece := range c.pieces {
			_, _ = b.Write([]byte(piece))
		}
		b.Close(nil)
		if <-done; x.Shape() != c.shape || x.Len() != c.want {
			t.Errorf("%.40q: %d records of shape %d, want %d of %d", c.pieces, x.Len(), x.Shape(), c.want, c.shape)
		}
	}
}

func TestWhatIsNoLines(t *testing.T) {
	for body, want := range map[string]Shape{
		"{\"data\":\n{\"a\":1}\n}\n":                  Single,
		"[{\"a\":1}]\n\n":                             List,
		"[\n{\"a\":1},\n{\"a\":2}\n]":                 List,
		"{\"data\":[\n{\"a\":1},\n{\"a\":2}\n]}\n":    List,
		"{\"a\":1,\n\"b\":\n{\"a\":1}\n,\"c\":2}\n\n": Single,
	} {
		if x, err := BuildIndex(context.Background(), Bytes(body)); x.Shape() != want || err != nil {
			t.Errorf("%q is of shape %d, want %d; %v", body, x.Shape(), want, err)
		}
	}
}

// Hostile lines must not make each line cost as much as the body.
func TestOpenLinesStayCheap(t *testing.T) {
	body := "{\"a\":1}\n" + strings.Repeat("{\"a\":[1,\n", 200_000) + strings.Repeat("7 ", 500_000) + "\n{\"a\":2}\n"
	x, err := BuildIndex(context.Background(), Bytes(body))
	if err != nil || x.Len() != 700_002 {
		t.Errorf("%d records, %v", x.Len(), err)
	}
}
