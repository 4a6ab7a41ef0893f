package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patchbay/client"
	"patchbay/client/history"
	"patchbay/client/strictyaml"
)

// openHistory returns the history; nil where there is no place to keep it. The
// file is opened when it is first used.
func (a *app) openHistory() *history.Store {
	if a.FoldersErr != nil {
		return nil
	}
	if a.runs == nil {
		a.runs = history.New(filepath.Join(a.Folders.State, history.FileName), history.Options{Redactor: a.Redactor,
			Tell: func(t string) { a.tell(t) }})
		a.closers = append(a.closers, a.runs.Close)
	}
	return a.runs
}

// keep adds a run to the history, and prunes it now and then. One that was stopped is kept
// too, so its context does not count.
func (a *app) keep(store *history.Store, r history.Run) (id int64, err error) {
	ctx := context.Background()
	id, err = store.Add(ctx, r)
	if err == nil && id%history.PruneEvery == 0 {
		_, err = store.Prune(ctx, history.DefaultBounds(a.Now()))
	}
	return id, err
}

// record keeps a run. That it cannot is told, and is no failure of the run.
func (x *execution) record(env *client.Envelope, err error, rows int, noBody bool) {
	store := x.a.openHistory()
	if store == nil || !x.s.Profile.KeepsHistory() {
		return
	}
	id, kept := x.a.keep(store, history.Run{Target: x.target, Op: x.op, Env: env, Err: err, Started: x.started,
		Rows: rows, NoBody: noBody})
	switch e := client.AsError(err); {
	case kept != nil:
		x.a.say("The history could not be written: %v", kept)
	case e != nil && e.Envelope != nil && (env == nil || env == e.Envelope):
		x.a.recorded = id
	}
}

type historyFlags struct {
	history.Query
	body   bool
	format *string
}

var historyVerbs = []string{"search", "show"}

func (a *app) historyCommand(c *cobra.Command) {
	c.ValidArgs = historyVerbs
	var f historyFlags
	fs := c.Flags()
	fs.StringVar(&f.Kind, "kind", "", "only runs of this `KIND`")
	fs.StringVar(&f.Status, "status", "", "only runs with this `STATUS`: ok, failed, 404, 5xx, or a class of errors")
	fs.IntVar(&f.Limit, "limit", 50, "how many runs at most, as a `NUMBER`")
	fs.BoolVar(&f.body, "body", false, "with show: print the answer as it was kept")
	f.format = listFormat(c)
	completeFlag(c, "kind", a.kindNames)
	c.RunE = runs(func(ctx context.Context, args []string) error {
		store := a.openHistory()
		if store == nil {
			return client.Misconfigured("there is no history: %v", a.FoldersErr)
		}
		switch {
		case len(args) == 0:
			return a.listRuns(ctx, store, f)
		case args[0] == "search" && len(args) > 1:
			f.Text = strings.Join(args[1:], " ")
			return a.listRuns(ctx, store, f)
		case args[0] == "search":
			return client.Invalid("history search needs words to look for")
		case args[0] == "show" && len(args) == 2:
			return a.showRun(ctx, store, f, args[1])
		case args[0] == "show":
			return client.Invalid("history show needs one number").Advise(listsRuns)
		}
		return client.Invalid("history has no command %q%s", args[0], strictyaml.DidYouMean(args[0], historyVerbs)).
			Advise("Usage: patchbay history [search WORDS | show ID]")
	})
}

const listsRuns = "patchbay history lists the runs with their numbers."

// runJSON is how a past run is printed.
type runJSON struct {
	ID          int64            `json:"id"`
	Started     string           `json:"started"`
	Profile     string           `json:"profile,omitempty"`
	Workspace   string           `json:"workspace,omitempty"`
	Name        string           `json:"name,omitempty"`
	ConnectorID string           `json:"connector_id,omitempty"`
	Kind        string           `json:"kind,omitempty"`
	Local       bool             `json:"local,omitempty"`
	Operation   client.Operation `json:"operation"`
	Status      int              `json:"status_code,omitempty"`
	Class       string           `json:"class,omitempty"`
	Message     string           `json:"message,omitempty"`
	TookMS      int64            `json:"took_ms"`
	Rows        int              `json:"rows"`
	Bytes       int64            `json:"bytes"`
	Kept        string           `json:"body"`
	By          string           `json:"by,omitempty"`
	Attempts    []client.Attempt `json:"attempts,omitempty"`
}

