package sandbox

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"patchbay/client/rawjson"
)

// tag is a word by which an organization tells its templates apart.
type tag struct {
	id, org, name    string
	created, updated time.Time
}

// longestTag is the most letters that the name of a tag has.
const longestTag = 255

func (t *tag) object() *rawjson.Map {
	return rawjson.NewMap("id", t.id, "name", t.name, "organization_id", t.org, "created_at", stamp(t.created),
		"updated_at", stamp(t.updated))
}

// tagCalled finds a tag of the organization; nil when there is none.
func (c *call) tagCalled(name string) *tag {
	for _, t := range c.a.tags {
		if t.org == c.org && t.name == name {
			return t
		}
	}
	return nil
}

// pickTag is the tag that the path names.
func (c *call) pickTag() *tag {
	t := c.tagCalled(c.id)
	if t == nil {
		panic(refuse(http.StatusNotFound, "No template tag with name %q exists in this organization.", c.id))
	}
	return t
}

// wantTag refuses what is no name of a tag.
func wantTag(member, name string) {
	if n := utf8.RuneCountInString(name); n == 0 || n > longestTag {
		panic(invalid(member, "%s must have 1 to %d letters.", member, longestTag))
	}
}

// ensureTag makes a tag where the organization has none of that name.
func (c *call) ensureTag(member, name string) *tag {
	wantTag(member, name)
	t := c.tagCalled(name)
	if t == nil {
		t = &tag{c.a.next("tag " + c.org), c.org, name, c.started, c.started}
		c.a.tags = append(c.a.tags, t)
	}
	return t
}

func (c *call) listTags() *answer {
	list := []any{}
	for _, t := range c.a.tags {
		if t.org == c.org {
			list = append(list, t.object())
		}
	}
	return ok(rawjson.NewMap("data", list))
}

// freeTag wants a name that no other tag has.
func (c *call) freeTag(but *tag) string {
	name := c.in.Text("name")
	if t := c.tagCalled(name); t != nil && t != but {
		panic(invalid("name", "A template tag with name %q exists already.", name))
	}
	return name
}

func (c *call) createTag() *answer { return ok(c.ensureTag("name", c.freeTag(nil)).object()) }

// renameTag gives a tag another name, on all templates that have it too.
func (c *call) renameTag() *answer {
	t := c.pickTag()
	name := c.freeTag(t)
	wantTag("name", name)
	c.retag(func(names []any) []any {
		if i := slices.Index(names, any(t.name)); i >= 0 {
			names[i] = name
		}
		return names
	})
	t.name, t.updated = name, c.started
	return ok(t.object())
}

func (c *call) deleteTag() *answer {
	t := c.pickTag()
	c.retag(func(names []any) []any { return without(names, t.name) })
	c.a.tags = slices.DeleteFunc(c.a.tags, func(one *tag) bool { return one == t })
	return c.deleted(t.id)
}

// retag changes the tags of all templates of the organization.
func (c *call) retag(change func([]any) []any) {
	for _, t := range c.own() {
		t.tags = change(slices.Clone(t.tags))
	}
	for _, t := range c.a.replications {
		if t.org == c.org {
			t.object.Set("tags", change(slices.Clone(t.tags())))
		}
	}
}

func without(names []any, name string) []any {
	return slices.DeleteFunc(slices.Clone(names), func(one any) bool { return one == name })
}

// givenTags are the tags that a request gives to a new template.
func (c *call) givenTags() []any {
	out := []any{}
	list, _ := c.in.Value("tags").([]any)
	for _, v := range list {
		name, _ := v.(string)
		c.ensureTag("tags", name)
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// tagged reports whether a template has the tags that a list is asked for: all of them,
// or any.
func (c *call) tagged(names []any) bool {
	wanted := c.r.URL.Query()["tags"]
	has := func(name string) bool { return slices.Contains(names, any(name)) }
	if c.r.URL.Query().Get("tags_mode") == "any" && len(wanted) > 0 {
		return slices.ContainsFunc(wanted, has)
	}
	return !slices.ContainsFunc(wanted, func(name string) bool { return !has(name) })
}

// added are the tags of a template with that of the request.
func (c *call) added(names []any) []any {
	name := c.ensureTag("tag", c.in.Text("tag")).name
	return append(without(names, name), name)
}

// removed are the tags of a template without that of the path.
func (c *call) removed(names []any) []any {
	if !slices.Contains(names, any(c.tag)) {
		panic(refuse(http.StatusNotFound, "The template has no tag %q.", c.tag))
	}
	return without(names, c.tag)
}

func (c *call) tagTemplate() *answer {
	t := c.ownTemplate()
	t.tags, t.updated = c.added(t.tags), c.started
	return ok(t.summary(t.created, t.updated))
}

func (c *call) untagTemplate() *answer {
	t := c.ownTemplate()
	t.tags, t.updated = c.removed(t.tags), c.started
	return ok(t.summary(t.created, t.updated))
}

func (c *call) tagReplication() *answer { return c.retagged((*call).added) }

func (c *call) untagReplication() *answer { return c.retagged((*call).removed) }

func (c *call) retagged(change func(*call, []any) []any) *answer {
	t := c.replication()
	t.object.Set("tags", change(c, t.tags()))
	t.object.Set("updated_at", stamp(c.started))
	return ok(t.object)
}

// tags are the names of a connection template's tags.
func (t *replication) tags() []any {
	list, _ := t.object.Value("tags").([]any)
	return list
}

// tagNames are the names of a template's tags.
func (t *sourceTemplate) tagNames() []any {
	if t.tags == nil {
		return []any{}
	}
	return t.tags
}
