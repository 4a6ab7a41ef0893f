package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/export"
	"patchbay/client/learned"
	"patchbay/client/preflight"
	"patchbay/client/saved"
	"patchbay/client/search"
	"patchbay/client/session"
)

// formatBody prints an answer as received; the other formats are export's, of
// which formatRecords is called json there.
const (
	formatBody    = "body"
	formatRecords = "records"
)

// executeFlags are the flags of connectors execute and of run.
type executeFlags struct {
	all, yes, force bool
	max             int
	until, columns  string
	as              *string
	out             string
	local, baseURL  string
}

func (a *app) bindExecute(c *cobra.Command) *executeFlags {
	f := &executeFlags{}
	fs := c.Flags()
	fs.BoolVar(&f.all, "all", false, "fetch every page")
	fs.IntVar(&f.max, "max", 0, "fetch pages until there are `N` records")
	fs.StringVar(&f.until, "until", "", "fetch pages until one has a record that meets a `CONDITION`: a text, or jq "+
		"that begins with a dot")
	fs.StringVar(&f.columns, "columns", "", "the columns of csv and markdown: `PATHS` joined by commas")
	fs.StringVarP(&f.out, "output", "o", "", "write to `FILE`, which appears when it is whole")
	fs.StringVar(&f.local, "local", "", "call the third party of this `KIND` directly")
	fs.StringVar(&f.baseURL, "base-url", "", "the `URL` that a local call goes to")
	bindYes(c, &f.yes)
	fs.BoolVar(&f.force, "force", false, "send the call although the checks say that it will be refused")
	formats := texts(export.Formats[1:], export.Format.String) // the first is JSON
	f.as = choose(c, "format", "", "what to print (body; of several pages: records)",
		append([]string{formatBody, formatRecords}, formats...)...)
	completeFlag(c, "local", a.kindNames)
	return f
}

func (a *app) executeCommand(c *cobra.Command) {
	a.bindCommand(c)
	payload, flags, where := bindPayload(c), a.bindExecute(c), session.Ref{}
	bindWhere(c, &where)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		r, err := a.payload(ctx, *payload, "execute", executeFields...)
		if err != nil {
			return err
		}
		if err := fill(&r.Ref, where); err != nil {
			return err
		}
		return a.execute(ctx, r, flags)
	})
}

// bindWhere declares the flags that name a connector beside a payload, so that
// one payload runs on several.
func bindWhere(c *cobra.Command, where *session.Ref) {
	c.Flags().StringVar(&where.Workspace, "workspace", "", "the `WORKSPACE` to run it in")
	c.Flags().StringVar(&where.Name, "name", "", "the `NAME` of the connector to run it on")
	c.Flags().StringVar(&where.ID, "id", "", "the `ID` of the connector to run it on")
}

// fill puts what flags say into a payload that does not say otherwise.
func fill(r *session.Ref, flags session.Ref) error {
	for _, f := range []struct {
		what, flag string
		into       *string
	}{{"workspace", flags.Workspace, &r.Workspace}, {"name", flags.Name, &r.Name}, {"id", flags.ID, &r.ID}} {
		if *f.into != "" && f.flag != "" && *f.into != f.flag {
			return client.Invalid("--%s says %q and the payload %q", f.what, f.flag, *f.into).
				Advise("Leave one of them out.")
		}
		*f.into = cmp.Or(f.flag, *f.into)
	}
	return nil
}

// execution is an operation on its way to a place to print it.
type execution struct {
	executeFlags
	a      *app
	s      *session.Session
	target client.Target
	op     client.Operation
	// entity and action are the catalog's; nil where it does not know them.
	entity *catalog.Entity
	action *catalog.Action
	format string
	// paged asks for further pages.
	paged bool
	// condition ends the run behind a page that meets it; nil for none.
	condition answer.Condition
	started   time.Time
}

// execute runs the operation of a payload.
func (a *app) execute(ctx context.Context, r request, f *executeFlags) error {
	x, err := a.newExecution(r, f)
	if err == nil {
		err = x.connect(ctx, r.Ref)
	}
	if err != nil {
		return err
	}
	x.op.Unchecked = x.force
	if err := x.checked(ctx); err != nil {
		return err
	}
	if err := x.agreed(); err != nil {
		return err
	}
	switch {
	case x.op.Action == catalog.ActionDownload && !catalog.Windowed(x.op.Params):
		err = x.download(ctx)
	case x.format == formatBody:
		err = x.body(ctx)
	default:
		err = x.records(ctx)
	}
	return x.looked(err)
}

// agreed refuses a write that nobody said yes to, and one that is to be sent page
// after page.
func (x *execution) agreed() error {
	changes := x.op.Action + " " + x.op.Entity + " changes data"
	named := []string{catalog.ActionCreate, catalog.ActionUpdate, catalog.ActionDelete}
	if x.action == nil && !slices.Contains(named, x.op.Action) {
		changes = x.op.Action + " " + x.op.Entity + " may change data: the catalog does not know that it only reads"
	}
	switch {
	case !catalog.Writes(x.op.Action, x.action):
		return nil
	case x.paged:
		return client.Invalid("%s, so it is sent once; --all, --max and --until ask for several pages", changes).
			Advise("Leave them out. Nothing was sent.")
	}
	return needYes(x.yes, x.s, changes)
}

