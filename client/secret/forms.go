package secret

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// formsOf lists the texts that v is looked for as: v, and v packed into hexadecimal
// digits and base64. Escapes are read through where it is looked for.
func formsOf(v string) []string {
	out := append(packed(v), v, strings.ReplaceAll(v, " ", "+"))
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(f string) bool { return len(f) < shortest })
}

// packed lists v in hexadecimal digits and base64, alone and within a longer text.
func packed(v string) []string {
	raw := []byte(v)
	digits := hex.EncodeToString(raw)
	return append(embedded(v), digits, strings.ToUpper(digits),
		base64.StdEncoding.EncodeToString(raw), base64.URLEncoding.EncodeToString(raw),
		base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw))
}

// embedded lists the stable middle of the base64 of any text that contains v,
// such as "user:v": base64 packs three bytes at a time, so v can start at three
// offsets, and the characters that its neighbours influence are cut off.
func embedded(v string) []string {
	const minimum = 8
	if len(v) < minimum {
		return nil
	}
	var out []string
	for offset := range 3 {
		padded := append(make([]byte, offset), v...)
		from := (offset*8 + 5) / 6
		to := len(padded) * 8 / 6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			out = append(out, enc.EncodeToString(padded)[from:to])
		}
	}
	return out
}
