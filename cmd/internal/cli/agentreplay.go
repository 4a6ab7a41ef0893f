package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/agent"
	"patchbay/client/preflight"
	"patchbay/client/quantity"
)

// judged is a call of a transcript with what is to be said of it.
type judged struct {
	N int `json:"n"`
	agent.Step
	Verdicts []preflight.Verdict `json:"verdicts"`
	// Writes is set where it changes data, or may.
	Writes bool `json:"writes"`
	// SameAs is the number of the step that asked the same before; 0 for none.
	SameAs int `json:"same_as,omitempty"`
	// Tokens are those of its result; 0 where the transcript does not tell.
	Tokens int `json:"tokens,omitempty"`
}

// agentReplay holds the calls of a transcript against the catalog. Nothing is sent.
func (a *app) agentReplay(c *cobra.Command) {
	kind := c.Flags().String("kind", "", "the `KIND` of calls that name no connector of the catalog")
	completeFlag(c, "kind", a.kindNames)
	format := listFormat(c)
	c.RunE = runs(func(ctx context.Context, args []string) error {
		text, err := a.readInput(ctx, args[0], "transcript", "Name a file that exists, or - for stdin.")
		if err != nil {
			return err
		}
		steps, err := agent.Transcript(ctx, text)
		if err != nil {
			return client.Invalid("%s cannot be read: %v", args[0], err).Advise("It must be JSON, or JSON a line.")
		}
		list, err := a.judge(ctx, *kind, steps)
		if err != nil {
			return err
		}
		if err := a.print(judgedListing(list), *format); err != nil {
			return err
		}
		refused := 0
		for _, j := range list {
			refused += min(len(preflight.Errors(j.Verdicts)), 1)
		}
		if refused == 0 {
			return nil
		}
		return client.Failf(client.ClassInvalid, "%s", quantity.Count(refused, "call would be refused",
			"calls would be refused"))
	})
}

func (a *app) judge(ctx context.Context, kind string, steps []agent.Step) ([]judged, error) {
	seen, out := map[string]int{}, make([]judged, 0, len(steps))
	for i, step := range steps {
		j := judged{N: i + 1, Step: step}
		if step.Result != nil {
			n, err := agent.CountTokens(ctx, step.Result)
			if err != nil {
				return nil, err
			}
			j.Tokens = n
		}
		if step.Executes() {
			name := step.Connector
			if _, err := a.Kinds().Kind(name); err != nil || name == "" {
				name = kind
			}
			verdicts, err := a.anyKind(name, step.Op)
			if err != nil {
				return nil, err
			}
			j.Verdicts, j.Writes = verdicts, a.writes(name, step.Op)
			op, err := json.Marshal(step.Op)
			if err != nil {
				return nil, err
			}
			key := step.Connector + "\n" + string(op)
			if !j.Writes {
				j.SameAs = seen[key]
			}
			seen[key] = cmp.Or(seen[key], j.N)
		}
		out = append(out, j)
	}
	return out, nil
}

// writes reports whether an operation changes data, or may.
func (a *app) writes(kind string, op client.Operation) bool {
	_, _, action, err := a.Kinds().Resolve(kind, op.Entity, op.Action)
	if kind == "" || err != nil {
		action = nil
	}
	return catalog.Writes(op.Action, action)
}

func judgedListing(list []judged) listing {
	head := []string{"STEP", "CALL", "PARAMS", "TOKENS", "VERDICT"}
	return table(head, list, "The transcript holds no calls of tools.",
		func(j judged) (judged, []string) {
			called := j.Tool
			if j.Executes() {
				called = strings.TrimSpace(j.Connector + " " + j.Op.Entity + " " + j.Op.Action)
			}
			var said []string
			for _, v := range preflight.Errors(j.Verdicts) {
				said = append(said, "refused: "+v.String())
			}
			if j.SameAs > 0 {
				said = append(said, "the same as step "+strconv.Itoa(j.SameAs))
			}
			if j.Writes {
				said = append(said, "changes data")
			}
			return j, []string{strconv.Itoa(j.N), called, string(j.Op.Params), number(j.Tokens),
				cmp.Or(strings.Join(said, "; "), "ok")}
		})
}
