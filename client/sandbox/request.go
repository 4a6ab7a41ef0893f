package sandbox

import (
	"net/http"
	"strconv"
)

// form is what a member of a request may hold.
type form string

const (
	aText     form = "a string"
	aUUID     form = "a UUID"
	anObject  form = "an object"
	aFlag     form = "a boolean"
	texts     form = "an array of strings"
	entities  form = "an array of {entity, modes} with the modes read and write"
	allOrAny  form = "all or any"
	activity  form = "active or inactive"
	required       = true
	optional       = false
	nullable       = true
	neverNull      = false
)

// member is a declared member of a request body.
type member struct {
	name               string
	form               form
	required, nullable bool
}

// The bodies of the API's requests, as its public definition has them. Members
// that are not declared are passed over.
var (
	tokenMembers        = []member{{"client_id", aText, required, neverNull}, {"client_secret", aText, required, neverNull}}
	scopedTokenMembers  = []member{{"workspace_name", aText, required, neverNull}, {"region_id", aUUID, optional, nullable}}
	widgetTokenMembers  = []member{{"workspace_name", aText, required, neverNull}, {"allowed_origin", aText, optional, neverNull}, {"selected_source_template_tags", texts, optional, neverNull}, {"selected_source_template_tags_mode", allOrAny, optional, neverNull}, {"selected_connection_template_tags", texts, optional, neverNull}, {"selected_connection_template_tags_mode", allOrAny, optional, neverNull}}
	consentMembers      = []member{{"workspace_name", aText, required, neverNull}, {"connector_type", aText, required, neverNull}, {"redirect_url", aText, optional, neverNull}}
	sessionMembers      = []member{{"source_definition_id", aUUID, required, neverNull}, {"workspace_id", aUUID, required, neverNull}, {"source_template_id", aUUID, optional, nullable}}
	sessionPatchMembers = []member{{"source_id", aUUID, required, neverNull}}
	workspaceMembers    = []member{{"name", aText, optional, nullable}, {"status", activity, optional, nullable}, {"cache_enabled", aFlag, optional, nullable}}
	updateMembers       = []member{{"name", aText, optional, nullable}, {"replication_config", anObject, optional, nullable}, {"entities", entities, optional, nullable}}
	executeMembers      = []member{{"entity", aText, required, neverNull}, {"action", aText, required, neverNull}, {"params", anObject, optional, nullable}, {"select_fields", texts, optional, nullable}, {"exclude_fields", texts, optional, nullable}, {"skip_truncation", aFlag, optional, neverNull}, {"intent", aText, optional, nullable}}
	createMembers       = []member{
		{"name", aText, optional, nullable}, {"workspace_name", aText, required, neverNull}, {"connector_type", aText, optional, nullable},
		{"definition_id", aUUID, optional, nullable}, {"source_template_id", aUUID, optional, nullable},
		{"replication_config", anObject, optional, nullable}, {"credentials", anObject, optional, nullable}, {"environment", anObject, optional, nullable},
		{"entities", entities, optional, nullable}, {"server_side_oauth_secret_id", aText, optional, nullable},
		{"selected_connection_template_tags", texts, optional, neverNull}, {"selected_connection_template_tags_mode", allOrAny, optional, neverNull},
	}
)

// read takes the JSON object of a request and refuses members that the API's
// definition does not allow as they are.
func (c *call) read(members []member) (*object, error) {
	body, err := c.body()
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		v, given := body.get(m.name)
		switch {
		case !given && m.required:
			return nil, invalid(m.name, "%s is required and must be %s.", m.name, m.form)
		case !given, v == nil && m.nullable:
		case !m.form.fits(v):
			return nil, invalid(m.name, "%s must be %s.", m.name, m.form)
		}
	}
	return body, nil
}

func (f form) fits(v any) bool {
	text, isText := v.(string)
	switch f {
	case aText:
		return isText
	case aUUID:
		return isUUID(text)
	case allOrAny:
		return text == "all" || text == "any"
	case activity:
		return text == "active" || text == "inactive"
	case aFlag:
		_, isFlag := v.(bool)
		return isFlag
	case anObject:
		_, isObject := v.(*object)
		return isObject
	}
	list, isList := v.([]any)
	for _, e := range list {
		if _, isText := e.(string); f == texts && !isText || f == entities && !requestedEntity(e) {
			return false
		}
	}
	return isList
}

func requestedEntity(v any) bool {
	o, isObject := v.(*object)
	if !isObject {
		return false
	}
	if _, isText := o.value("entity").(string); !isText {
		return false
	}
	modes, isList := o.value("modes").([]any)
	for _, m := range modes {
		if m != "read" && m != "write" {
			return false
		}
	}
	return isList || o.value("modes") == nil
}

// queryInt reads an integer from the query string within limits.
func (c *call) queryInt(name string, def, low, high int) (int, error) {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return def, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, invalid(name, "%s must be an integer between %d and %d.", name, low, high)
	}
	return n, nil
}

// queryForm refuses a value of the query string that has not the wanted form.
func (c *call) queryForm(f form, names ...string) error {
	for _, name := range names {
		text := c.r.URL.Query().Get(name)
		if text == "" || f == aFlag && (text == "true" || text == "false") || f.fits(text) {
			continue
		}
		return invalid(name, "%s must be %s.", name, f)
	}
	return nil
}

// pathUUID refuses an identifier in the path that is no UUID.
func pathUUID(name, text string) error {
	if isUUID(text) {
		return nil
	}
	return &refusal{status: http.StatusUnprocessableEntity, field: name, code: "uuid_parsing", message: name + " must be a UUID."}
}
