package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"patchbay/catalog/skill"
	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/mcp"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
	"patchbay/client/session"
)

// mcpToken names the environment variable with the token of a listener.
const mcpToken = "PATCHBAY_MCP_TOKEN"

// mostSets is how many connectors have tools of their own unless somebody says otherwise:
// each set takes room in what a model reads.
const mostSets = 3

// mcpFlags are those of patchbay mcp.
type mcpFlags struct {
	connectors, locals []string
	workspace, listen  string
	tools              *string
	writes, insecure   bool
	config             bool
	limits             mcp.Limits
}

func (a *app) mcpCommand(c *cobra.Command) {
	a.bindCommand(c)
	f, fs := &mcpFlags{}, c.Flags()
	fs.StringArrayVar(&f.connectors, "connector", nil, "serve the connector of this `NAME`; may be given again")
	fs.StringArrayVar(&f.locals, "local", nil, "serve the third party of this `KIND` directly; may be given again")
	fs.StringVar(&f.workspace, "workspace", "", "serve the connectors of this `WORKSPACE`")
	fs.StringVar(&f.listen, "listen", "", "serve over HTTP at this `ADDRESS`, not over stdin and stdout")
	fs.BoolVar(&f.insecure, "insecure-listen", false, "let other machines reach it")
	fs.BoolVar(&f.writes, "allow-writes", false, "let a write be sent when the person at the agent agrees to it")
	fs.IntVar(&f.limits.Calls, "max-calls", 0, "refuse more than `N` calls in a session")
	fs.IntVar(&f.limits.Pages, "max-pages", 0, "refuse more than `N` further pages in a session")
	fs.IntVar(&f.limits.Tokens, "max-tokens", 0, "refuse calls once results took `N` tokens in a session")
	fs.BoolVar(&f.config, "print-config", false, "print what to add to the configuration of a client, and end")
	f.tools = choose(c, "tools", "auto", "one set of tools for each connector, or one for all",
		"auto", "each", "shared")
	completeFlag(c, "local", a.kindNames)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		if f.config {
			return a.printMCPConfig(c, f)
		}
		return a.serveMCP(ctx, f)
	})
}

// serveMCP serves until the agent leaves or the program is told to end.
func (a *app) serveMCP(ctx context.Context, f *mcpFlags) error {
	list, err := a.served(ctx, f)
	if err != nil {
		return err
	}
	o := mcp.Options{Connectors: list, AllowWrites: f.writes, Limits: f.limits, Version: a.Version, Now: a.Now,
		Shared: *f.tools == "shared" || *f.tools == "auto" && len(list) > mostSets,
		Hide:   func(text []byte) []byte { return a.Redactor.Body("application/json", text) }, Record: a.recorder(),
		Inspect: inspected, Docs: documented}
	server, err := mcp.New(o)
	if err != nil {
		return err
	}
	if f.listen == "" {
		return server.Stdio(ctx, a.stdin, a.stdout)
	}
	l, err := listenOn(f.listen, f.insecure, "the server", "")
	if err != nil {
		return err
	}
	token := a.Env[mcpToken]
	if token == "" {
		token = rand.Text()
		fmt.Fprintf(a.stdout, "token %s\n", token)
	}
	a.Redactor.Add(secret.New(token))
	fmt.Fprintf(a.stdout, "http://%s%s\n", l.Addr(), mcp.Path)
	return server.HTTP(ctx, l, f.listen, token, func(line string) { fmt.Fprintln(a.stderr, shown(line)) })
}

// inspected is what the service answers to inspect_connector.
func inspected(ctx context.Context, c mcp.Connector) ([]byte, error) {
	return c.Service.(*session.Session).Hosted.Inspect(ctx, c.Target.ConnectorID)
}

// documented are the documents of the service; those of the catalog where it has none.
func documented(ctx context.Context, c mcp.Connector, section string) (*skill.Docs, error) {
	d, err := c.Service.(*session.Session).Hosted.SkillDocs(ctx, c.Target.ConnectorID, section)
	if section == "" && client.AsError(err) != nil && client.AsError(err).Class == client.ClassNotFound {
		d, _ = skill.Of(c.Kind, c.Target.ConnectorID, c.Name, section)
		return d, nil
	}
	return d, err
}

