package sandbox

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"patchbay/client/rawjson"
)

// destinationsText are the destinations that data can be replicated to.
//
//go:embed destinations.json
var destinationsText []byte

// destination is a place that the service copies data to.
type destination struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Repository string          `json:"repository"`
	Required   []string        `json:"required"`
	Properties json.RawMessage `json:"properties"`
}

var destinations = sync.OnceValue(func() []*destination {
	var out []*destination
	if err := json.Unmarshal(destinationsText, &out); err != nil {
		panic(err) // the file is part of the program
	}
	return out
})

// icon is a picture that needs no server.
const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/%3E"

// listDestinations lists the destinations, or those whose ids are given.
func (c *call) listDestinations() *answer {
	list, wanted := []any{}, c.r.URL.Query()["actorDefinitionIds"]
	for _, id := range wanted {
		if !isUUID(id) {
			panic(invalid("actorDefinitionIds", "actorDefinitionIds must be UUIDs."))
		}
	}
	for _, d := range destinations() {
		is := func(id string) bool { return strings.EqualFold(id, d.ID) }
		if len(wanted) == 0 || slices.ContainsFunc(wanted, is) {
			list = append(list, rawjson.NewMap("id", d.ID, "name", d.Name, "icon", icon))
		}
	}
	return ok(rawjson.NewMap("destinations", list))
}

// destination finds a destination by its id.
func (c *call) destination(id string) *destination {
	all := destinations()
	i := slices.IndexFunc(all, func(d *destination) bool { return strings.EqualFold(d.ID, id) })
	if i < 0 {
		panic(refuse(http.StatusNotFound, "No destination definition with id %s exists.", id))
	}
	return all[i]
}

func (c *call) oneDestination() *answer {
	c.wantUUID("id")
	d := c.destination(c.id)
	specification := rawjson.NewMap("documentationUrl", nil, "connectionSpecification", rawjson.NewMap("type", "object",
		"title", d.Name, "required", d.Required, "properties", d.Properties), "advanced_auth", nil,
		"supported_destination_sync_modes", []any{"append", "overwrite"})
	return ok(rawjson.NewMap("id", d.ID, "definition", rawjson.NewMap("sourceDefinitionId", nil,
		"destinationDefinitionId", d.ID, "name", d.Name, "dockerRepository", d.Repository, "iconUrl", icon,
		"custom", false, "supportLevel", "certified", "spec", specification)))
}

// replication is a connection template: how the data of new connectors are replicated.
type replication struct {
	org string
	// object is the template as it is answered.
	object *rawjson.Map
}

// Who keeps the destination of a connection template.
const (
	hostedByUser    = "user_hosted"
	hostedByService = "airbyte_hosted"
)

// listReplications lists the connection templates of the organization.
func (c *call) listReplications() *answer {
	list := []any{}
	for _, t := range c.a.replications {
		if t.org == c.org && c.tagged(t.tags()) {
			list = append(list, t.object)
		}
	}
	return ok(rawjson.NewMap("data", list))
}

// replication finds the connection template that the path names.
func (c *call) replication() *replication {
	c.wantUUID("id")
	i := slices.IndexFunc(c.a.replications, func(t *replication) bool {
		return t.org == c.org && strings.EqualFold(t.object.Text("id"), c.id)
	})
	if i < 0 {
		panic(refuse(http.StatusNotFound, "No connection template with id %s exists.", c.id))
	}
	return c.a.replications[i]
}

func (c *call) oneReplication() *answer { return ok(c.replication().object) }

func (c *call) createReplication() *answer {
	hosting := cmp.Or(c.in.Text("data_hosting_type"), hostedByUser)
	name := "Storage of the service"
	if hosting == hostedByUser {
		for _, member := range []string{"destination_name", "destination_definition_id", "destination_config"} {
			if c.in.Value(member) == nil {
				panic(invalid(member, "%s is required for a template with data_hosting_type %s.", member, hosting))
			}
		}
		name = c.in.Text("destination_name")
	}
	c.checkSchedule()
	o := rawjson.NewMap("id", c.a.next("connection template"), "organization_id", c.org, "destination_name", name,
		"icon", nil, "cron_expression", c.in.Value("cron_expression"), "data_hosting_type", hosting,
		"tags", c.givenTags(), "created_at", stamp(c.started), "updated_at", stamp(c.started))
	if hosting == hostedByUser {
		d := c.destination(c.in.Text("destination_definition_id"))
		config := objectIn(c.in, "destination_config")
		checkDestination(d, config)
		o.Set("destination_definition_id", d.ID)
		o.Set("destination_config", config)
		o.Set("non_breaking_changes_preference", cmp.Or(c.in.Text("non_breaking_changes_preference"), "ignore"))
		o.Set("sync_on_create", c.in.Value("sync_on_create") != false)
	}
	c.a.replications = append(c.a.replications, &replication{c.org, o})
	return ok(o)
}

// checkDestination wants the configuration that the destination cannot do without.
func checkDestination(d *destination, config *rawjson.Map) {
	for _, name := range d.Required {
		if !config.Has(name) {
			panic(invalid("destination_config."+name, "destination_config.%s is required for %s.", name, d.Name))
		}
	}
}

// checkSchedule refuses a schedule that means nothing.
func (c *call) checkSchedule() {
	if text := c.in.Text("cron_expression"); text != "" {
		if _, err := describeSchedule(text); err != nil {
			panic(invalid("cron_expression", "cron_expression: %v", err))
		}
	}
}

func (c *call) updateReplication() *answer {
	o := c.replication().object
	c.checkSchedule()
	hosting := o.Text("data_hosting_type")
	if config := objectIn(c.in, "destination_config"); config != nil && hosting == hostedByUser {
		checkDestination(c.destination(o.Text("destination_definition_id")), config)
	}
	for i, name := range c.in.Keys {
		if o.Has(name) && c.in.Vals[i] != nil && slices.Contains(replaceable, name) {
			o.Set(name, c.in.Vals[i])
		}
	}
	o.Set("updated_at", stamp(c.started))
	return ok(o)
}

// replaceable are the members of a connection template that a change replaces.
var replaceable = []string{"destination_name", "destination_config", "cron_expression",
	"non_breaking_changes_preference", "sync_on_create"}

func (c *call) deleteReplication() *answer {
	t := c.replication()
	c.a.replications = slices.DeleteFunc(c.a.replications, func(one *replication) bool { return one == t })
	return c.deleted(t.object.Text("id"))
}

// describeCron says in words when a schedule runs.
func (c *call) describeCron() *answer {
	words, err := describeSchedule(c.in.Text("cron_expression"))
	if err != nil {
		words = err.Error()
	}
	return ok(rawjson.NewMap("description", words, "is_valid", err == nil))
}
