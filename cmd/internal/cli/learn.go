package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"patchbay/catalog"
	"patchbay/catalog/source"
	"patchbay/client"
	"patchbay/client/learned"
	"patchbay/client/quantity"
	"patchbay/client/session"
	"patchbay/client/wholefile"
)

// learnCommand lists what answers showed of records that nobody documented, or writes
// what is known of a kind into the folder of the person's own connector files.
func (a *app) learnCommand(c *cobra.Command) {
	dry := c.Flags().Bool("dry-run", false, "print the file and write nothing")
	c.ValidArgsFunction = words(a.kindNames)
	format := listFormat(c)
	c.RunE = runs(func(_ context.Context, args []string) error {
		if a.FoldersErr != nil {
			return a.FoldersErr
		}
		if len(args) == 0 {
			return a.print(a.lessons(), *format)
		}
		return a.writeLearned(args[0], *dry)
	})
}

// lesson is an entity of which answers showed something.
type lesson struct {
	Kind    string `json:"kind"`
	Entity  string `json:"entity"`
	Records int    `json:"records"`
	Fields  int    `json:"fields"`
}

func (a *app) lessons() listing {
	var all []lesson
	store := session.Lessons(a.Folders)
	for _, about := range a.Kinds().Kinds() {
		l := store.Load(about.Name)
		for name, e := range l {
			all = append(all, lesson{about.Name, name, e.Records, len(e.Fields)})
		}
	}
	slices.SortFunc(all, func(x, y lesson) int {
		return slices.Compare([]string{x.Kind, x.Entity}, []string{y.Kind, y.Entity})
	})
	return table([]string{"KIND", "ENTITY", "RECORDS", "FIELDS"}, all,
		"Nothing was learned yet: every entity that was read is documented.", func(l lesson) (lesson, []string) {
			return l, []string{l.Kind, l.Entity, strconv.Itoa(l.Records), strconv.Itoa(l.Fields)}
		})
}

// writeLearned writes a described kind as a file of its own, and what was learned of one
// that has a file as an addition to it. A file that a person wrote is never changed.
func (a *app) writeLearned(name string, dry bool) error {
	k, err := a.Kinds().Kind(name)
	if err != nil {
		return err
	}
	l := session.Lessons(a.Folders).Load(k.Name)
	out, file := whole(k, l), k.Name+".yaml"
	if k.Source != catalog.Live {
		out, file = addition(k, l), k.Name+"_learned.yaml"
		if len(out.Entities) == 0 {
			return client.Failf(client.ClassNotFound, "answers showed nothing of %s that is not documented", k.Name).
				Advise("Run a list of an entity without documented fields, then try again.")
		}
	}
	data := source.Write(out)
	if _, problems := source.Extend(a.Kinds(), file, data); len(problems) > 0 && k.Source != catalog.Live {
		return client.Invalid("%s cannot be written as a connector file: %v", k.Name, problems)
	} else if _, problems := source.Parse(file, data); len(problems) > 0 && k.Source == catalog.Live {
		return client.Invalid("%s cannot be written as a connector file: %v", k.Name, problems)
	}
	if dry {
		_, err := a.stdout.Write(data)
		return err
	}
	path := filepath.Join(a.Folders.Config, "catalog", file)
	if _, err := os.Stat(path); err == nil && k.Source == catalog.Live {
		return client.Failf(client.ClassRefused, "%s is there already", path).Advise("Move it away first.")
	}
	if err := wholefile.Write(path, data); err != nil {
		return err
	}
	a.say("Wrote %s: %s", path, quantity.Count(len(out.Entities), "entity", "entities"))
	return nil
}

// whole is all of a described kind as a person's own. Of an action with a name of its
// own nobody knows that it only reads, so it is a write.
func whole(k *catalog.Kind, l learned.Kind) *catalog.Kind {
	out := *k
	out.Source, out.Entities = catalog.User, slices.Clone(k.Entities)
	for i := range out.Entities {
		e := &out.Entities[i]
		e.Actions = slices.Clone(e.Actions)
		for j := range e.Actions {
			if a := &e.Actions[j]; a.Writes() && a.Name != catalog.ActionDelete && a.Name != catalog.ActionCreate &&
				a.Name != catalog.ActionUpdate {
				reads := false
				a.Reads = &reads
			}
		}
	}
	out.Entities = slices.DeleteFunc(out.Entities, func(e catalog.Entity) bool { return len(e.Actions) == 0 })
	l.Pages(&out)
	return &out
}

// addition is what answers showed of a kind, as a file that adds it.
func addition(k *catalog.Kind, l learned.Kind) *catalog.Kind {
	out := &catalog.Kind{Name: k.Name, Title: k.Title, System: k.System, ConnectorType: k.ConnectorType,
		Source: catalog.User}
	for i := range k.Entities {
		if e := &k.Entities[i]; l[e.Name] != nil && len(e.Record) > 0 && e.Record[0].Source == catalog.Seen {
			out.Entities = append(out.Entities, catalog.Entity{Name: e.Name, Key: e.Key, Record: e.Record,
				RecordPartial: true, Notes: e.Notes})
		}
	}
	return out
}