// served are the connectors that the flags name: local ones, named ones, those of a
// workspace; all of the profile's workspace where they name none.
func (a *app) served(ctx context.Context, f *mcpFlags) ([]mcp.Connector, error) {
	var list []mcp.Connector
	for _, kind := range f.locals {
		s, target, k, err := a.localTarget(kind, "", "")
		if err != nil {
			return nil, err
		}
		list = append(list, mcp.Connector{Name: k.Name, Kind: k, Target: target, Service: s})
	}
	if len(f.locals) > 0 && len(f.connectors) == 0 && f.workspace == "" {
		return list, nil
	}
	s, err := a.Service(ctx)
	if err != nil {
		return nil, err
	}
	found, err := a.hostedServed(ctx, s, f)
	if err != nil {
		return nil, err
	}
	for _, c := range found {
		c, k, _, err := s.KindOf(ctx, c, false)
		if err != nil {
			a.say("%s is not served: %v", shown(c.Name), err)
			continue
		}
		list = append(list, mcp.Connector{Name: unused(c.Name, list), Kind: k, Target: c.Target(s.Name), Service: s})
	}
	return list, nil
}

// unused is a name that no connector of the list has yet.
func unused(name string, list []mcp.Connector) string {
	taken := func(n string) bool {
		return slices.ContainsFunc(list, func(c mcp.Connector) bool { return c.Name == n })
	}
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s-%d", name, i)
	}
	return out
}

func (a *app) hostedServed(ctx context.Context, s *session.Session, f *mcpFlags) ([]client.Connector, error) {
	workspace := cmp.Or(f.workspace, s.Profile.Workspace)
	if workspace == "" && s.Sandbox != nil {
		workspace = session.SandboxCall(a.Kinds()).Connector.Workspace
	}
	if len(f.connectors) == 0 {
		if workspace == "" {
			return nil, client.Invalid("it is not said which connectors to serve").
				Advise("Add --connector NAME or --workspace NAME.")
		}
		list, _, err := s.ConnectorsOf(ctx, workspace)
		return list, err
	}
	var list []client.Connector
	for _, name := range f.connectors {
		c, err := s.Connector(ctx, session.Ref{Workspace: workspace, Name: name})
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// recorder keeps the calls of agents in the history; nil where nothing is kept.
func (a *app) recorder() func(mcp.Call) {
	store := a.openHistory()
	if store == nil {
		return nil
	}
	told := sync.OnceFunc(func() { a.say("The history could not be written; calls are not kept.") })
	return func(c mcp.Call) {
		if s, isSession := c.Connector.Service.(*session.Session); isSession && !s.Profile.KeepsHistory() {
			return
		}
		_, err := a.keep(store, history.Run{Target: c.Connector.Target, Op: c.Op, Env: c.Env, Err: c.Err,
			Started: c.Started, By: c.Client})
		if err != nil {
			told()
		}
	}
}

// printMCPConfig prints the entry that most clients take, with the flags of this command.
func (a *app) printMCPConfig(c *cobra.Command, f *mcpFlags) error {
	entry := rawjson.NewMap()
	if f.listen != "" {
		entry.Add("type", "http")
		entry.Add("url", "http://"+f.listen+mcp.Path)
		entry.Add("headers", rawjson.NewMap("Authorization", "Bearer ${"+mcpToken+"}"))
	} else {
		program, err := os.Executable()
		if err != nil {
			program = "patchbay"
		}
		entry.Add("command", program)
		entry.Add("args", mcpArguments(c))
	}
	return a.printJSON(rawjson.NewMap("mcpServers", rawjson.NewMap("patchbay", entry)).JSON())
}

// mcpArguments are the flags of the command as they were given, but those that only
// concern this run.
func mcpArguments(c *cobra.Command) []string {
	out := []string{c.Name()}
	for _, name := range []string{"profile", "sandbox", "workspace", "connector", "local", "tools", "allow-writes",
		"read-only", "max-calls", "max-pages", "max-tokens"} {
		flag := c.Flags().Lookup(name)
		switch {
		case flag == nil || !flag.Changed:
		case flag.Value.Type() == "bool":
			out = append(out, "--"+name)
		case flag.Value.Type() == "stringArray":
			for v := range strings.SplitSeq(strings.Trim(flag.Value.String(), "[]"), ",") {
				out = append(out, "--"+name, v)
			}
		default:
			out = append(out, "--"+name, flag.Value.String())
		}
	}
	return out
}
