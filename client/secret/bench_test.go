package secret

import (
	"fmt"
	"strings"
	"testing"
)

// clean is a body of records without a secret, with the escapes that services write.
func clean(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"data":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":"cus_%08x9Kd","email":"person%d@mail.example","created_at":"2024-03-%02dT10:11:12Z",`+
			`"amount":%d.50,"active":true,"note":"said \"fine\"\nand left \u00e9\u003cb\u003e & more",`+
			`"url":"https:\/\/x.example\/a%%20b?page=%d","address":{"city":"Ghent","zip":null},"tags":["a","b"]}`,
			i*7919, i, i%28+1, i*13, i)
	}
	b.WriteString(`],"meta":{"has_more":false}}`)
	return []byte(b.String())
}

func BenchmarkBody(b *testing.B) {
	var r Redactor
	r.Add(New(`s3cr&t/"value"+with\signs%41`), New("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x"),
		New("sk_live_4eC39HqLyjWDarjtT1zdp7dc"))
	body := clean(20_000)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.Body("application/json", body)
	}
}

func BenchmarkText(b *testing.B) {
	var r Redactor
	r.Add(New(`s3cr&t/"value"+with\signs%41`), New("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x"))
	text := string(clean(200))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}

func BenchmarkBodyOfText(b *testing.B) {
	var r Redactor
	r.Add(New(`s3cr&t/"value"+with\signs%41`), New("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl-_x"))
	body := []byte(strings.Repeat("cus_0019Kd;person@mail.example;2024-03-01T10:11:12Z;1.50;\"said fine\";Ghent & more\n", 50_000))
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		r.Body("text/csv", body)
	}
}
