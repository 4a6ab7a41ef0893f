package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/kindfile"
	"patchbay/client/listen"
	"patchbay/client/ownfile"
	"patchbay/client/sandbox"
	"patchbay/cmd/internal/licenses"
	"patchbay/themes"
	"patchbay/ui"
	"patchbay/ui/action"
)

// keyJSON is how a key is printed.
type keyJSON struct {
	Where  string `json:"where"`
	Keys   string `json:"keys"`
	Help   string `json:"help"`
	Action string `json:"action"`
}

func (a *app) keysCommand(c *cobra.Command) {
	format := choose(c, "format", "table", "how to print", "table", "json")
	c.RunE = func(*cobra.Command, []string) error {
		own, problems := a.readKeys()
		rows, more := ui.KeyTable(own)
		as := func(r [4]string) (keyJSON, []string) { return keyJSON{r[0], r[1], r[2], r[3]}, r[:] }
		l := table([]string{"WHERE", "KEYS", "WHAT IT DOES", "ACTION"}, rows, "", as)
		if err := a.print(l, *format); err != nil {
			return err
		}
		for _, p := range append(problems, more...) {
			a.say("%s", p)
		}
		if len(problems)+len(more) > 0 {
			return client.Misconfigured("not everything in %s is right", a.keysFile()).
				Advise("The explorer starts all the same and uses what is right.")
		}
		return nil
	}
}

// readKeys reads the person's own keys from keys.yaml beside the settings.
func (a *app) readKeys() (keys map[string][]string, problems []string) {
	if a.FoldersErr != nil {
		return nil, nil
	}
	data, err := ownfile.Read(a.keysFile(), ownfile.Small)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []string{err.Error()}
	}
	return action.ParseKeys(a.keysFile(), data)
}

func (a *app) keysFile() string { return filepath.Join(a.Folders.Config, "keys.yaml") }

type sandboxFlags struct {
	listen, fault string
	shape, names  *string
	records       int
	seed          int64
	insecure      bool
	kinds         []string
}

func (a *app) sandboxCommand(c *cobra.Command) {
	var f sandboxFlags
	fs := c.Flags()
	fs.StringVar(&f.listen, "listen", strings.TrimPrefix(sandbox.BaseURL, "http://"),
		"the `ADDRESS` to listen on; port 0 takes a free one")
	fs.IntVar(&f.records, "records", 0, "records of an ordinary entity, as a `NUMBER`")
	fs.Int64Var(&f.seed, "seed", 0, "the `NUMBER` that the data follow from")
	fs.StringVar(&f.fault, "fault", "", "how every call misbehaves: `NAMES` joined by commas")
	fs.BoolVar(&f.insecure, "insecure-listen", false, "allow an address that other machines reach")
	f.shape = choose(c, "shape", sandbox.ShapeDocumented, "the shape of search answers", sandbox.ShapeDocumented,
		sandbox.ShapeAPI)
	f.names = choose(c, "names", sandbox.NamesNeutral, "the names of fields and values", sandbox.NamesNeutral,
		sandbox.NamesWire)
	fs.StringArrayVar(&f.kinds, "kind", nil, "add the kind of a `FILE`: a connector file, or a definition")
	completeFlag(c, "fault", sandbox.FaultNames)
	c.RunE = runs(func(ctx context.Context, _ []string) error { return a.serveSandbox(ctx, f) })
}

func (a *app) serveSandbox(ctx context.Context, f sandboxFlags) error {
	faults, err := sandbox.ParseFaults(f.fault)
	if err != nil {
		return client.Invalid("--fault: %v", err)
	}
	if f.records < 0 {
		return client.Invalid("--records must be 1 or more")
	}
	// The fixed credentials of the sandbox are known to everybody.
	l, err := listenOn(f.listen, f.insecure, "the sandbox",
		", and everybody knows the sandbox's credentials")
	if err != nil {
		return err
	}
	for _, file := range f.kinds {
		k, err := kindfile.Open(ctx, file, a.Kinds())
		if err != nil {
			return errors.Join(err, l.Close())
		}
		a.Kinds().Put(k)
	}
	var mu sync.Mutex
	service := sandbox.New(sandbox.Options{Catalog: a.Kinds(), Strangers: catalog.Strangers(), Seed: f.seed,
		Records: f.records, Shape: *f.shape, Names: *f.names, Faults: faults, Now: a.Now, Log: func(line string) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(a.stderr, shown(line))
		}})
	baseURL := "http://" + l.Addr().String()
	for _, v := range sandbox.EnvAt(baseURL, *f.names) {
		fmt.Fprintf(a.stdout, "export %s='%s'\n", v[0], v[1])
	}
	if _, err = fmt.Fprintf(a.stdout, "\n# A call that works as it is:\n# curl -s %s/api/v1/workspaces -H "+
		"'Authorization: Bearer %s'\n", baseURL, sandbox.Token); err != nil {
		return errors.Join(err, l.Close())
	}
	server := service.Server(f.listen)
	defer context.AfterFunc(ctx, func() { _ = server.Close() })() // whoever is still reading is told to stop
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listenOn listens at an address, and at one that other machines reach only where
// somebody wants that; what names the server, besides is what makes it worse.
func listenOn(address string, insecure bool, what, besides string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, client.Invalid("--listen wants an address and a port: %v", err).
			Advise("Give 127.0.0.1:8642, or 127.0.0.1:0 for a free port.")
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) && !insecure {
		return nil, client.Failf(client.ClassRefused, "%s can be reached from other machines%s", address, besides).
			Advise("Listen on 127.0.0.1, or add --insecure-listen if that is what you want.")
	}
	l, err := listen.On(address)
	if err != nil {
		return nil, client.Misconfigured("%s cannot listen on %s: %v", what, address, err).
			Advise("Choose another port, or port 0 for a free one.")
	}
	return l, nil
}

// themeDir is the folder of the person's own themes; empty for none.
func (a *app) themeDir() string {
	if a.FoldersErr != nil {
		return ""
	}
	return filepath.Join(a.Folders.Config, "themes")
}

type themeJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Mode  string `json:"mode"`
	Own   bool   `json:"own"`
}

func (a *app) themesCommand(c *cobra.Command) {
	format := listFormat(c)
	c.RunE = runs(func(context.Context, []string) error {
		var list []themeJSON
		add := func(dir string, names []string) {
			for _, name := range names {
				t, err := themes.Load(name, dir)
				if err != nil {
					a.say("%v", err)
					continue
				}
				list = append(list, themeJSON{name, t.Title, t.Mode, dir != ""})
			}
		}
		add("", themes.Names())
		add(a.themeDir(), themes.UserNames(a.themeDir()))
		return a.print(table([]string{"NAME", "TITLE", "MODE", ""}, list, "", func(t themeJSON) (themeJSON, []string) {
			return t, []string{t.Name, t.Title, t.Mode, map[bool]string{true: "your own"}[t.Own]}
		}), *format)
	})
}

func (a *app) versionCommand(c *cobra.Command) {
	texts := c.Flags().Bool("licenses", false, "print the licences of what is linked into the program")
	c.RunE = func(*cobra.Command, []string) error {
		if *texts {
			_, err := io.WriteString(a.stdout, licenses.Text)
			return err
		}
		return a.printVersion()
	}
}
