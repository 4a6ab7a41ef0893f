package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"

	"patchbay/client"
)

// networkError tells what kept an answer from arriving whole.
func (c *Client) networkError(call Call, x *exchange) *client.Error {
	e := Classify(x.err, c.o.Redactor.URL(x.url))
	e.Doing = call.Doing
	e.Status = x.status()
	e.Message = c.o.Redactor.Text(e.Message)
	if x.response != nil && x.body != nil && x.body.Len() > 0 {
		e.Envelope = &client.Envelope{Body: x.body, Shape: client.ShapeOther, Status: x.status(), ContentType: x.header().Get("Content-Type")}
	}
	if call.Write && !notSent(x.err) {
		e.Next = strings.TrimSpace(e.Next + " It is not known whether the change was made: look before you repeat it.")
	}
	return e
}

// notSent tells whether an error came before a request could leave.
func notSent(err error) bool {
	var dns *net.DNSError
	var op *net.OpError
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial" || errors.Is(err, syscall.ECONNREFUSED)
}

// Classify tells failures of the network apart. address is named in the texts.
func Classify(err error, address string) *client.Error {
	host := hostOf(address)
	for _, classify := range []func(error, string) *client.Error{ownError, tlsError, proxyError, dialError} {
		if e := classify(err, host); e != nil {
			e.Err = err
			return e
		}
	}
	return &client.Error{
		Class: client.ClassNetwork, Layer: client.LayerNetwork, Err: err,
		Message: fmt.Sprintf("the call to %s failed: %v", host, err),
		Next:    "Check the connection and the base URL.",
	}
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// ownError tells the reasons that this program gives itself.
func ownError(err error, host string) *client.Error {
	var away *redirectError
	var encoding *encodingError
	switch {
	case errors.Is(err, errFirstByte), errors.Is(err, errIdle):
		return timeout(host, err.Error())
	case errors.Is(err, context.DeadlineExceeded):
		return timeout(host, "the time given for the call is over")
	case errors.Is(err, context.Canceled):
		return &client.Error{Class: client.ClassCanceled, Layer: client.LayerProgram, Message: "canceled"}
	case errors.Is(err, errTooLarge):
		return &client.Error{Class: client.ClassBadResponse, Layer: client.LayerProgram, Message: err.Error(), Next: "Ask for fewer records or fields per page."}
	case errors.Is(err, errSink):
		return &client.Error{Class: client.ClassOther, Layer: client.LayerProgram, Message: err.Error(), Next: "Check the place that the answer is written to."}
	case errors.As(err, &encoding):
		return &client.Error{Class: client.ClassBadResponse, Layer: client.LayerHosted, Message: err.Error() + ", which patchbay cannot read", Next: "A proxy on the way may have compressed it; ask its owner."}
	case errors.Is(err, errTooManyRedirects):
		return &client.Error{Class: client.ClassBadResponse, Layer: client.LayerHosted, Message: fmt.Sprintf("%s redirects without end", host), Next: "Check the base URL."}
	case errors.As(err, &away):
		return &client.Error{Class: client.ClassConfig, Layer: client.LayerProxy, Status: away.status, Message: away.Error(), Next: "Credentials do not follow redirects. Set the base URL to the final address, or sign in to the network that redirects you."}
	}
	return nil
}

func timeout(host, what string) *client.Error {
	return &client.Error{
		Class: client.ClassTimeout, Layer: client.LayerNetwork,
		Message: fmt.Sprintf("%s: %s", host, what),
		Next:    "Try again, or ask for less: fewer records, fewer fields.",
	}
}

func tlsError(err error, host string) *client.Error {
	e := &client.Error{Class: client.ClassTLS, Layer: client.LayerNetwork}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var plain tls.RecordHeaderError
	var alert tls.AlertError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &unknown):
		e.Message = fmt.Sprintf("the certificate of %s is signed by an authority that this machine does not trust", host)
		e.Next = "Behind a company proxy, add its root certificate (SSL_CERT_FILE); otherwise do not trust this server."
	case errors.As(err, &name):
		e.Message = fmt.Sprintf("the certificate is not one for %s", host)
		e.Next = "Check the host name in the base URL."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		e.Message = fmt.Sprintf("the certificate of %s is expired or not yet valid", host)
		e.Next = "Check this machine's clock, then ask the owner of the server."
	case errors.As(err, &plain), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		e.Message = fmt.Sprintf("%s does not speak TLS on this port", host)
		e.Next = "Use http:// in the base URL if that is meant, or the right port."
	case errors.As(err, &invalid), errors.As(err, &verify), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		e.Message = fmt.Sprintf("no trusted connection to %s: %v", host, err)
		e.Next = "Check the base URL and what stands between this machine and the server."
	default:
		return nil
	}
	return e
}

func proxyError(err error, _ string) *client.Error {
	var op *net.OpError
	text := err.Error()
	if !(errors.As(err, &op) && op.Op == "proxyconnect") && !strings.Contains(text, "Proxy Authentication Required") {
		return nil
	}
	return &client.Error{
		Class: client.ClassNetwork, Layer: client.LayerProxy,
		Message: "the proxy did not connect: " + text,
		Next:    "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
	}
}

// dialError reads the system's words for a connection that was not made or broke.
func dialError(err error, host string) *client.Error {
	e := &client.Error{Class: client.ClassNetwork, Layer: client.LayerNetwork}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Message = fmt.Sprintf("the host name %s is not known", dns.Name)
		e.Next = "Check the spelling of the base URL, and the VPN if the name is an internal one."
	case errors.As(err, &dns):
		e.Message = fmt.Sprintf("the name server gave no answer for %s", dns.Name)
		e.Next = "Check this machine's connection."
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = fmt.Sprintf("%s refuses connections: nothing listens there", host)
		e.Next = "Check the port in the base URL, and that the server runs."
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		e.Message = fmt.Sprintf("there is no way to %s from this network", host)
		e.Next = "Check this machine's connection or VPN."
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = fmt.Sprintf("%s broke the connection in the middle of the answer", host)
		e.Next = "Run it again. What arrived can be read in the Raw view."
	case brokenConnection(err) == "the connection broke":
		e.Message = fmt.Sprintf("%s closed the connection without an answer", host)
		e.Next = "Run it again; if it stays, a proxy or firewall may cut it."
	case errors.As(err, &op) && op.Timeout():
		e.Class = client.ClassTimeout
		e.Message = fmt.Sprintf("%s does not answer", host)
		e.Next = "Check the base URL, a firewall or the VPN."
	default:
		return nil
	}
	return e
}
