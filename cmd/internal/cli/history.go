package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"patchbay/client"
	"patchbay/client/history"
)

// openHistory returns the history; nil where there is no place to keep it. The
// file is opened when it is first used.
func (a *app) openHistory() *history.Store {
	if a.foldersErr != nil {
		return nil
	}
	if a.runs == nil {
		a.runs = history.New(filepath.Join(a.folders.State, history.FileName), history.Options{Redactor: a.redactor})
		a.closers = append(a.closers, a.runs.Close)
	}
	return a.runs
}

// record keeps a run. That it cannot is told, and is no failure of the run.
func (x *execution) record(env *client.Envelope, err error, rows int, noBody bool) {
	store := x.a.openHistory()
	if store == nil || !x.s.profile.KeepsHistory() {
		return
	}
	// A run that was stopped is kept too, so its context does not count.
	ctx := context.Background()
	id, kept := store.Add(ctx, history.Run{Target: x.target, Op: x.op, Env: env, Err: err, Started: x.started, Rows: rows, NoBody: noBody})
	if kept == nil && id%history.PruneEvery == 0 {
		_, kept = store.Prune(ctx, history.DefaultBounds(x.a.now()))
	}
	if kept != nil {
		x.a.say("The history could not be written: %v", kept)
	}
}

type historyFlags struct {
	kind, status *string
	limit        *int
	body         *bool
	format       *string
}

func historyCommand() command {
	return command{
		name: "history", usage: "[search WORDS | show ID]", most: -1, summary: "List, search and show past runs.",
		help: "show ID --body prints the answer as it was kept: patchbay history show ID --body | patchbay open -",
		setup: func(fs *flag.FlagSet) runner {
			f := historyFlags{
				kind:   fs.String("kind", "", "only runs of this `kind`"),
				status: fs.String("status", "", "only runs with this `status`: ok, failed, 404, 5xx, or a class of errors"),
				limit:  fs.Int("limit", 50, "how many runs at most, as a `number`"),
				body:   fs.Bool("body", false, "with show: print the answer as it was kept"),
				format: listFormat(fs),
			}
			return func(ctx context.Context, a *app, args []string) error { return a.pastRuns(ctx, f, args) }
		},
	}
}

func (a *app) pastRuns(ctx context.Context, f historyFlags, args []string) error {
	store := a.openHistory()
	if store == nil {
		return config("there is no history: %v", a.foldersErr)
	}
	verbs := []string{"search", "show"}
	switch {
	case len(args) == 0:
		return a.listRuns(ctx, store, f, "")
	case args[0] == "search" && len(args) > 1:
		return a.listRuns(ctx, store, f, strings.Join(args[1:], " "))
	case args[0] == "search":
		return usage("history search needs words to look for")
	case args[0] == "show" && len(args) == 2:
		return a.showRun(ctx, store, f, args[1])
	case args[0] == "show":
		return usage("history show needs one number").next("patchbay history lists the runs with their numbers.")
	}
	return usage("history has no command %q%s", args[0], didYouMean(args[0], verbs, "")).next("Usage: patchbay history [search WORDS | show ID]")
}

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
	Attempts    []client.Attempt `json:"attempts,omitempty"`
}

func printableRun(e *history.Entry) runJSON {
	return runJSON{ID: e.ID, Started: e.Started.UTC().Format(time.RFC3339), Profile: e.Target.Profile, Workspace: e.Target.Workspace, Name: e.Target.Name,
		ConnectorID: e.Target.ConnectorID, Kind: e.Target.Kind, Local: e.Target.Local, Operation: e.Op, Status: e.Status, Class: string(e.Class), Message: e.Message,
		TookMS: e.Took.Milliseconds(), Rows: e.Rows, Bytes: e.Size, Kept: string(e.Kept), Attempts: e.Attempts}
}

func (a *app) listRuns(ctx context.Context, store *history.Store, f historyFlags, words string) error {
	entries, err := store.Find(ctx, history.Query{Text: words, Kind: *f.kind, Status: *f.status, Limit: *f.limit})
	if err != nil {
		return err
	}
	list := []runJSON{}
	l := listing{head: []string{"ID", "STARTED", "CONNECTOR", "OPERATION", "OUTCOME", "ROWS", "TOOK", "PARAMS"}, empty: "There are no such runs."}
	for i := range entries {
		e := &entries[i]
		list = append(list, printableRun(e))
		outcome := strconv.Itoa(e.Status)
		if !e.OK() {
			outcome = strings.TrimSpace(number(e.Status) + " " + string(e.Class))
		}
		const most = 60 // characters of params in a table
		params := string(e.Op.Params)
		if len(params) > most {
			params = strings.ToValidUTF8(params[:most], "") + "…"
		}
		l.rows = append(l.rows, []string{strconv.FormatInt(e.ID, 10), e.Started.Local().Format(time.DateTime), first(e.Target.Name, e.Target.ConnectorID, e.Target.Kind),
			e.Op.Entity + " " + e.Op.Action, outcome, strconv.Itoa(e.Rows), e.Took.Round(time.Millisecond).String(), params})
	}
	l.value = list
	return a.print(l, *f.format)
}

func (a *app) showRun(ctx context.Context, store *history.Store, f historyFlags, word string) error {
	id, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return usage("%q is no number of a run", word).next("patchbay history lists the runs with their numbers.")
	}
	e, env, err := store.Get(ctx, id)
	if errors.Is(err, history.ErrNotFound) {
		return fail(client.ClassNotFound, "there is no run %d in the history", id).next("patchbay history lists the runs with their numbers.")
	}
	if err != nil {
		return err
	}
	if !*f.body {
		return a.print(runListing(e), *f.format)
	}
	if env == nil || env.Body == nil || env.Body.Len() == 0 {
		return fail(client.ClassNotFound, "the answer of run %d was not kept", id).next("Run it again, or change history in the profile.")
	}
	if e.Kept == history.KeptStart {
		a.say("Only the start of the answer was kept: %d of %d bytes.", env.Body.Len(), e.Size)
	}
	w := a.dataOut()
	if err := writeBody(w, env.Body); err != nil {
		return err
	}
	return flush(w)
}

func runListing(e *history.Entry) listing {
	r := printableRun(e)
	l := listing{head: []string{"RUN", strconv.FormatInt(e.ID, 10)}, value: r}
	params, err := json.Marshal(r.Operation.Params)
	if err != nil {
		params = nil
	}
	l.rows = [][]string{{"started", r.Started}, {"profile", r.Profile}, {"workspace", r.Workspace}, {"connector", first(r.Name, r.ConnectorID, r.Kind)},
		{"operation", r.Operation.Entity + " " + r.Operation.Action}, {"params", string(params)}, {"status", number(r.Status)}, {"failure", strings.TrimSpace(r.Class + " " + r.Message)},
		{"rows", strconv.Itoa(r.Rows)}, {"bytes", strconv.FormatInt(r.Bytes, 10)}, {"took", e.Took.String()}, {"body kept", r.Kept}}
	for _, at := range r.Attempts {
		l.rows = append(l.rows, []string{fmt.Sprintf("attempt %d", at.N), strings.TrimSpace(fmt.Sprintf("%s %s %s %s", at.Method, at.URL, number(at.Status), at.Error))})
	}
	return l
}
