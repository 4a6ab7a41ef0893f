package secret

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

type inOne []byte

func (b inOne) Len() int                  { return len(b) }
func (b inOne) Slice(from, to int) []byte { return b[from:to] }

// Secrets in the queries of addresses are found wherever they stand in a body, once each,
// and nothing else is.
func TestSecretsInQueries(t *testing.T) {
	token, odd := "EAAB"+strings.Repeat("x9", 20), "k/ey+val=ue|1"
	var r Redactor
	r.Add(New(token), New(odd))
	for _, size := range []int{0, stretch - 40, stretch - 7, stretch - 1, stretch, 3*stretch - 11} {
		for form, secret := range map[string]string{"=" + token: token, `\u003D` + token: token, "%3D" + token: token,
			"=k%2Fey%2Bval%3Due%7C1": "k%2Fey%2Bval%3Due%7C1", `=k\/ey+val=ue|1`: `k\/ey+val=ue|1`} {
			body := []byte(strings.Repeat("y", size) + "token" + form + "&limit=5" + strings.Repeat("z", 100))
			got := r.InQueries(inOne(body))
			if len(got) != 1 || string(body[got[0][0]:got[0][1]]) != secret {
				t.Errorf("%s behind %d bytes: %v", form, size, got)
			}
		}
	}
	for _, body := range []string{"", `{"id":"` + token + `"}`, "token=" + token[1:], "a=" + token[:len(token)-1]} {
		if got := r.InQueries(inOne(body)); got != nil {
			t.Errorf("%s: %v", body, got)
		}
	}
	if got := (&Redactor{}).InQueries(inOne("a=b")); got != nil {
		t.Errorf("nothing is known: %v", got)
	}
}

func BenchmarkInQueries(b *testing.B) {
	var r Redactor
	r.Add(New(`s3cr&t/"value"+with\signs%41`), New("EAABsbCS1iHgBAKZCxyz0123456789"), New("sk_live_4eC39HqLyjWDarjtT1zdp7dc"))
	body := bytes.Repeat([]byte(fmt.Sprintf("%s?access_token=EAABsbCS1iHgBAKZCxyz&limit=5", clean(20))), 1000)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.InQueries(inOne(body))
	}
}
