package transport

import (
	"net/http"
	"net/netip"
	"strings"

	"patchbay/client"
)

// exposed reports whether a request carries a credential over plain http to another
// machine.
func (c *Client) exposed(call Call, r *http.Request) bool {
	if r.URL.Scheme != "http" || Loopback(r.URL.Hostname()) {
		return false
	}
	for name, values := range r.Header {
		for _, value := range values {
			if c.o.Redactor.Header(name, value) != value {
				return true
			}
		}
	}
	address, body := r.URL.String(), string(call.Body)
	return call.Purpose == client.PurposeToken || c.o.Redactor.URL(address) != address ||
		c.o.Redactor.Text(body) != body
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
