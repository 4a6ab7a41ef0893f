package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"patchbay/catalog"
)

func kinds(t testing.TB) []*catalog.Kind {
	t.Helper()
	c := catalog.New()
	var out []*catalog.Kind
	for _, s := range c.Kinds() {
		k, err := c.Kind(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k)
	}
	return out
}

func count(t testing.TB, text []byte) int {
	t.Helper()
	n, err := CountTokens(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What the three tools say up front must be a small part of the legacy text, or they
// would be for nothing.
func TestThreeToolsCostLess(t *testing.T) {
	three, one := 0, 0
	for _, k := range kinds(t) {
		tools, single := ToolsJSON(Tools(k)), ToolsJSON([]Tool{Single(k)})
		a, b := count(t, tools), count(t, single)
		t.Logf("%-24s three %6d bytes %5d tokens; one %7d bytes %6d tokens; %4.1f%%", k.Name, len(tools), a,
			len(single), b, 100*float64(a)/float64(b))
		three, one = three+a, one+b
	}
	t.Logf("all: three %d tokens, one %d", three, one)
	if three*4 > one {
		t.Errorf("the three tools take %d tokens, the one %d", three, one)
	}
}

func TestCountTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "hello world": 2, `{"id":"ch_1","amount":7050}`: 12} {
		if got := count(t, []byte(text)); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
	long := bytes.Repeat([]byte("a word, and another "), 20_000)
	whole, err := vocabulary().Count(string(long))
	if err != nil {
		t.Fatal(err)
	}
	if got := count(t, long); got < whole || got > whole+len(long)/countStep+1 {
		t.Errorf("in parts it has %d tokens, whole %d", got, whole)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := CountTokens(ctx, long); err == nil {
		t.Error("an ended context did not end it")
	}
}

func BenchmarkCountTokens(b *testing.B) {
	text := bytes.Repeat([]byte(`{"id":"ch_qlDhGwyNqkjWNiRo7WjNZctp","amount":7050,"currency":"usd"},`), 1000)
	count(b, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		count(b, text)
	}
}

// The schemas are JSON that names what is there.
func TestSchemasNameTheCatalog(t *testing.T) {
	for _, k := range kinds(t) {
		var tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]struct{ Enum []string }
				Required   []string
			}
		}
		if err := json.Unmarshal(ToolsJSON(Tools(k)), &tools); err != nil {
			t.Fatal(err)
		}
		x := tools[2]
		if x.Name != ExecuteTool || !slices.Equal(x.InputSchema.Required, []string{"entity", "action"}) ||
			!slices.Equal(x.InputSchema.Properties["entity"].Enum, k.EntityNames()) {
			t.Errorf("%s: execute is %+v", k.Name, x)
		}
	}
}
