package secret

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
)

const (
	// nested is how many packings within one another are opened.
	nested = 3
	// leastRun is the length from which letters and digits may be a packed text that
	// holds a secret in escapes.
	leastRun = 14
)

// inAlphabet tells the characters of base64 in both its alphabets.
var inAlphabet = func() (in [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		in[c] = true
	}
	return in
}()

// packed opens what may be base64 or hexadecimal digits, and looks for the texts in it.
// What packs a text as it stands is found without that, wherever the group begins.
func (m *matcher) packed(s string, depth int, out []span) []span {
	if depth == 0 {
		return out
	}
	for from := 0; from < len(s); {
		if !inAlphabet[s[from]] {
			from++
			continue
		}
		to := from + 1
		for to < len(s) && inAlphabet[s[to]] {
			to++
		}
		if to-from >= leastRun {
			end := s[to:min(to+2, len(s))]
			padding := len(end) - len(strings.TrimLeft(end, "="))
			out = m.opened(s[from:to], from, padding, depth, out)
		}
		from = to
	}
	return out
}

// opened looks into a run that stands at an offset, from each place at which a group
// of its characters may begin. The other half of a pair of user and key goes, too.
func (m *matcher) opened(run string, offset, padding, depth int, out []span) []span {
	buf := make([]byte, len(run))
	out = m.digits(run, offset, depth, buf, out)
	if strings.ContainsAny(run, "-_") {
		run = toStandard.Replace(run)
	}
	for shift := range 4 {
		group := run[shift:]
		if len(group)%4 == 1 {
			group = group[:len(group)-1]
		}
		n, _ := base64.RawStdEncoding.Decode(buf, []byte(group))
		plain := string(buf[:n])
		for _, hit := range m.within(plain, depth) {
			from, to := shift+hit.from*8/6, shift+min((hit.to*8+5)/6, len(group))
			if shift == 0 && paired(plain[:hit.from], plain[hit.to:]) {
				from, to = 0, len(run)
			}
			if to == len(run) {
				to += padding
			}
			out = append(out, span{offset + from, offset + to, Mark})
		}
	}
	return out
}

// paired reports whether what stands around a secret makes one pair with it, as in
// user:key.
func paired(before, behind string) bool {
	const longest = 512
	return len(before)+len(behind) <= longest && !strings.ContainsAny(before+behind, " \t\r\n\"{}") &&
		(before == "" || strings.HasSuffix(before, ":")) && (behind == "" || strings.HasPrefix(behind, ":"))
}

// digits looks into the hexadecimal digits of a run.
func (m *matcher) digits(run string, offset, depth int, buf []byte, out []span) []span {
	for from := 0; from < len(run); {
		to := from
		for to < len(run) && isHex(run[to]) {
			to++
		}
		for shift := from; shift < from+2 && to-shift >= leastRun; shift++ {
			n, _ := hex.Decode(buf, []byte(run[shift:to]))
			for _, hit := range m.within(string(buf[:n]), depth) {
				out = append(out, span{offset + shift + hit.from*2, offset + shift + hit.to*2, Mark})
			}
		}
		from = to + 1
	}
	return out
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }

var toStandard = strings.NewReplacer("-", "+", "_", "/")

// within looks into an opened text.
func (m *matcher) within(s string, depth int) []span {
	return m.packed(s, depth-1, m.escaped(s, m.plain(s)))
}
