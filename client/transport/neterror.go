package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"patchbay/client"
)

// networkError says what kept an answer from arriving whole.
func (c *Client) networkError(call Call, x *exchange) *client.Error {
	e := Classify(x.err, c.o.Redactor.URL(x.url))
	e.Doing = call.Doing
	e.Status = x.status()
	e.Message = c.o.Redactor.Text(e.Message)
	if x.response != nil && x.body != nil && x.body.Len() > 0 {
		e.Envelope = &client.Envelope{Body: x.body, Shape: client.ShapeOther, Status: x.status(),
			ContentType: x.header().Get("Content-Type")}
		e.More = "What arrived can be read in the Raw view."
	}
	e.Layer = cmp.Or(e.Layer, call.Layer, client.LayerHosted)
	switch {
	case !call.Write:
	case x.sent && !unconnected(x.err):
		e.Fate = client.FateUnknown
	default:
		e.Fate = client.FateUnsent
	}
	return e
}

// unconnected reports whether an error came before there was a connection to send a
// request over: no address, nobody listening, or no trusted server.
func unconnected(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return kind[*net.DNSError](err) || ok && (op.Op == "dial" || op.Op == "proxyconnect") ||
		errors.Is(err, syscall.ECONNREFUSED) || kind[*tls.CertificateVerificationError](err) ||
		kind[tls.RecordHeaderError](err)
}

// Classify tells failures of the network apart. address is named in the texts. The
// layer is empty where it is the one that answers.
func Classify(err error, address string) *client.Error {
	host, name := address, ""
	if u, wrong := url.Parse(address); wrong == nil && u.Host != "" {
		host = u.Host
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		name = dns.Name
	}
	f := networkFailures[slices.IndexFunc(networkFailures, func(f networkFailure) bool { return f.fits(err) })]
	e := &client.Error{Class: f.class, Layer: f.layer, Next: f.next, Err: err,
		Message: strings.NewReplacer("{host}", host, "{name}", name, "{error}", err.Error()).Replace(f.message)}
	if away, ok := errors.AsType[*redirectError](err); ok {
		e.Status = away.status
	}
	return e
}

// networkFailure is a failure of the network: when an error is one, and what is said of it.
type networkFailure struct {
	// when holds errors that errors.Is finds, words of the text, and conditions.
	when          []any
	class         client.Class
	layer         client.Layer
	message, next string
}

func (f networkFailure) fits(err error) bool {
	return slices.ContainsFunc(f.when, func(when any) bool {
		switch when := when.(type) {
		case string:
			return strings.Contains(err.Error(), when)
		case func(error) bool:
			return when(err)
		}
		return errors.Is(err, when.(error))
	})
}

func kind[E error](err error) bool { return that(func(E) bool { return true })(err) }

func that[E error](fits func(E) bool) func(error) bool {
	return func(err error) bool { e, ok := errors.AsType[E](err); return ok && fits(e) }
}

const (
	network = client.LayerNetwork
	askLess = "Try again, or ask for less: fewer records, fewer fields."
)

// notHTTP are the words of net/http for the head of an answer that it cannot read.
var notHTTP = []any{"malformed HTTP", "malformed MIME header", "bad Content-Length", "multiple Content-Length",
	"unsupported transfer encoding", "too many transfer encodings", "server response headers exceeded",
	"too many 1xx", "http2: frame too large",
	func(err error) bool {
		return strings.Contains(err.Error(), "HTTP/1.x transport connection broken") && brokenConnection(err) == ""
	}}