// newExecution checks what flags and payload say before anything is opened.
func (a *app) newExecution(r request, f *executeFlags) (*execution, error) {
	x := &execution{executeFlags: *f, a: a, op: r.Operation, format: *f.as, started: a.Now(),
		paged: f.all || f.max > 0 || f.until != ""}
	switch {
	case r.Operation.Entity == "" || r.Operation.Action == "":
		return nil, client.Invalid("the payload names no operation").
			Advise(`Add "entity" and "action"; patchbay catalog KIND lists them.`)
	case f.max < 0:
		return nil, client.Invalid("--max must be 1 or more")
	case f.baseURL != "" && f.local == "":
		return nil, client.Invalid("--base-url belongs to --local").
			Advise("Add --local KIND, or set PLATFORM_BASE_URL for a hosted service.")
	case x.paged && x.format == formatBody:
		return nil, client.Invalid("--format body prints one answer, and --all, --max and --until ask for several " +
			"pages").
			Advise("Use --format records, ndjson, csv or markdown.")
	case x.format == "" && x.paged:
		x.format = formatRecords
	case x.format == "":
		x.format = formatBody
	}
	if f.until == "" {
		return x, nil
	}
	var err error
	if x.condition, err = answer.Until(f.until); err != nil {
		return nil, client.Invalid("--until: %v", err)
	}
	return x, nil
}

// connect opens the session and finds the target. A third party needs no
// service and no profile.
func (x *execution) connect(ctx context.Context, r session.Ref) (err error) {
	if x.local == "" {
		if x.s, err = x.a.Service(ctx); err != nil {
			return err
		}
		c, err := x.s.Connector(ctx, r)
		if err == nil {
			c = x.a.known(ctx, x.s, c)
		}
		x.target = c.Target(x.s.Name)
		return err
	}
	if r.Workspace != "" || r.ID != "" {
		return client.Invalid("a local call knows no workspace and no id").
			Advise(`Leave "workspace" and "id" out of the payload; "name" chooses among several credentials.`)
	}
	x.s, x.target, _, err = x.a.localTarget(x.local, r.Name, x.baseURL)
	return err
}

// localTarget aims at a third party.
func (a *app) localTarget(kind, name, baseURL string) (*session.Session, client.Target, *catalog.Kind, error) {
	k, err := a.Kinds().Kind(kind)
	if err != nil {
		return nil, client.Target{}, nil, err
	}
	s, err := a.LocalOnly()
	if err != nil {
		return nil, client.Target{}, nil, err
	}
	return s, client.Target{Profile: s.Name, Kind: k.Name, Name: name, Local: true, BaseURL: baseURL}, k, nil
}

// checked says what is doubtful about the call and refuses one that is wrong. What is
// doubtful of a local call comes with its answer.
func (x *execution) checked(ctx context.Context) error {
	list, err := x.verdicts(ctx)
	if err != nil {
		return err
	}
	for _, v := range list {
		if v.Severity == catalog.SeverityWarning && !x.target.Local {
			x.a.say("Note: %s", v)
		}
	}
	if e := preflight.Refusal(x.op, list); e != nil && !x.force {
		return e.Advise("%s --force sends it all the same.", e.Next)
	}
	return nil
}

// verdicts are those on the call, in the names of the catalog. A connector that is only
// known by its id is asked for first where the call suits no kind that has the entity.
func (x *execution) verdicts(ctx context.Context) ([]preflight.Verdict, error) {
	x.resolve()
	if x.target.Kind == "" {
		list, err := x.a.anyKind("", x.op)
		switch {
		case err != nil, len(preflight.Errors(list)) == 0:
			return list, err
		case list[0].Place == "entity":
			return nil, nil
		case x.force:
			return list, nil
		}
		x.s.Look(ctx, x.target)
		if !x.learn(ctx) {
			return list, nil
		}
	}
	if !x.force {
		x.op = x.a.exactFor(x.target.Kind, x.op)
		x.resolve()
	}
	return x.s.Check(x.target, x.op), nil
}

// resolve finds the operation in the catalog, where the kind of its target is known.
func (x *execution) resolve() {
	k, err := x.a.Kinds().Kind(x.target.Kind)
	if x.target.Kind == "" || err != nil {
		return
	}
	if x.entity = k.Entity(x.op.Entity); x.entity != nil {
		x.action = x.entity.Action(x.op.Action)
	}
}

// learn takes up what was asked about the connector beside its call, and reports
// whether the catalog knows the operation by it.
func (x *execution) learn(ctx context.Context) bool {
	if x.target.Kind == "" {
		x.target = x.s.Learned(ctx, x.target)
		x.resolve()
	}
	return x.entity != nil
}

