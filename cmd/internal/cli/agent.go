package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/catalog/skill"
	"patchbay/client"
	"patchbay/client/agent"
	"patchbay/client/rawjson"
	"patchbay/client/session"
)

func (a *app) agentCommand(c *cobra.Command) {
	a.agentTools(below(c, "tools"))
	a.agentInspect(below(c, "inspect"))
	a.agentDocs(below(c, "docs"))
	a.agentCost(below(c, "cost"))
	a.agentReplay(below(c, "replay"))
}

// seenConnector is a connector as an agent sees it.
type seenConnector struct {
	kind *catalog.Kind
	name string
	// service and id are set where a service knows the connector.
	service *session.Session
	id      string
}

// about makes c a command about a connector, or a kind of the catalog alone.
func (a *app) about(c *cobra.Command, do func(context.Context, seenConnector, []string) error) {
	a.bindCommand(c)
	where := session.Ref{}
	bindWhere(c, &where)
	kind := c.Flags().String("kind", "", "the catalog's texts of this `KIND`; no service is asked then")
	completeFlag(c, "kind", a.kindNames)
	c.RunE = runs(func(ctx context.Context, args []string) error {
		on, err := a.seenBy(ctx, *kind, where)
		if err != nil {
			return err
		}
		return do(ctx, on, args)
	})
}

func (a *app) seenBy(ctx context.Context, kind string, where session.Ref) (seenConnector, error) {
	if kind != "" {
		k, err := a.Kinds().Kind(kind)
		if err != nil {
			return seenConnector{}, err
		}
		return seenConnector{kind: k, name: k.Name}, nil
	}
	if where == (session.Ref{}) {
		return seenConnector{}, client.Invalid("it is not said which connector").
			Advise("Add --name NAME, --id ID, or --kind KIND for what the catalog says.")
	}
	s, err := a.Service(ctx)
	if err != nil {
		return seenConnector{}, err
	}
	c, err := s.Connector(ctx, where)
	if err != nil {
		return seenConnector{}, err
	}
	c, k, _, err := s.KindOf(ctx, c, false)
	if err != nil {
		return seenConnector{}, err
	}
	on := seenConnector{kind: k, name: c.Name}
	if !c.Local {
		on.service, on.id = s, c.ID
	}
	return on, nil
}

// tokens counts a text, and prints the count.
func tokens(ctx context.Context, text []byte) (string, error) {
	n, err := agent.CountTokens(ctx, text)
	return strconv.Itoa(n), err
}

func (a *app) agentTools(c *cobra.Command) {
	single := c.Flags().Bool("legacy", false, "the one tool of the legacy form, which describes the whole catalog")
	format := choose(c, "format", "text", "how to print", "text", "json")
	a.about(c, func(ctx context.Context, on seenConnector, _ []string) error {
		tools := agent.Tools(on.kind)
		if *single {
			tools = []agent.Tool{agent.Single(on.kind)}
		}
		if *format == "json" {
			return a.printJSON(json.RawMessage(agent.ToolsJSON(tools)))
		}
		return a.data(func(w io.Writer) error { return writeTools(ctx, w, tools) })
	})
}

// writeTools writes each tool with what it takes, and what that costs.
func writeTools(ctx context.Context, w io.Writer, tools []agent.Tool) error {
	for _, t := range tools {
		text := t.JSON().JSON()
		count, err := tokens(ctx, text)
		if err != nil {
			return err
		}
		schema, err := json.MarshalIndent(t.Schema.JSON(), "", "  ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s  (%d bytes, %s tokens)\n%s\n%s\n\n", t.Name, len(text), count, t.Description,
			schema); err != nil {
			return err
		}
	}
	all := agent.ToolsJSON(tools)
	count, err := tokens(ctx, all)
	if err == nil {
		_, err = fmt.Fprintf(w, "together %d bytes, %s tokens (%s)\n", len(all), count, agent.Encoding)
	}
	return err
}

func (a *app) agentInspect(c *cobra.Command) {
	a.about(c, func(ctx context.Context, on seenConnector, _ []string) error {
		told := agent.InspectLocal(on.name)
		if on.service != nil {
			var err error
			if told, err = on.service.Hosted.Inspect(ctx, on.id); err != nil {
				return err
			}
		}
		return a.printJSON(json.RawMessage(told))
	})
}