func printableRun(e *history.Entry) runJSON {
	return runJSON{ID: e.ID, Started: e.Started.UTC().Format(time.RFC3339), Profile: e.Target.Profile,
		Workspace: e.Target.Workspace, Name: e.Target.Name, ConnectorID: e.Target.ConnectorID, Kind: e.Target.Kind,
		Local: e.Target.Local, Operation: e.Op, Status: e.Status, Class: string(e.Class), Message: e.Message,
		TookMS: e.Took.Milliseconds(), Rows: e.Rows, Bytes: e.Size, Kept: string(e.Kept), By: e.By,
		Attempts: e.Attempts}
}

func (a *app) listRuns(ctx context.Context, store *history.Store, f historyFlags) error {
	entries, err := store.Find(ctx, f.Query)
	if err != nil {
		return err
	}
	head := []string{"ID", "STARTED", "CONNECTOR", "OPERATION", "OUTCOME", "ROWS", "TOOK", "PARAMS"}
	return a.print(table(head, entries, "There are no such runs.", func(e history.Entry) (runJSON, []string) {
		outcome := strconv.Itoa(e.Status)
		if !e.OK() {
			outcome = strings.TrimSpace(number(e.Status) + " " + string(e.Class))
		}
		const most = 60 // characters of params in a table
		params := string(e.Op.Params)
		if len(params) > most {
			params = strings.ToValidUTF8(params[:most], "") + "…"
		}
		return printableRun(&e), []string{strconv.FormatInt(e.ID, 10), e.Started.Local().Format(time.DateTime),
			cmp.Or(e.Target.Name, e.Target.ConnectorID, e.Target.Kind), e.Op.Entity + " " + e.Op.Action, outcome,
			strconv.Itoa(e.Rows), e.Took.Round(time.Millisecond).String(), params}
	}), *f.format)
}

func (a *app) showRun(ctx context.Context, store *history.Store, f historyFlags, word string) error {
	id, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return client.Invalid("%q is no number of a run", word).Advise(listsRuns)
	}
	e, env, err := store.Get(ctx, id)
	switch {
	case errors.Is(err, history.ErrNotFound):
		return client.Failf(client.ClassNotFound, "there is no run %d in the history", id).Advise(listsRuns)
	case err != nil:
		return err
	case !f.body:
		return a.print(runListing(e), *f.format)
	case env == nil || env.Body == nil || env.Body.Len() == 0:
		return client.Failf(client.ClassNotFound, "the answer of run %d was not kept", id).
			Advise("Run it again, or change history in the profile.")
	case e.Kept == history.KeptStart:
		a.say("Only the start of the answer was kept: %d of %d bytes.", env.Body.Len(), e.Size)
	}
	return a.data(func(w io.Writer) error { return writeBody(w, env.Body) })
}

func runListing(e *history.Entry) listing {
	r := printableRun(e)
	params, err := json.Marshal(r.Operation.Params)
	if err != nil {
		params = nil
	}
	l := listing{head: []string{"RUN", strconv.FormatInt(e.ID, 10)}, value: r, rows: [][]string{
		{"started", r.Started}, {"profile", r.Profile}, {"workspace", r.Workspace},
		{"connector", cmp.Or(r.Name, r.ConnectorID, r.Kind)},
		{"operation", r.Operation.Entity + " " + r.Operation.Action}, {"params", string(params)},
		{"status", number(r.Status)}, {"failure", strings.TrimSpace(r.Class + " " + r.Message)},
		{"rows", strconv.Itoa(r.Rows)}, {"bytes", strconv.FormatInt(r.Bytes, 10)}, {"took", e.Took.String()},
		{"body kept", r.Kept}}}
	if r.By != "" {
		l.rows = append(l.rows, []string{"by", r.By})
	}
	for _, at := range r.Attempts {
		l.rows = append(l.rows, []string{fmt.Sprintf("attempt %d", at.N),
			strings.TrimSpace(fmt.Sprintf("%s %s %s %s", at.Method, at.URL, number(at.Status), at.Error))})
	}
	return l
}
