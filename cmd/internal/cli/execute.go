package cli

import (
	"context"
	"flag"
	"io"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/export"
	"patchbay/client/pages"
)

// unfinishedHelp tells what becomes of a file that many pages go to.
const unfinishedHelp = "With --all, --max or --until and -o FILE, a run that stops or fails leaves FILE.part and FILE.part.json behind.\n" +
	"The same command goes on from there, and so does an export of every page of the same call in the explorer, except after --until.\n" +
	"Of records (JSON), FILE.part is an array without its end until then."

// formatBody prints an answer as received; the other formats are export's.
const formatBody = "body"

// executeFlags are the flags of connectors execute and of run.
type executeFlags struct {
	all     *bool
	max     *int
	until   *string
	format  *string
	out     string
	columns *string
	yes     *bool
	local   *string
	baseURL *string
}

func bindExecute(fs *flag.FlagSet) *executeFlags {
	f := &executeFlags{
		all:     fs.Bool("all", false, "fetch every page"),
		max:     fs.Int("max", 0, "fetch pages until there are `n` records"),
		until:   fs.String("until", "", "fetch pages until one has a record that meets a `condition`: a text, or jq that begins with a dot"),
		format:  choose(fs, "format", "", "what to print (body; of several pages: records)", formatBody, "records", "ndjson", "csv", "markdown"),
		columns: fs.String("columns", "", "the columns of csv and markdown: `paths` joined by commas"),
		yes:     bindYes(fs),
		local:   fs.String("local", "", "call the third party of this `kind` directly"),
		baseURL: fs.String("base-url", "", "the `url` that a local call goes to"),
	}
	fs.StringVar(&f.out, "o", "", "write to `file`, which appears when it is whole")
	fs.StringVar(&f.out, "output", "", "the same as -o `file`")
	return f
}

func executeCommand(name string) command {
	return command{
		name: name, usage: "--json PAYLOAD [--workspace W] [--name N | --id ID] [--all | --max N | --until CONDITION] [--format F] [-o FILE] [--yes] [--local KIND [--base-url URL]]", service: true,
		summary: "Run an operation.",
		help: payloadHelp + "\nBeside that it has entity, action and params, and may have select_fields and exclude_fields:\n" +
			`  {"workspace":"demo","name":"payments","entity":"customers","action":"list","params":{"limit":5}}` + "\n" +
			"create, update and delete change data and need --yes.\n" +
			unfinishedHelp,
		setup: func(fs *flag.FlagSet) runner {
			payload, flags, where := bindPayload(fs), bindExecute(fs), bindWhere(fs)
			return func(ctx context.Context, a *app, _ []string) error {
				r, err := payload.read(a, "execute", "workspace", "name", "id", "entity", "action", "params", "select_fields", "exclude_fields")
				if err != nil {
					return err
				}
				if err := where.fill(&r); err != nil {
					return err
				}
				return a.execute(ctx, r, flags)
			}
		},
	}
}

// whereFlags name the connector beside a payload, so that one payload runs on several.
type whereFlags struct{ workspace, name, id *string }

func bindWhere(fs *flag.FlagSet) whereFlags {
	return whereFlags{
		workspace: fs.String("workspace", "", "the `workspace` to run it in"),
		name:      fs.String("name", "", "the `name` of the connector to run it on"),
		id:        fs.String("id", "", "the `id` of the connector to run it on"),
	}
}

// fill puts the flags into a payload that does not say otherwise.
func (w whereFlags) fill(r *request) error {
	for _, f := range []struct {
		what, flag string
		into       *string
	}{{"workspace", *w.workspace, &r.Workspace}, {"name", *w.name, &r.Name}, {"id", *w.id, &r.ID}} {
		switch {
		case f.flag == "":
		case *f.into != "" && *f.into != f.flag:
			return usage("--%s says %q and the payload %q", f.what, f.flag, *f.into).next("Leave one of them out.")
		default:
			*f.into = f.flag
		}
	}
	return nil
}

// execution is an operation on its way to a place to print it.
type execution struct {
	a      *app
	s      *session
	exec   client.Executor
	target client.Target
	op     client.Operation
	// entity and action are the catalog's; nil where it does not know them.
	entity *catalog.Entity
	action *catalog.Action
	format string
	out    string
	// paged asks for further pages, until there are max records (0: all).
	paged bool
	max   int
	// until ends the run behind a page that meets it; nil for none.
	until pages.Condition
	// condition is until as it was typed.
	condition string
	columns   []string
	yes       bool
	started   time.Time
	// blocked is set when the pages turned out not to lead to an end.
	blocked bool
}

// execute runs the operation of a payload.
func (a *app) execute(ctx context.Context, r request, f *executeFlags) error {
	x, err := a.newExecution(r, f)
	if err != nil {
		return err
	}
	if err := x.connect(ctx, r, *f.local, *f.baseURL); err != nil {
		return err
	}
	x.lookUp()
	if x.op.Writes() || x.action != nil && x.action.Writes() {
		if err := needYes(x.yes, x.op.Action+" "+x.op.Entity); err != nil {
			return err
		}
	}
	ctx = client.WithObserver(ctx, a.observe)
	switch {
	case x.op.Action == catalog.ActionDownload:
		return x.download(ctx)
	case x.format == formatBody:
		return x.body(ctx)
	}
	return x.records(ctx)
}

