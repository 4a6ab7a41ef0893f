package records

import (
	"testing"

	"patchbay/client"
)

func TestIndexEnvelopeHonoursKeptRecords(t *testing.T) {
	body := client.Bytes(`{"calls":[{"id":"a"},{"id":"private"},{"id":"b"}]}`)
	span := func(s string) client.Span {
		for i := range body {
			if i+len(s) <= len(body) && string(body[i:i+len(s)]) == s {
				return client.Span{From: i, To: i + len(s)}
			}
		}
		t.Fatalf("no %s", s)
		return client.Span{}
	}
	env := &client.Envelope{Body: body, Records: client.Span{From: 9, To: len(body) - 1}, RecordsPath: "calls",
		Kept: []client.Span{span(`{"id":"a"}`), span(`{"id":"b"}`)}}
	x := IndexEnvelope(env)
	if x.Len() != 2 || string(x.Record(1).Raw()) != `{"id":"b"}` {
		t.Errorf("%d records, the last %s", x.Len(), x.Record(1).Raw())
	}
	env.Kept = []client.Span{}
	if n := IndexEnvelope(env).Len(); n != 0 {
		t.Errorf("%d records where none counts", n)
	}
}
