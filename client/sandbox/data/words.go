package data

import (
	_ "embed"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// wordsText are lists of words: a name, then the words after a colon.
//
//go:embed words.txt
var wordsText string

var words = sync.OnceValue(func() map[string][]string { return ReadWords(wordsText) })

// Words is a list of words by its name; nil when there is none.
func Words(name string) []string { return words()[name] }

// ReadWords reads lines of names, a colon, and words with bars between them.
func ReadWords(text string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		names, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, name := range strings.Fields(names) {
			all[name] = strings.Split(list, "|")
		}
	}
	return all
}

// oddTexts are values as they arrive in practice and break careless displays:
// other scripts, wide and combining characters, right-to-left text, long
// lines, and text that tries to drive the terminal.
var oddTexts = []string{
	"東京支社のオンボーディング計画",
	"Ωμέγα Ελλάδα, Привет мир, 안녕하세요",
	"Launch 🚀 party 🎉 with 👩‍👩‍👧‍👦 and 🏳️‍🌈",
	"مرحبا بالعالم — تقرير المبيعات",
	"שלום עולם, דוח חודשי",
	"e\u0301clair Zu\u0308rich nai\u0308ve",
	"\x1b[31mred alert\x1b[0m \x1b[2J\x1b[H wiped?",
	"\x1b]8;;https://example.invalid/\x07click me\x1b]8;;\x07",
	"invoice\u202Efdp.exe \u2066hidden\u2069 order",
	"bell\x07 back\x08space nul\x00 del\x7f tab\there\r\nnew line",
	"<script>alert('x')</script> & \"quotes\" \\ backslash",
}

// Persona is the person or company that a record is about, so that its name,
// address and mail belong together.
type Persona struct {
	First, Last, Company, City, Country string
	Odd                                 string
}

// NewPersona draws the person of record n.
func NewPersona(r *Random, n int) *Persona {
	p := &Persona{First: r.Pick(Words("given")), Last: r.Pick(Words("family")), Company: r.Pick(Words("companies")),
		City:    r.Pick(Words("cities")),
		Country: r.Pick(Words("countries"))}
	if n%29 == 4 {
		p.Odd = oddTexts[(n/29)%len(oddTexts)]
	}
	return p
}

// Name is the person's full name, or an odd text in its place.
func (p *Persona) Name() string {
	if p.Odd != "" {
		return p.Odd
	}
	return p.First + " " + p.Last
}

// Email is unique per record by its number.
func (p *Persona) Email(n int) string {
	return strings.ToLower(p.First+"."+p.Last) + strconv.Itoa(n) + "@" +
		strings.ReplaceAll(strings.ToLower(p.Company), " ", "-") + ".example"
}

// Title is a heading such as "Fix amber atlas".
func (r *Random) Title() string {
	return r.Pick(Words("verb")) + " " + r.Pick(Words("adjective")) + " " + r.Pick(Words("noun"))
}

// Label is a name such as "Amber atlas".
func (r *Random) Label() string {
	a := r.Pick(Words("adjective"))
	return strings.ToUpper(a[:1]) + a[1:] + " " + r.Pick(Words("noun"))
}

// Prose is a few sentences; one in forty is several kilobytes long and one in
// thirty carries text that a display has to defuse.
func (r *Random) Prose() string {
	switch r.Below(120) {
	case 0, 1, 2:
		return strings.Repeat(r.Pick(Words("sentence"))+" ", 60)
	case 3, 4, 5, 6:
		return r.Pick(oddTexts) + "\n" + r.Pick(Words("sentence"))
	}
	s := r.Pick(Words("sentence"))
	for range r.Below(3) {
		s += " " + r.Pick(Words("sentence"))
	}
	return s
}

// Tags is a short list of words.
func (r *Random) Tags() []any {
	out := []any{}
	start := r.Below(len(Words("tag")))
	for i := range r.Below(4) {
		out = append(out, Words("tag")[(start+i*5)%len(Words("tag"))])
	}
	return out
}

// Nth is the word with a number of its own for record n: given (a login), company
// (a slug) or tag. Numbers follow only where the words have run out.
func Nth(list string, n int) string {
	if n < 0 {
		n = -n
	}
	switch list {
	case "given":
		return strings.ToLower(Words("given")[n%len(Words("given"))]) + "-" + strconv.Itoa(n)
	case "company":
		return strings.ReplaceAll(strings.ToLower(nth(Words("companies"), n)), " ", "-")
	}
	return nth(Words("tag"), n)
}

func nth(list []string, n int) string {
	if n < len(list) {
		return list[n]
	}
	return list[n%len(list)] + "-" + strconv.Itoa(n)
}

// Code is a short key in capitals: readable for the first records, letters for the rest.
func Code(n int) string {
	named := []string{"PROJ", "OPS", "WEB", "API", "MOB", "DATA", "SEC", "DOCS", "BILL", "CORE"}
	if n >= 0 && n < len(named) {
		return named[n]
	}
	return "P" + string(rune('A'+n/26%26)) + string(rune('A'+n%26)) + strconv.Itoa(n/676)
}

// Random is a small generator (splitmix64) whose stream depends on nothing but
// its seed, so that each record can be made alone and in any order.
type Random struct{ State uint64 }

// Hash mixes texts and numbers into a seed (FNV-1a, then a finalizer).
func Hash(seed uint64, parts ...string) uint64 {
	h := seed ^ 0xcbf29ce484222325
	for _, p := range parts {
		for i := 0; i < len(p); i++ {
			h = (h ^ uint64(p[i])) * 0x100000001b3
		}
		h = (h ^ 0xff) * 0x100000001b3
	}
	return Mix(h)
}

// Mix spreads the bits of a number.
func Mix(z uint64) uint64 {
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// Next is the next number of the stream.
func (r *Random) Next() uint64 {
	r.State += 0x9e3779b97f4a7c15
	return Mix(r.State)
}

// Below returns a number in [0, n); 0 for n < 1.
func (r *Random) Below(n int) int {
	if n < 1 {
		return 0
	}
	hi, _ := bits.Mul64(r.Next(), uint64(n))
	return int(hi)
}

// Between returns a number in [from, to].
func (r *Random) Between(from, to int) int { return from + r.Below(to-from+1) }

// Chance is true in percent of a hundred cases.
func (r *Random) Chance(percent int) bool { return r.Below(100) < percent }

// Skewed returns a number in [0, n) of which small ones are much more frequent:
// half of all fall on the first.
func (r *Random) Skewed(n int) int {
	if r.Chance(50) {
		return 0
	}
	if r.Chance(50) {
		return r.Below(min(n, 8))
	}
	return r.Below(n)
}

// Early returns a number in [0, n) that is often 0: vendors list values by importance.
func (r *Random) Early(n int) int {
	if r.Chance(40) {
		return 0
	}
	return r.Below(n)
}

// Pick draws one of the list.
func (r *Random) Pick(list []string) string { return list[r.Below(len(list))] }

// Chars returns n characters of the alphabet.
func (r *Random) Chars(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.Below(len(alphabet))]
	}
	return string(b)
}

// Alphabets of random characters.
const (
	Hexadecimals = "0123456789abcdef"
	Base36       = "0123456789abcdefghijklmnopqrstuvwxyz"
)

// UUID returns a version 4 UUID.
func (r *Random) UUID() string {
	b := []byte(r.Chars(Hexadecimals, 36))
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	b[14] = '4'
	b[19] = "89ab"[r.Below(4)]
	return string(b)
}
