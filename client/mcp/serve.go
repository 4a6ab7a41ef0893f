package mcp

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"patchbay/client/listen"
)

// Stdio serves one agent over in and out until it leaves or ctx ends.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.sdk.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: keptOpen{out}})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return err
}

// keptOpen is a writer that somebody else closes.
type keptOpen struct{ io.Writer }

// Close implements io.Closer.
func (keptOpen) Close() error { return nil }

// sessionTime is how long a session is kept that nobody uses.
const sessionTime = 30 * time.Minute

// Path is where a listener serves the protocol.
const Path = "/mcp"

// HTTP serves agents over streamable HTTP at a listener until ctx ends. Who does not give
// the token is refused.
func (s *Server) HTTP(ctx context.Context, l net.Listener, address, token string, log func(string)) error {
	streams := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk },
		&sdk.StreamableHTTPOptions{SessionTimeout: sessionTime, PropagateRequestCancellation: true,
			// What the listener lets in is more exact than the protection of the library.
			DisableLocalhostProtection: true})
	mux := http.NewServeMux()
	mux.Handle(Path, bearer(token, streams))
	server := listen.Server(listen.Options{Name: "patchbay", Address: address, Handler: mux, Log: log, Endless: true})
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// bearer lets in whoever gives the token.
func bearer(token string, next http.Handler) http.Handler {
	want := []byte("Bearer " + token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "The bearer token is missing or wrong: patchbay mcp prints it when it starts.",
				http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}
