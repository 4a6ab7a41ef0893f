// Package canary is for tests: it writes a secret in the encodings in which servers
// echo what they were sent, and finds it again in what the program shows and keeps.
// It reads them another way than the redactor does.
//
// The package is a leaf: it imports nothing else of patchbay.
package canary

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Secrets are values that are awkward in one encoding or another.
var Secrets = []string{
	`s3cr&t/"value"+with\signs`, `pa ss<w>ord%41&amp;x'y=z?`, `kü€y😀-0123456789`,
	`sk_live_4eC39HqLyjWDarjtT1zdp7dc`,
	`\\u002B\/%2525`, `{"type":"account","private_key":"-----BEGIN\nabc"}`,
}

// Encoding writes a text in another way.
type Encoding struct {
	Name  string
	Write func(string) string
}

// Encodings are those that servers use.
var Encodings = []Encoding{
	{"plain", func(s string) string { return s }},
	{"json", func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) }},
	{"json slashes", func(s string) string { return strings.ReplaceAll(bare(s), "/", `\/`) }},
	{"json signs", func(s string) string {
		return regexp.MustCompile(`[^a-zA-Z0-9\\"]`).ReplaceAllStringFunc(bare(s), func(c string) string {
			return everyUTF16(c, `\u%04X`)
		})
	}},
	{"json all", func(s string) string { return everyUTF16(s, `\u%04x`) }},
	{"query", url.QueryEscape},
	{"path", url.PathEscape},
	{"percent lower", func(s string) string {
		return regexp.MustCompile(`%..`).ReplaceAllStringFunc(url.QueryEscape(s), strings.ToLower)
	}},
	{"percent all", func(s string) string { return everyByte(s, "%%%02x") }},
	{"html", html.EscapeString},
	{"html decimal", func(s string) string { return everyRune(s, "&#%d;") }},
	{"html hex", func(s string) string { return everyRune(s, "&#x%X;") }},
	{"hex", func(s string) string { return hex.EncodeToString([]byte(s)) }},
	{"HEX", func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }},
	{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }},
	{"base64 url", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }},
	{"basic", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) }},
}

func bare(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String()[1:], "\"\n")
}

func everyByte(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

func everyRune(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

func everyUTF16(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		if r > 0xffff {
			fmt.Fprintf(&b, format+format, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
			continue
		}
		fmt.Fprintf(&b, format, r)
	}
	return b.String()
}

// Echoes writes a secret in each encoding, and in each encoding of each encoding.
func Echoes(value string) map[string]string {
	out := map[string]string{}
	for _, a := range Encodings {
		for _, b := range Encodings {
			out[a.Name+", "+b.Name] = b.Write(a.Write(value))
		}
	}
	thrice := url.QueryEscape(url.QueryEscape(url.QueryEscape(value)))
	out["query x3"], out["query x3 lower"] = thrice, strings.ToLower(thrice)
	if strings.ToLower(value) != value {
		delete(out, "query x3 lower")
	}
	return out
}

// Find returns how a secret can be read out of a text: the ways of decoding, the last
// first; empty when it is not in it.
func Find(text, value string) string {
	return find(text, value, 4, map[[sha256.Size]byte]bool{})
}

func find(text, value string, depth int, seen map[[sha256.Size]byte]bool) string {
	if strings.Contains(text, value) {
		return "as it is"
	}
	sum := sha256.Sum256([]byte(text))
	if depth == 0 || seen[sum] {
		return ""
	}
	seen[sum] = true
	for _, d := range []struct {
		name   string
		decode func(string) string
	}{{"json", unescape}, {"percent", unpercent}, {"form", func(s string) string {
		return unpercent(strings.ReplaceAll(s, "+", " "))
	}}, {"html", html.UnescapeString}} {
		if plain := d.decode(text); plain != text {
			if way := find(plain, value, depth-1, seen); way != "" {
				return way + ", " + d.name
			}
		}
	}
	for _, run := range runs.FindAllString(text, -1) {
		for name, plain := range unpacked(run) {
			if way := find(plain, value, depth-1, seen); way != "" {
				return way + ", " + name
			}
		}
	}
	return ""
}

var (
	runs     = regexp.MustCompile(`[A-Za-z0-9+/_=-]{11,}`)
	escapes  = regexp.MustCompile(`(?:\\u[0-9a-fA-F]{4})+|\\.`)
	percents = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
)

func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(found string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+found+`"`), &plain) != nil {
			return found
		}
		return plain
	})
}

func unpercent(s string) string {
	return percents.ReplaceAllStringFunc(s, func(found string) string {
		v, _ := strconv.ParseUint(found[1:], 16, 8)
		return string([]byte{byte(v)})
	})
}

// unpacked reads a run of letters and digits as hexadecimal and base64, from each of
// the places at which a group may begin.
func unpacked(run string) map[string]string {
	out := map[string]string{}
	for at := range 4 {
		part := strings.TrimRight(run[at:], "=")
		if b, err := hex.DecodeString(part[:len(part)/2*2]); err == nil {
			out["hex"+strconv.Itoa(at)] = string(b)
		}
		part = strings.NewReplacer("-", "+", "_", "/").Replace(strings.Split(part, "=")[0])
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		if b, err := base64.RawStdEncoding.DecodeString(part); err == nil {
			out["base64 "+strconv.Itoa(at)] = string(b)
		}
	}
	return out
}