// newExecution checks what flags and payload say before anything is opened.
func (a *app) newExecution(r request, f *executeFlags) (*execution, error) {
	x := &execution{a: a, op: r.Operation, format: *f.format, out: f.out, paged: *f.all || *f.max > 0 || *f.until != "", max: *f.max, yes: *f.yes, started: a.now()}
	switch {
	case r.Operation.Entity == "" || r.Operation.Action == "":
		return nil, usage("the payload names no operation").next(`Add "entity" and "action"; patchbay catalog KIND lists them.`)
	case *f.max < 0:
		return nil, usage("--max must be 1 or more")
	case *f.baseURL != "" && *f.local == "":
		return nil, usage("--base-url belongs to --local").next("Add --local KIND, or set PLATFORM_BASE_URL for a hosted service.")
	case x.paged && x.format == formatBody:
		return nil, usage("--format body prints one answer, and --all, --max and --until ask for several pages").next("Use --format records, ndjson, csv or markdown.")
	case x.format == "" && x.paged:
		x.format = "records"
	case x.format == "":
		x.format = formatBody
	}
	if x.condition = *f.until; x.condition != "" {
		var err error
		if x.until, err = pages.Until(*f.until); err != nil {
			return nil, usage("--until: %v", err)
		}
	}
	if *f.columns != "" {
		x.columns = strings.Split(*f.columns, ",")
	}
	return x, nil
}

// connect finds the executor and the target.
func (x *execution) connect(ctx context.Context, r request, kind, baseURL string) error {
	if kind != "" {
		return x.connectLocal(ctx, r, kind, baseURL)
	}
	s, err := x.a.service(ctx)
	if err != nil {
		return err
	}
	c, err := s.connector(ctx, r)
	if err != nil {
		return err
	}
	x.s, x.exec, x.target = s, s, c.Target(s.name)
	return nil
}

// connectLocal aims at a third party. It needs no service and no profile.
func (x *execution) connectLocal(ctx context.Context, r request, kind, baseURL string) error {
	if r.Workspace != "" || r.ID != "" {
		return usage("a local call knows no workspace and no id").next(`Leave "workspace" and "id" out of the payload; "name" chooses among several credentials.`)
	}
	k, err := x.a.kinds().Kind(kind)
	if err != nil {
		return err
	}
	s, err := x.a.localSession(ctx)
	if err != nil {
		return err
	}
	x.s, x.exec = s, s
	x.target = client.Target{Profile: s.name, Kind: k.Name, Name: r.Name, Local: true, BaseURL: baseURL}
	return nil
}

// lookUp finds the operation in the catalog; unknown ones are for the service to judge.
func (x *execution) lookUp() {
	k, err := x.a.kinds().Kind(x.target.Kind)
	if x.target.Kind == "" || err != nil {
		return
	}
	if x.entity = k.Entity(x.op.Entity); x.entity != nil {
		x.action = x.entity.Action(x.op.Action)
	}
	x.doubt(k)
}

// doubt tells of params that the catalog does not know. They are sent all the
// same: the service may know more.
func (x *execution) doubt(k *catalog.Kind) {
	if x.action == nil {
		return
	}
	for _, v := range catalog.CheckParams(k, x.entity, x.action, x.op.Params) {
		if v.Rule == "unknown" {
			x.a.say("Param %s is %s (it is sent as it is)", v.Path, v.Message)
		}
	}
}

// observe tells on stderr why a call takes longer.
func (a *app) observe(e client.Event) {
	if e.Kind == client.EventRetry {
		a.say("Waiting %s to try again: %s.", e.Wait.Round(10*time.Millisecond), strings.TrimSuffix(e.Reason, "."))
	}
}

// body prints the answer as received.
func (x *execution) body(ctx context.Context) error {
	env, err := x.exec.Execute(ctx, x.target, x.op)
	x.record(env, err, 0, false)
	if err != nil {
		return err
	}
	x.warn(env)
	if x.out != "" {
		return export.ToFile(x.out, func(w io.Writer) error { return writeBody(w, env.Body) })
	}
	w := x.a.dataOut()
	if err := writeBody(w, env.Body); err != nil {
		return err
	}
	if n := env.Body.Len(); x.a.onTerminal() && n > 0 && env.Body.Slice(n-1, n)[0] != '\n' {
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
	}
	return flush(w)
}

// writeBody writes a body piece by piece, as large ones lie in chunks.
func writeBody(w io.Writer, b client.Body) error {
	const piece = 1 << 20
	for from := 0; from < b.Len(); from += piece {
		if _, err := w.Write(b.Slice(from, min(from+piece, b.Len()))); err != nil {
			return err
		}
	}
	return nil
}

// warn passes on what the service, or a local call itself, remarks about the answer.
func (x *execution) warn(env *client.Envelope) {
	if env != nil && env.Warning != "" {
		x.a.say("Note: %s", env.Warning)
	}
}

// download streams a file to where it belongs.
func (x *execution) download(ctx context.Context) error {
	if x.out == "" {
		if x.a.onTerminal() {
			return fail(client.ClassRefused, "a file does not belong on a terminal").next("Name one with -o FILE, or send the output to a program.")
		}
		env, err := x.exec.Download(ctx, x.target, x.op, x.a.stdout)
		x.record(env, err, 0, true)
		return err
	}
	var size int64
	err := export.ToFile(x.out, func(w io.Writer) error {
		counted := &countingWriter{w: w}
		env, err := x.exec.Download(ctx, x.target, x.op, counted)
		x.record(env, err, 0, true)
		x.warn(env)
		size = counted.n
		return err
	})
	if err == nil {
		x.a.say("%s: %d bytes", x.out, size)
	}
	return err
}

type countingWriter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
