package hosted

import (
	"encoding/json"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// reading is a client that only reads answers.
var reading = New(Config{})

func locate(body client.Body, action string) *reader {
	return reading.read(request{op: client.Operation{Action: action}}, &transport.Result{Status: 200, Body: body})
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"a":1 2}`, `{"a":1} {`, `[1] [2]`, `{"a":}`,
		`{"status":"success","result":[{"id":1}],"connector_metadata":{"a":"b"},"execution_metadata":{"execution_time_ms":1}}`,
		`{"data":[{"a":"\"]"}],"meta":{"has_more":true}}`, `[1,2]`, `"x"`, `{"a":{"b":{"c":{"d":{"e":[{}]}}}}}`, `{"a":1,"a":[2]}`, "\xef\xbb\xbf{}", `{"\u0064ata":[]}`, `nul`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		x := locate(client.Bytes(body), catalog.ActionList)
		env := x.env
		_ = x.verdict()
		if env.Records.From < 0 || env.Records.To > len(body) {
			t.Fatalf("records at %v of %d bytes", env.Records, len(body))
		}
		if !json.Valid(body) {
			return
		}
		if !x.whole {
			t.Fatal("valid JSON is called incomplete")
		}
		for _, p := range x.parts {
			if !json.Valid(p.Raw()) {
				t.Fatalf("part %q is %q", p.path, p.Raw())
			}
		}
		if len(env.MetaJSON) > 0 && !json.Valid(env.MetaJSON) {
			t.Fatalf("meta %s", env.MetaJSON)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	record := `{"id":"cus_123","name":"A name with \"quotes\"","nested":{"a":[1,2,3],"b":null},"text":"some longer text that goes on for a while"}`
	body := []byte(`{"status":"success","result":[` + record)
	for len(body) < 8<<20 {
		body = append(append(body, ','), record...)
	}
	body = append(body, `],"connector_metadata":{"has_more":true}}`...)
	whole := &rawjson.Buffer{}
	_, _ = whole.Write(body)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if locate(whole, catalog.ActionList).env.Records.Empty() {
			b.Fatal("no records")
		}
	}
}
