package result

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"patchbay/client/rawjson"
)

// linkMax is the longest address that becomes a link.
const linkMax = 2000

// linked makes drawn text clickable when the value n is a web address.
func linked(n rawjson.Node, drawn string) string {
	if n.Kind() != rawjson.String || n.Size() > linkMax+2 {
		return drawn
	}
	address, ok := webAddress(n.Text())
	if !ok || drawn == "" {
		return drawn
	}
	return ansi.SetHyperlink(address) + drawn + ansi.ResetHyperlink()
}

// webAddress returns t as an address that is safe inside an escape sequence:
// http or https, a host, no user name that could pass for one, and nothing but
// visible ASCII.
func webAddress(t string) (string, bool) {
	if !strings.HasPrefix(t, "http://") && !strings.HasPrefix(t, "https://") {
		return "", false
	}
	u, err := url.Parse(t)
	if err != nil || u.Host == "" || u.User != nil {
		return "", false
	}
	address := encoded(u.String())
	for i := 0; i < len(address); i++ {
		if address[i] <= 0x20 || address[i] >= 0x7f {
			return "", false
		}
	}
	return address, len(address) <= linkMax
}

// encoded writes what is not ASCII in the bytes of its UTF-8, as browsers do.
func encoded(address string) string {
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		if c := address[i]; c >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
