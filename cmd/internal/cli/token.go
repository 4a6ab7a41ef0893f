package cli

import (
	"context"
	"flag"
	"fmt"
	"time"
)

func tokenCommand() command {
	return command{
		name: "token", usage: "[--reveal]", service: true, summary: "Tell about the bearer token in use, or print it.",
		help: "It tells a short hash and when the token ends. With --reveal it prints the token itself:\n" +
			"  export PLATFORM_TOKEN=$(patchbay token --reveal)",
		setup: func(fs *flag.FlagSet) runner {
			reveal := fs.Bool("reveal", false, "print the token itself to stdout, and nothing else")
			format := listFormat(fs)
			return func(ctx context.Context, a *app, _ []string) error { return a.token(ctx, *reveal, *format) }
		},
	}
}

// tokenJSON tells about a token without telling it.
type tokenJSON struct {
	Hash         string `json:"hash"`
	Source       string `json:"source"`
	Ends         string `json:"ends,omitempty"`
	SecondsLeft  int    `json:"seconds_left,omitempty"`
	Renewable    bool   `json:"renewable"`
	Organization string `json:"organization_id,omitempty"`
}

func (a *app) token(ctx context.Context, reveal bool, format string) error {
	s, err := a.service(ctx)
	if err != nil {
		return err
	}
	if reveal {
		token, err := s.hosted.BearerToken(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(a.stdout, token.Reveal())
		return err
	}
	info, err := s.hosted.TokenInfo(ctx)
	if err != nil {
		return err
	}
	out := tokenJSON{Hash: info.Hash, Source: "given", Renewable: info.Renewable, Organization: s.hosted.Organization()}
	if info.Fetched {
		out.Source = "fetched with client id and secret"
	}
	ends := "unknown"
	if !info.Ends.IsZero() {
		left := info.Ends.Sub(a.now()).Round(time.Second)
		out.Ends, out.SecondsLeft = info.Ends.UTC().Format(time.RFC3339), int(left.Seconds())
		ends = fmt.Sprintf("%s (in %s)", out.Ends, left)
	}
	rows := [][]string{{"hash", out.Hash}, {"source", out.Source}, {"ends", ends}, {"organization", orNone(nonEmpty(out.Organization))}}
	return a.print(listing{head: []string{"TOKEN", ""}, rows: rows, value: out}, format)
}

func nonEmpty(words ...string) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}
