package catalog

import "testing"

func TestFromWireIsTheWayBack(t *testing.T) {
	c := New()
	for _, test := range []struct{ kind, entity, action, neutral, wire string }{
		{"email_delivery", "contacts", "context_store_search",
			`{"query":{"filter":{"and":[{"eq":{"messaging_a":"x"}}]},"sort":[{"social_a":"asc"}]},"fields":["line","messaging_b"]}`,
			`{"query":{"filter":{"and":[{"eq":{"whatsapp":"x"}}]},"sort":[{"facebook":"asc"}]},"fields":["line","line"]}`},
		{"messaging_automation", "messages", "list", `{"type":"sms","limit":1.0}`, `{"type":"twilio","limit":1.0}`},
		{"payments", "customers", "list", `{"limit":1}`, `{"limit":1}`},
	} {
		k, e, a, err := c.Resolve(test.kind, test.entity, test.action)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(ToWire(k, e, a, []byte(test.neutral))); got != test.wire {
			t.Errorf("to the wire: %s, want %s", got, test.wire)
		}
		back := string(FromWire(e, a, []byte(test.wire)))
		again := string(ToWire(k, e, a, []byte(back)))
		if again != test.wire {
			t.Errorf("there and back: %s by %s, want %s", again, back, test.wire)
		}
	}
}
