package secret

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"patchbay/client/secret/canary"
)

// partly are secrets of which parts are told from ordinary words: how long the
// beginning is that anybody knows.
var partly = map[string]int{
	"sk_live_4eC39HqLyjWDarjtT1zdp7dc":                     8,
	"pat-na1-11112222-3333-4444-a5b6-c7d8e9f0a1b2":         8,
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x": 21,
	`s3cr&t/"value"+with\S1gns%41x9`:                       0,
	"kü€y😀-0123a456789":                                    0,
}

// TestNoPartStays echoes the beginning and the end of secrets, of every length that is
// enough, in every encoding.
func TestNoPartStays(t *testing.T) {
	for value, open := range partly {
		var r Redactor
		r.Add(New(value))
		head, tail := knownOf(value).ends()
		if len(head) < open+leastPart || len(tail) < leastPart || knownOf(value).open != open {
			t.Fatalf("%s has the ends %q and %q behind %d", value, head, tail, knownOf(value).open)
		}
		for n := range value {
			for _, part := range []string{value[:n], value[n:]} {
				if !strings.HasPrefix(part, head) && !strings.HasSuffix(part, tail) {
					continue
				}
				for _, how := range canary.Encodings {
					text := "before " + how.Write(part) + "... after"
					if canary.Find(text, part) == "" {
						t.Fatalf("%s of %s is not found in %s", how.Name, part, text)
					}
					for _, shown := range []string{r.Text(text), string(r.Body("application/json", []byte(`{"s":"`+text+`"}`)))} {
						if way := stays(shown, part); way != "" || !strings.Contains(shown, " after") || !strings.Contains(shown, "before ") {
							t.Fatalf("%s of %s: found %s in %s", how.Name, part, way, shown)
						}
					}
				}
			}
		}
	}
}

// stays finds eight characters of a part in what is shown.
func stays(shown, part string) string {
	for i := 0; i+leastPart <= len(part); i++ {
		if way := canary.Find(shown, part[i:i+leastPart]); way != "" {
			return part[i:i+leastPart] + " " + way
		}
	}
	return ""
}

func TestPartsInMessages(t *testing.T) {
	var r Redactor
	r.Add(New("sk_test_4eC39HqLyjWDarjtT1zdp7dc"), New("correct horse battery staple"), New("password12345"), New("20240131"))
	pair := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	for in, want := range map[string]string{
		"Invalid API Key provided: sk_test_****p7dc":                                "Invalid API Key provided: [secret]",
		"Invalid API Key provided: sk_test_********************":                    "Invalid API Key provided: sk_test_********************",
		"key ending in ****p7dc is not known":                                       "key ending in [secret] is not known",
		"key sk_test_4eC39HqL... is cut":                                            "key [secret] is cut",
		"key sk_test_4eC39... is cut":                                               "key [secret] is cut",
		"key sk_test_4eC…p7dc is cut":                                               "key [secret] is cut",
		"key •••••••••p7dc":                                                         "key [secret]",
		"...rjtT1zdp7dc":                                                            "...[secret]",
		`{"k":"\u0073k_test_4eC3\u0039HqLyj\u0057 x"}`:                              `{"k":"[secret] x"}`,
		"sk_test_other and sk_test_... are documented":                              "sk_test_other and sk_test_... are documented",
		"the correct horse, a battery, pass... and password":                        "the correct horse, a battery, pass... and password",
		"2024-01-31, 20240130, ***bold***":                                          "2024-01-31, 20240130, ***bold***",
		"Basic " + pair("ann@mail.example:sk_test_4eC39HqLyjWDarjtT1zdp7dc") + " x": "Basic [secret] x",
		"Basic " + pair("sk_test_4eC39HqLyjWDarjtT1zdp7dc:") + " x":                 "Basic [secret] x",
		"Basic " + pair("sk_test_4eC39HqLyjWDarjtT1zdp7dc:x") + ".":                 "Basic [secret].",
	} {
		if got := r.Text(in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}

// FuzzParts echoes any end of a secret, cut by any gap, in any encoding.
func FuzzParts(f *testing.F) {
	f.Add("before ", "... after", uint8(20), uint8(0), true)
	f.Add(`{"a":"`, `"}`, uint8(12), uint8(3), false)
	f.Add("%", "****", uint8(9), uint8(12), true)
	const value = "sk_live_4eC39HqLyjWDarjtT1zdp7dc"
	f.Fuzz(func(t *testing.T, before, after string, length, how uint8, head bool) {
		n := 16 + int(length)%(len(value)-16)
		part := value[:n]
		if !head {
			part = value[len(value)-n:]
		}
		text := before + canary.Encodings[int(how)%len(canary.Encodings)].Write(part) + after
		if len(text) > 1<<12 || canary.Find(text, part) == "" {
			return // what stands around it made something else of it
		}
		var r Redactor
		r.Add(New(value))
		body := r.Body("application/json", []byte(text))
		for as, shown := range map[string]string{"text": r.Text(text), "header": r.Header("X-A", text), "body": string(body)} {
			if way := canary.Find(shown, part); way != "" {
				t.Fatalf("%q in %q as %s: found %s in %q", part, text, as, way, shown)
			}
		}
		if (text[0] == '{' || text[0] == '[') && json.Valid([]byte(text)) && !json.Valid(body) {
			t.Fatalf("%q became %q", text, body)
		}
	})
}