func (a *app) agentDocs(c *cobra.Command) {
	format := choose(c, "format", "text", "how to print", "text", "json")
	a.about(c, func(ctx context.Context, on seenConnector, args []string) error {
		section := strings.Join(args, "")
		d, err := on.docs(ctx, section)
		if err != nil {
			return err
		}
		if *format == "json" {
			return a.printJSON(d.JSON().JSON())
		}
		text := d.Markdown()
		count, err := tokens(ctx, []byte(text))
		if err != nil {
			return err
		}
		a.say("%d bytes, %s tokens (%s)", len(text), count, agent.Encoding)
		return a.data(func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	})
}

// docs are the documents of the service where it has the connector, else of the catalog.
func (on seenConnector) docs(ctx context.Context, section string) (*skill.Docs, error) {
	if on.service != nil {
		return on.service.Hosted.SkillDocs(ctx, on.id, section)
	}
	d, found := skill.Of(on.kind, agent.LocalSkill, on.name, section)
	if !found {
		return nil, client.Failf(client.ClassNotFound, "there is no section %q", section).
			Advise("patchbay agent docs without a section lists them.")
	}
	return d, nil
}

func (a *app) agentCost(c *cobra.Command) {
	keep := c.Flags().String("keep", "", "the fields to keep: `PATHS` joined by commas; what they cost alone is told")
	format := listFormat(c)
	c.RunE = runs(func(ctx context.Context, args []string) error {
		body, err := a.readInput(ctx, args[0], "answer", "Name a file that exists, or - for stdin.")
		if err != nil {
			return err
		}
		index := rawjson.NewIndex(rawjson.Bytes(body))
		if err := index.Run(ctx); err != nil {
			return client.Invalid("%s cannot be read: %v", args[0], err).Advise("It must be JSON, or JSON a line.")
		}
		list := func(yield func(rawjson.Node) bool) {
			for i := range index.Len() {
				if !yield(index.Record(i)) {
					return
				}
			}
		}
		cost, err := agent.CostOf(ctx, list)
		if err != nil {
			return err
		}
		if cost.Records == 0 {
			return client.Invalid("%s holds no records", args[0]).
				Advise("Give an answer of patchbay execute, or a JSON array of records.")
		}
		if err := a.print(costListing(cost), *format); err != nil {
			return err
		}
		a.say("%d records, %d tokens (%s)", cost.Records, cost.Tokens, agent.Encoding)
		if *keep == "" {
			return nil
		}
		return a.tellSelection(ctx, cost, list, strings.Split(*keep, ","))
	})
}

func costListing(cost *agent.Cost) listing {
	l := listing{head: []string{"FIELD", "TOKENS", "SHARE", "MEAN", "RECORDS", "NULLS", ""}, value: cost}
	for _, f := range cost.Fields {
		note := ""
		if f.Constant {
			note = "always the same"
		}
		l.rows = append(l.rows, []string{f.Path, strconv.Itoa(f.Tokens), share(f.Tokens, cost.Tokens),
			strconv.FormatFloat(float64(f.Tokens)/float64(cost.Records), 'f', 1, 64), strconv.Itoa(f.Records),
			strconv.Itoa(f.Nulls), note})
	}
	return l
}

// share is a part of a whole in percent.
func share(part, of int) string {
	if of == 0 {
		return "0%"
	}
	return strconv.FormatFloat(100*float64(part)/float64(of), 'f', 1, 64) + "%"
}

// tellSelection says what to select or exclude to keep some fields, and what is left.
func (a *app) tellSelection(ctx context.Context, cost *agent.Cost, list iter.Seq[rawjson.Node], keep []string) error {
	selected := cost.Select(keep)
	left := 0
	for record := range list {
		n, err := agent.CountTokens(ctx, agent.Selected(record, selected).JSON())
		if err != nil {
			return err
		}
		left += n
	}
	a.say("%d tokens become %d with select_fields %s", cost.Tokens, left, rawjson.Encode(selected))
	a.say("the same with exclude_fields %s", rawjson.Encode(cost.Exclude(keep)))
	return nil
}
