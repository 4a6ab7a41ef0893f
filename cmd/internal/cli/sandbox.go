package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"

	"patchbay/client"
	"patchbay/client/sandbox"
)

type sandboxFlags struct {
	listen, fault, shape *string
	records              *int
	seed                 *int64
	insecure             *bool
}

func sandboxCommand() command {
	return command{
		name: "sandbox", usage: "[--listen 127.0.0.1:PORT] [--records N] [--seed N] [--fault NAME[=ARG],...]", summary: "Serve the built-in service to other programs.",
		help: "It prints the environment variables with which a client reaches it, then a line for each request.\nFaults: " + strings.Join(sandbox.FaultNames(), ", ") + ".",
		setup: func(fs *flag.FlagSet) runner {
			f := sandboxFlags{
				listen:   fs.String("listen", strings.TrimPrefix(sandbox.BaseURL, "http://"), "the `address` to listen on; port 0 takes a free one"),
				records:  fs.Int("records", 0, "records of an ordinary entity, as a `number`"),
				seed:     fs.Int64("seed", 0, "the `number` that the data follow from"),
				fault:    fs.String("fault", "", "how every call misbehaves: `names` joined by commas"),
				shape:    choose(fs, "shape", sandbox.ShapeDocumented, "the shape of search answers", sandbox.ShapeDocumented, sandbox.ShapeAPI),
				insecure: fs.Bool("insecure-listen", false, "allow an address that other machines reach"),
			}
			return func(ctx context.Context, a *app, _ []string) error { return a.serveSandbox(ctx, f) }
		},
	}
}

func (a *app) serveSandbox(ctx context.Context, f sandboxFlags) error {
	faults, err := sandbox.ParseFaults(*f.fault)
	if err != nil {
		return usage("--fault: %v", err)
	}
	if *f.records < 0 {
		return usage("--records must be 1 or more")
	}
	if err := loopbackOnly(*f.listen, *f.insecure); err != nil {
		return err
	}
	l, err := net.Listen("tcp", *f.listen)
	if err != nil {
		return config("the sandbox cannot listen on %s: %v", *f.listen, err).next("Choose another port, or port 0 for a free one.")
	}
	var mu sync.Mutex
	service := sandbox.New(sandbox.Options{Catalog: a.kinds(), Seed: *f.seed, Records: *f.records, Shape: *f.shape, Faults: faults, Now: a.now, Log: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(a.stderr, shown(line))
	}})
	if err := a.printExports("http://" + l.Addr().String()); err != nil {
		return errors.Join(err, l.Close())
	}
	return serve(ctx, l, service)
}

// serve answers requests until the context ends.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: listenHeaderTimeout}
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		_ = server.Close() // whoever is still reading has been told to stop
	}()
	err := server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-done
		return nil
	}
	return err
}

// loopbackOnly refuses addresses that other machines reach: the fixed
// credentials of the sandbox are known to everybody.
func loopbackOnly(address string, insecure bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return usage("--listen wants an address and a port: %v", err).next("Give 127.0.0.1:8642, or 127.0.0.1:0 for a free port.")
	}
	ip := net.ParseIP(host)
	if host == "localhost" || ip != nil && ip.IsLoopback() || insecure {
		return nil
	}
	return fail(client.ClassRefused, "%s can be reached from other machines, and everybody knows the sandbox's credentials", address).
		next("Listen on 127.0.0.1, or add --insecure-listen if that is what you want.")
}

// printExports prints the variables of a client, and a call that works.
func (a *app) printExports(baseURL string) error {
	for _, v := range sandbox.EnvAt(baseURL) {
		if _, err := fmt.Fprintf(a.stdout, "export %s='%s'\n", v[0], v[1]); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(a.stdout, "\n# A call that works as it is:\n# curl -s %s/api/v1/workspaces -H 'Authorization: Bearer %s'\n", baseURL, sandbox.Token)
	return err
}
