package hosted

import (
	"encoding/json"
	"fmt"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
)

func locate(body []byte, action string, piece int) (*client.Envelope, *scan) {
	s := &scan{}
	for i := 0; i < len(body); i += piece {
		s.feed(body[i:min(len(body), i+piece)])
	}
	s.finish()
	env := &client.Envelope{Body: client.Bytes(body)}
	readEnvelope(env, s, nil, nil, action)
	return env, s
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"status":"success","result":[{"id":1}],"connector_metadata":{"a":"b"},"execution_metadata":{"execution_time_ms":1}}`,
		`{"data":[{"a":"\"]"}],"meta":{"has_more":true}}`, `[1,2]`, `"x"`, `{"a":{"b":{"c":{"d":{"e":[{}]}}}}}`, `{"a":1,"a":[2]}`, "\xef\xbb\xbf{}", `{"\u0064ata":[]}`, `nul`, ``,
	} {
		f.Add([]byte(seed), byte(3))
	}
	f.Fuzz(func(t *testing.T, body []byte, piece byte) {
		env, s := locate(body, catalog.ActionList, len(body)+1)
		parts, other := locate(body, catalog.ActionList, int(piece)+1)
		if fmt.Sprint(env.Records, env.Meta, s.complete(), s.members) != fmt.Sprint(parts.Records, parts.Meta, other.complete(), other.members) {
			t.Fatal("the pieces in which a body comes make a difference")
		}
		if !json.Valid(body) {
			return
		}
		if !s.complete() {
			t.Fatal("valid JSON is called incomplete")
		}
		for _, m := range s.members {
			if v := body[m.span.From:m.span.To]; !json.Valid(v) {
				t.Fatalf("member %q is %q", m.path, v)
			}
		}
		if len(env.MetaJSON) > 0 && !json.Valid(env.MetaJSON) {
			t.Fatalf("meta %s", env.MetaJSON)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	record := `{"id":"cus_123","name":"A name with \"quotes\"","nested":{"a":[1,2,3],"b":null},"text":"some longer text that goes on for a while"}`
	body := []byte(`{"status":"success","result":[` + record)
	for len(body) < 8<<20 {
		body = append(append(body, ','), record...)
	}
	body = append(body, `],"connector_metadata":{"has_more":true}}`...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if env, _ := locate(body, catalog.ActionList, 128<<10); env.Records.Empty() {
			b.Fatal("no records")
		}
	}
}