// body prints the answer as received.
func (x *execution) body(ctx context.Context) error {
	env, err := x.s.Execute(ctx, x.target, x.op)
	x.record(env, err, 0, false)
	if err != nil {
		return err
	}
	x.warn(env)
	x.learnFrom(ctx, env)
	write := func(w io.Writer) error { return writeBody(w, env.Body) }
	if x.out != "" {
		return export.ToFile(x.out, write)
	}
	return x.a.data(func(w io.Writer) error {
		err := write(w)
		if n := env.Body.Len(); err == nil && x.a.onTerminal() && n > 0 && env.Body.Slice(n-1, n)[0] != '\n' {
			_, err = io.WriteString(w, "\n")
		}
		return err
	})
}

// learnFrom keeps what an answer shows of records that nobody documented. That it cannot
// be kept is no matter.
func (x *execution) learnFrom(ctx context.Context, env *client.Envelope) {
	if env == nil || x.action == nil || x.action.Page != nil && !learned.Undocumented(x.entity, x.action) {
		return
	}
	k, err := x.a.Kinds().Kind(x.target.Kind)
	if err != nil {
		return
	}
	q := answer.Question{Kind: k, Entity: x.entity, Action: x.action, Target: x.target, Op: x.op}
	_ = x.s.Notice(answer.NewPage(ctx, q, env, nil))
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
	if env != nil && env.HoldsSecret {
		x.a.say("Note: %s", client.SecretSeen)
	}
}

// variables collects --var NAME=VALUE.
type variables map[string]string

// String implements pflag.Value.
func (v variables) String() string { return "" }

// Type implements pflag.Value.
func (v variables) Type() string { return "NAME=VALUE" }

// Set implements pflag.Value. The value is not told in errors: it may be one
// that nobody should see.
func (v variables) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("it wants NAME=VALUE")
	}
	v[name] = value
	return nil
}

func (a *app) runCommand(c *cobra.Command) {
	c.ValidArgsFunction = words(func() []string {
		calls, _ := a.savedCalls() // what cannot be read is not offered
		return texts(calls, func(c saved.Call) string { return c.Name })
	})
	vars, where := variables{}, session.Ref{}
	c.Flags().Var(vars, "var", "a variable of the call; may be given again")
	bindWhere(c, &where)
	a.bindCommand(c)
	flags := a.bindExecute(c)
	trust := c.Flags().Bool("trust", false, "let the file of this folder run as it stands, now and later")
	c.RunE = runs(func(ctx context.Context, args []string) error {
		calls, err := a.savedCalls()
		if err != nil {
			a.say("%v", err)
		}
		if len(args) == 0 {
			return a.print(savedListing(calls), "")
		}
		one, err := saved.Find(calls, args[0])
		if err != nil {
			return client.Failf(client.ClassNotFound, "%v", err)
		}
		if err := a.trusts(one, *trust); err != nil {
			return err
		}
		return a.runSaved(ctx, one, vars, where, flags)
	})
}

// savedCalls reads the calls of the working folder, then the person's own.
func (a *app) savedCalls() ([]saved.Call, error) {
	folders := []string{saved.Folder}
	if a.FoldersErr == nil {
		folders = append(folders, filepath.Join(a.Folders.Config, saved.Folder))
	}
	return saved.Load(folders...)
}

// savedJSON is how a saved call is listed.
type savedJSON struct {
	*saved.Call
	Needs []string `json:"variables,omitempty"`
	Path  string   `json:"path"`
}

func savedListing(calls []saved.Call) listing {
	return table([]string{"NAME", "OPERATION", "CONNECTOR", "VARIABLES", "NOTE"}, calls,
		"There are no saved calls. ctrl+s in the explorer saves one.", func(c saved.Call) (savedJSON, []string) {
			needs := texts(c.Needs(), func(v saved.Variable) string { return v.Name })
			cells := []string{c.Name, c.Entity + " " + c.Action, cmp.Or(c.Connector, c.Kind),
				strings.Join(needs, " "), c.Note}
			return savedJSON{&c, needs, c.Path}, cells
		})
}

// runSaved runs a saved call with its variables filled in.
func (a *app) runSaved(ctx context.Context, c *saved.Call, vars variables, where session.Ref, f *executeFlags) error {
	_, _, action, err := a.Kinds().Resolve(c.Kind, c.Entity, c.Action)
	if c.Kind == "" || err != nil {
		action = nil
	}
	op, err := c.Substitute(vars, action)
	if err != nil {
		return client.Invalid("%v", err).Advise("Give each variable with --var NAME=VALUE.")
	}
	op.Params = search.Sent(op.Params)
	r := request{Operation: op}
	r.Workspace, r.Name = cmp.Or(where.Workspace, c.Workspace), cmp.Or(where.Name, c.Connector)
	if c.Local && f.local == "" {
		f.local = c.Kind
	}
	switch {
	case where.ID != "":
		r.Ref = where
	case f.local != "":
		r.Workspace = ""
	default:
		r.Name = cmp.Or(r.Name, c.Kind)
	}
	return a.execute(ctx, r, f)
}