// networkFailures are what can go wrong on the way, the first that fits: what
// this program gives as a reason itself, what TLS and the proxy say, and the
// system's words for a connection that was not made or broke.
var networkFailures = []networkFailure{
	{[]any{errFirstByte, errIdle}, client.ClassTimeout, network, "{host}: {error}", askLess},
	{[]any{context.DeadlineExceeded}, client.ClassTimeout, network,
		"{host}: the time given for the call is over", askLess},
	{[]any{context.Canceled}, client.ClassCanceled, client.LayerProgram, "canceled", ""},
	{[]any{errTooLarge}, client.ClassBadResponse, client.LayerProgram, "{error}",
		"Ask for fewer records or fields per page, or set PATCHBAY_MAX_ANSWER to a size such as 4GB."},
	{[]any{errPlain}, client.ClassRefused, client.LayerProgram, "{host}: {error}",
		"Use https. Where the network is your own, add --insecure, or insecure: true to the profile."},
	{[]any{errSink}, client.ClassOther, client.LayerProgram, "{error}",
		"Check the place that the answer is written to."},
	{[]any{kind[*encodingError]}, client.ClassBadResponse, "", "{error}, which patchbay cannot read",
		"A proxy on the way may have compressed it; ask its owner."},
	{[]any{kind[*garbledError]}, client.ClassBadResponse, "", "{host} sent a broken answer: {error}",
		"The fault is the server's, or of a proxy before it: tell its owner if it stays."},
	{notHTTP, client.ClassBadResponse, "", "{host} sent an answer that is not proper HTTP",
		"Check the base URL and its port; the fault is that of the server there, or of a proxy before it."},
	{[]any{errTooManyRedirects}, client.ClassBadResponse, "", "{host} redirects without end",
		"Check the base URL."},
	{[]any{kind[*redirectError]}, client.ClassConfig, client.LayerProxy, "{error}",
		"It is not followed, and nothing of it is believed. Set the base URL to the final address, or sign in to the " +
			"network that redirects you."},

	{[]any{kind[x509.UnknownAuthorityError]}, client.ClassTLS, network,
		"the certificate of {host} is signed by an authority that this machine does not trust",
		"Behind a company proxy, add its root certificate (SSL_CERT_FILE); otherwise do not trust this server."},
	{[]any{kind[x509.HostnameError]}, client.ClassTLS, network, "the certificate is not one for {host}",
		"Check the host name in the base URL."},
	{[]any{that(func(e x509.CertificateInvalidError) bool { return e.Reason == x509.Expired })},
		client.ClassTLS, network, "the certificate of {host} is expired or not yet valid",
		"Check this machine's clock, then ask the owner of the server."},
	{[]any{kind[tls.RecordHeaderError], "server gave HTTP response to HTTPS client"}, client.ClassTLS, network,
		"{host} does not speak TLS on this port",
		"Use http:// in the base URL if that is meant, or the right port."},
	{[]any{kind[x509.CertificateInvalidError], kind[*tls.CertificateVerificationError], kind[tls.AlertError], "tls: "},
		client.ClassTLS, network, "no trusted connection to {host}: {error}",
		"Check the base URL and what stands between this machine and the server."},

	{[]any{that(func(e *net.OpError) bool { return e.Op == "proxyconnect" }), "Proxy Authentication Required"},
		client.ClassNetwork, client.LayerProxy, "the proxy did not connect: {error}",
		"Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY."},
	{[]any{that(func(e *net.DNSError) bool { return e.IsNotFound })}, client.ClassNetwork, network,
		"the host name {name} is not known",
		"Check the spelling of the base URL, and the VPN if the name is an internal one."},
	{[]any{kind[*net.DNSError]}, client.ClassNetwork, network, "the name server gave no answer for {name}",
		"Check this machine's connection."},
	{[]any{syscall.ECONNREFUSED}, client.ClassNetwork, network, "{host} refuses connections: nothing listens there",
		"Check the port in the base URL, and that the server runs."},
	{[]any{syscall.ENETUNREACH, syscall.EHOSTUNREACH}, client.ClassNetwork, network,
		"there is no way to {host} from this network", "Check this machine's connection or VPN."},
	{[]any{io.ErrUnexpectedEOF}, client.ClassNetwork, network,
		"{host} broke the connection in the middle of the answer",
		"Run it again."},
	{[]any{func(err error) bool { return brokenConnection(err) == broke }}, client.ClassNetwork, network,
		"{host} closed the connection without an answer",
		"Run it again; if it stays, a proxy or firewall may cut it."},
	{[]any{that((*net.OpError).Timeout)}, client.ClassTimeout, network, "{host} does not answer",
		"Check the base URL, a firewall or the VPN."},
	{[]any{""}, client.ClassNetwork, network, "the call to {host} failed: {error}",
		"Check the connection and the base URL."},
}
