package text

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// LinkMax is the longest address that becomes a link.
const LinkMax = 2000

// Link makes drawn text, which may hold styles, clickable where address is one of
// the web that is safe in an escape sequence; else it is drawn as it was.
func Link(drawn Safe, address string) Safe {
	address, ok := webAddress(address)
	if !ok || drawn == "" {
		return drawn
	}
	return Safe(ansi.SetHyperlink(address)) + drawn + Safe(ansi.ResetHyperlink())
}

// webAddress returns t as an address that is safe inside an escape sequence:
// http or https, a host, no user name that could pass for one, and nothing but
// visible ASCII. What is not ASCII is written in the bytes of its UTF-8, as browsers do.
func webAddress(t string) (string, bool) {
	if !strings.HasPrefix(t, "http://") && !strings.HasPrefix(t, "https://") {
		return "", false
	}
	u, err := url.Parse(t)
	if err != nil || u.Host == "" || u.User != nil {
		return "", false
	}
	var b strings.Builder
	for _, c := range []byte(u.String()) {
		switch {
		case c >= 0x80:
			fmt.Fprintf(&b, "%%%02X", c)
		case c <= 0x20 || c == 0x7f:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), b.Len() <= LinkMax
}
