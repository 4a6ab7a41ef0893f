package secret

import (
	"encoding/json"
	"strings"
	"testing"

	"patchbay/client/secret/canary"
)

// TestNoEncodingStays echoes awkward secrets in every encoding of every encoding.
func TestNoEncodingStays(t *testing.T) {
	for _, value := range canary.Secrets {
		var r Redactor
		r.Add(New(value))
		for name, echo := range canary.Echoes(value) {
			if canary.Find(echo, value) == "" {
				t.Fatalf("%s of %s is not found in %s", name, value, echo)
			}
			quoted, _ := json.Marshal(echo)
			whole := `{"a":"x` + echo + `y","b":[1,"` + echo + `"]}`
			for place, text := range map[string]string{
				"text":   "before " + echo + " after",
				"header": r.Header("X-Echo", "before "+echo+" after"),
				"url":    "https://h/p/" + echo + "?q=" + echo + "&r=1",
				"string": `{"before":{"a":"b"},"s":` + string(quoted) + `,"after":2}`,
				"key":    `{` + string(quoted) + `:1}`,
				"raw":    whole, "stream": "{}\n" + whole + whole, "mark": "\ufeff" + whole,
			} {
				for how, shown := range map[string]string{"text": r.Text(text), "url": r.URL(text),
					"body": string(r.Body("application/json", []byte(text)))} {
					if way := canary.Find(shown, value); way != "" {
						t.Fatalf("%s of %s in a %s as %s: found %s in %s", name, value, place, how, way, shown)
					}
				}
				if in := []byte(text); json.Valid(in) && !json.Valid(r.Body("application/json", in)) {
					t.Fatalf("%s: %s became %s", name, in, r.Body("application/json", in))
				}
				if strings.Contains(text, "after") && !strings.Contains(r.Text(text), "after") {
					t.Errorf("%s in a %s: too much went: %s", name, place, r.Text(text))
				}
			}
		}
	}
}
