package sandbox

import (
	"encoding/base64"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// endpoint is a row of the API: a request that is understood and who answers it.
// A segment of the path in braces is an identifier; where it names a workspace or
// a connector, the handler finds that.
type endpoint struct {
	method, path string
	// query and body declare members; see members.
	query, body []member
	handle      func(*call) *answer
}

const (
	tokenPath          = "account/applications/token"
	executePath        = "integrations/connectors/{target}/execute"
	preparePath        = "integrations/connectors/{connector}/execute/prepare"
	connectorPath      = "integrations/connectors/{connector}"
	workspacePath      = "workspaces/{workspace}"
	replicationPath    = "integrations/templates/connections/{id}"
	sourceTemplatePath = "integrations/templates/sources/{id}"
	tagsPath           = "integrations/templates/tags"
	sessionPath        = "internal/mcp_oauth/sessions"
	// enrollmentPath answers before an organization is chosen.
	enrollmentPath = "internal/account/enrollment-status"
)

var (
	createMembers = members("name? workspace_name! connector_type? definition_id?:uuid source_template_id?:uuid " +
		"replication_config?:object credentials?:object environment?:object entities?:entities " +
		"server_side_oauth_secret_id? selected_connection_template_tags:texts " +
		"selected_connection_template_tags_mode:mode")
	updateMembers      = members("name? replication_config?:object entities?:entities")
	replicationMembers = members("data_hosting_type:hosting destination_name destination_definition_id:uuid " +
		"destination_config:object cron_expression? non_breaking_changes_preference:changes sync_on_create:flag " +
		"tags:texts")
	replicationChanges = members("destination_name? destination_config?:object cron_expression? " +
		"non_breaking_changes_preference?:changes sync_on_create?:flag")
	templateMembers = members("actor_definition_id:uuid original_source_template_id:uuid name? " +
		"partial_default_config:object customization?:customization mode?:template tags:texts")
	tagMembers      = members("name!")
	templateChanges = members("name? propagate?:flag partial_default_config?:object customization?:customization " +
		"mode?:template")
	widgetMembers = members("workspace_name! region_id?:uuid allowed_origin! selected_source_template_tags:texts " +
		"selected_source_template_tags_mode:mode selected_connection_template_tags:texts " +
		"selected_connection_template_tags_mode:mode")
	executeMembers = members("entity! action! params?:object select_fields?:texts exclude_fields?:texts " +
		"skip_truncation:flag intent?")
	skillQuery      = members("organization_id:uuid workspace_id:uuid")
	connectorsQuery = members("workspace_id:uuid definition_id:uuid")
	templatesQuery  = members("use_global:flag tags_mode:mode")
	tagsQuery       = members("tags_mode:mode")
)

// endpoints are those of the API, as its public definition has them, and a few
// outside of it, whose paths begin with a slash. Members that are not declared
// are passed over. The first row with a path decides what the path is.
var endpoints = []endpoint{
	{"", "/", nil, nil, health},
	{"", "/health", nil, nil, health},
	{"GET", "/consent", nil, nil, (*call).consentPage},
	{"GET", "/widget", nil, nil, widget},
	{"GET", "/widget-bridge", nil, nil, (*call).bridge},
	{"POST", decidePath, nil, nil, (*call).decided},
	{"GET", "/.well-known/oauth-authorization-server", nil, nil, (*call).metadata},
	{"GET", "/.well-known/openid-configuration", nil, nil, (*call).metadata},
	{"GET", realmPath + "/.well-known/openid-configuration", nil, nil, (*call).metadata},
	{"GET", realmPath + authorizePath, nil, nil, (*call).authorize},
	{"POST", realmPath + exchangePath, nil, nil, (*call).exchange},
	{"GET", authorizePath, nil, nil, (*call).authorize},
	{"POST", exchangePath, nil, nil, (*call).exchange},
	{"POST", executePath, nil, executeMembers, (*call).execute},
	{"POST", preparePath, nil, executeMembers, (*call).prepare},
	{"POST", tokenPath, nil, members("client_id! client_secret!"), (*call).token},
	{"POST", "account/applications/scoped-token", nil, members("workspace_name! region_id?:uuid"), (*call).scopedToken},
	{"GET", "account/applications/scoped-token/info", nil, nil, (*call).scopedTokenInfo},
	{"POST", "account/applications/widget-token", nil, widgetMembers, (*call).widgetToken},
	{"GET", "organizations", nil, nil, (*call).organizations},
	{"GET", "internal/account/organizations", nil, nil, (*call).organizations},
	{"GET", enrollmentPath, nil, nil, (*call).enrollment},
	{"POST", "internal/account/applications", nil, nil, (*call).application},
	{"PUT", "oauth/credentials", nil, members("connector_definition_id?:uuid connector_type? configuration!:object"),
		(*call).putOwnApp},
	{"DELETE", "oauth/credentials/connector_type/{id}", nil, nil, (*call).deleteOwnApp},
	{"GET", "organizations/{id}/credentials", nil, nil, (*call).stores},
	{"GET", "workspaces", members("status:activity"), nil, (*call).listWorkspaces},
	{"GET", "workspaces/stats", nil, nil, (*call).workspaceStats},
	{"GET", workspacePath, nil, nil, func(c *call) *answer { return ok(c.ws.object()) }},
	{"PUT", workspacePath, nil, members("name? status?:activity cache_enabled?:flag"), (*call).updateWorkspace},
	{"DELETE", workspacePath, nil, nil, (*call).deleteWorkspace},
	{"GET", "integrations/connectors", connectorsQuery, nil, (*call).listConnectors},
	{"POST", "integrations/connectors", nil, createMembers, (*call).createConnector},
	{"POST", "integrations/connectors/check", nil, createMembers, (*call).checkNew},
	{"POST", "integrations/connectors/oauth/initiate", nil, members("workspace_name! connector_type! redirect_url"),
		(*call).consent},
	{"GET", connectorPath, nil, nil, func(c *call) *answer { return ok(c.target.detail()) }},
	{"PUT", connectorPath, nil, updateMembers, (*call).updateConnector},
	{"DELETE", connectorPath, nil, nil, (*call).deleteConnector},
	{"POST", connectorPath + "/check", nil, nil, (*call).check},
	{"GET", connectorPath + "/inspect", nil, nil, (*call).inspect},
	{"GET", "integrations/definitions/sources", nil, nil, (*call).listDefinitions},
	{"GET", "integrations/definitions/sources/{id}", nil, nil, (*call).oneDefinition},
	{"GET", "integrations/definitions/destinations", nil, nil, (*call).listDestinations},
	{"GET", "integrations/definitions/destinations/{id}", nil, nil, (*call).oneDestination},
	{"GET", "integrations/templates/connections", tagsQuery, nil, (*call).listReplications},
	{"POST", "integrations/templates/connections", nil, replicationMembers, (*call).createReplication},
	{"POST", "integrations/templates/connections/cron/describe", nil, members("cron_expression!"),
		(*call).describeCron},
	{"GET", replicationPath, nil, nil, (*call).oneReplication},
	{"PATCH", replicationPath, nil, replicationChanges, (*call).updateReplication},
	{"DELETE", replicationPath, nil, nil, (*call).deleteReplication},
	{"GET", "integrations/templates/sources", templatesQuery, nil, (*call).listTemplates},
	{"POST", "integrations/templates/sources", nil, templateMembers, (*call).createTemplate},
	{"GET", "integrations/templates/sources/global", templatesQuery, nil, (*call).listTemplates},
	{"GET", sourceTemplatePath, templatesQuery, nil, (*call).oneTemplate},
	{"PATCH", sourceTemplatePath, nil, templateChanges, (*call).updateTemplate},
	{"DELETE", sourceTemplatePath, nil, nil, (*call).deleteTemplate},
	{"GET", tagsPath, nil, nil, (*call).listTags},
	{"POST", tagsPath, nil, tagMembers, (*call).createTag},
	{"PUT", tagsPath + "/{id}", nil, tagMembers, (*call).renameTag},
	{"DELETE", tagsPath + "/{id}", nil, nil, (*call).deleteTag},
	{"POST", sourceTemplatePath + "/tags", nil, members("tag!"), (*call).tagTemplate},
	{"DELETE", sourceTemplatePath + "/tags/{tag}", nil, nil, (*call).untagTemplate},
	{"POST", replicationPath + "/tags", nil, members("tag!"), (*call).tagReplication},
	{"DELETE", replicationPath + "/tags/{tag}", nil, nil, (*call).untagReplication},
	{"GET", "skills", skillQuery, nil, (*call).listSkills},
	{"GET", "skills/search", skillQuery, nil, (*call).listSkills},
	{"GET", "skills/docs", skillQuery, nil, (*call).skillDocs},
	{"POST", sessionPath, nil, members("source_definition_id!:uuid workspace_id!:uuid source_template_id?:uuid"),
		(*call).openSession},
	{"GET", sessionPath + "/{id}", nil, nil, (*call).session},
	{"PATCH", sessionPath + "/{id}", nil, members("source_id!:uuid"), (*call).session},
}

// form is what a member of a request may hold, in words and as a test.
type form struct {
	words string
	fits  func(v any) bool
}

// forms are those of declarations by name; a string where none is told.
var forms = map[string]form{
	"":       {"a string", is[string]},
	"uuid":   {"a UUID", func(v any) bool { text, isText := v.(string); return isText && isUUID(text) }},
	"object": {"an object", is[*rawjson.Map]},
	"flag":   {"a boolean", is[bool]},
	"texts":  {"an array of strings", listOf(is[string])},
	"entities": {"an array of {entity, modes} with the modes read and write", listOf(func(v any) bool {
		o, _ := v.(*rawjson.Map)
		mode := func(m any) bool { return m == "read" || m == "write" }
		return is[string](o.Value("entity")) && (o.Value("modes") == nil || listOf(mode)(o.Value("modes")))
	})},
	"mode":     oneOf("all", "any"),
	"activity": oneOf("active", "inactive"),
	"hosting":  oneOf(hostedByUser, hostedByService),
	"changes":  oneOf("ignore", "disable", "propagate_columns", "propagate_fully"),
	"template": oneOf("DIRECT", "REPLICATION", "MULTI"),
	"customization": {"an object of stream settings", func(v any) bool {
		o, isObject := v.(*rawjson.Map)
		mode, given := o.Get("stream_selection_mode")
		whitelist := o.Value("stream_whitelist")
		return isObject && (!given || oneOf("all", "suggested", "whitelist").fits(mode)) &&
			(whitelist == nil || listOf(is[string])(whitelist))
	}},
}

// oneOf is the form of a member that takes a few words only.
func oneOf(words ...string) form {
	return form{strings.Join(words, ", "), func(v any) bool {
		text, isText := v.(string)
		return isText && slices.Contains(words, text)
	}}
}

func is[T any](v any) bool { _, ok := v.(T); return ok }

func listOf(one func(any) bool) func(any) bool {
	return func(v any) bool {
		list, isList := v.([]any)
		return isList && !slices.ContainsFunc(list, func(e any) bool { return !one(e) })
	}
}

// member is a declared member of a request's body or query string.
type member struct {
	name               string
	form               form
	required, nullable bool
}

// members reads declarations: a name, with ! when it is required and ? when it may
// be null, and its form after a colon.
func members(declarations string) []member {
	var out []member
	for d := range strings.FieldsSeq(declarations) {
		name, of, _ := strings.Cut(d, ":")
		out = append(out, member{strings.Trim(name, "!?"), forms[of], strings.HasSuffix(name, "!"),
			strings.HasSuffix(name, "?")})
	}
	return out
}

// route finds the endpoint of a request, checks what it asks for, and answers.
func (c *call) route() *answer {
	path := "/" + strings.Trim(c.r.URL.Path, "/")
	path, isAPI := strings.CutPrefix(path, "/api/v1/")
	if isAPI && path != tokenPath {
		c.authenticate()
		if c.org == "" && !strings.HasSuffix(path, "organizations") && path != enrollmentPath {
			panic(refuse(http.StatusBadRequest, "Several organizations are reachable with these credentials: "+
				"specify target organization with the X-Organization-Id header."))
		}
	}
	e := c.endpoint(path)
	c.a = c.s.start()
	for _, m := range e.query {
		text := c.r.URL.Query().Get(m.name)
		v := any(text)
		if text == "true" || text == "false" {
			v = text == "true"
		}
		if text != "" && !m.form.fits(v) {
			panic(invalid(m.name, "%s must be %s.", m.name, m.form.words))
		}
	}
	c.find(e.path)
	if e.body != nil {
		c.in = c.read(e.body)
	}
	if e.path != executePath { // which holds the lock of its connector only
		if e.body != nil && e.path != tokenPath {
			c.keep()
		}
		c.a.mu.Lock()
		defer c.a.mu.Unlock()
	}
	return e.handle(c)
}

// endpoint finds the row of a request by its path and method.
func (c *call) endpoint(path string) *endpoint {
	form, allowed := "", []string(nil)
	for i := range endpoints {
		e := &endpoints[i]
		if form != "" && e.path != form || !c.fits(e.path, path) {
			continue
		}
		if e.method == "" || e.method == c.r.Method {
			return e
		}
		form, allowed = e.path, append(allowed, e.method)
	}
	methods, hint := strings.Join(allowed, ", "), "."
	if allowed != nil {
		r := refuse(http.StatusMethodNotAllowed, "%s is not allowed here; use %s.", c.r.Method, methods)
		r.header = [][2]string{{"Allow", methods}}
		panic(r)
	}
	if strings.HasPrefix(path, "/") {
		hint = "; its paths begin with /api/v1."
	}
	panic(refuse(http.StatusNotFound, "The service has no endpoint %s%s", c.r.URL.Path, hint))
}

// fits compares a path with that of a row and keeps the identifiers in it.
func (c *call) fits(form, path string) bool {
	before, rest, named := strings.Cut(form, "{")
	if !named {
		return form == path
	}
	_, after, _ := strings.Cut(rest, "}")
	id, found := strings.CutPrefix(path, before)
	c.id, _, _ = strings.Cut(id, "/")
	if !found || c.id == "" {
		return false
	}
	id = id[len(c.id):]
	if fixed, _, more := strings.Cut(after, "{"); more { // the last segment is an identifier too
		c.tag, found = strings.CutPrefix(id, fixed)
		return found && c.tag != "" && !strings.Contains(c.tag, "/")
	}
	return id == after
}

// find finds the workspace or the connector that the path names.
func (c *call) find(form string) {
	c.a.mu.Lock()
	defer c.a.mu.Unlock()
	switch named := strings.Contains(form, "{connector}"); {
	case strings.Contains(form, "{workspace}"):
		c.wantUUID("workspace_id")
		c.ws = c.a.pickWorkspace(c.org, "", c.id)
	case named, form == executePath: // which takes other names of connectors too
		if named {
			c.wantUUID("id")
		}
		if c.target = c.a.find(c.org, c.id); c.target == nil {
			panic(refuse(http.StatusNotFound, "No connector with id %s exists in this organization.", c.id))
		}
	}
}

// wantUUID refuses an identifier in the path that is no UUID.
func (c *call) wantUUID(name string) {
	if !isUUID(c.id) {
		panic(refuseField(http.StatusUnprocessableEntity, name, "uuid_parsing", "%s must be a UUID.", name))
	}
}

// maxBody bounds a request; the real service takes no more than a few megabytes.
const maxBody = 4 << 20

// What is kept of what clients send, until the service is started anew.
const (
	mostWrites  = 50_000
	mostWritten = 32 << 20
)

// keep counts what a request leaves behind, and refuses it where that becomes too much.
func (c *call) keep() {
	if c.s.writes.Add(1) > mostWrites || c.s.written.Add(int64(c.size)) > mostWritten {
		panic(refuse(http.StatusInsufficientStorage,
			"The sandbox keeps no more than %d changes and %d MiB: start it anew.", mostWrites, mostWritten>>20))
	}
}

// read takes the JSON object of a request and refuses members that the API's
// definition does not allow as they are.
func (c *call) read(members []member) *rawjson.Map {
	body := c.body()
	for _, m := range members {
		v, given := body.Get(m.name)
		switch {
		case !given && m.required:
			panic(invalid(m.name, "%s is required and must be %s.", m.name, m.form.words))
		case given && (v != nil || !m.nullable) && !m.form.fits(v):
			panic(invalid(m.name, "%s must be %s.", m.name, m.form.words))
		}
	}
	return body
}

// body reads the JSON object of a request.
func (c *call) body() *rawjson.Map {
	raw, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	c.size = len(raw)
	t := c.r.Header.Get("Content-Type")
	switch {
	case err != nil:
		panic(refuse(http.StatusBadRequest, "The request body could not be read: %v", err))
	case len(raw) > maxBody:
		panic(invalid("body", "The request body is larger than %d bytes.", maxBody))
	case len(raw) == 0:
		panic(invalid("body", "A JSON body is required."))
	case !strings.HasPrefix(strings.ToLower(t), "application/json"):
		panic(invalid("content-type", "The Content-Type is %q; it must be application/json.", t))
	}
	v, err := data.Parse(raw)
	if err != nil {
		panic(invalid("body", "The body is not valid JSON: %v", err))
	}
	o, isObject := v.(*rawjson.Map)
	if !isObject {
		panic(invalid("body", "The body must be a JSON object."))
	}
	return o
}

// objectIn is the member of an object that is an object itself; nil where it is none.
func objectIn(o *rawjson.Map, name string) *rawjson.Map {
	inner, _ := o.Value(name).(*rawjson.Map)
	return inner
}

// queryNumber is an integer of the query string within its limits.
func (c *call) queryNumber(name string, preset, least, most int) int {
	text := c.r.URL.Query().Get(name)
	if text == "" {
		return preset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		panic(invalid(name, "%s must be an integer between %d and %d.", name, least, most))
	}
	return n
}

// page cuts a list as limit and cursor ask; next is the cursor of the page after it.
func (c *call) page(list []any) (page []any, next any) {
	limit := c.queryNumber("limit", 20, 1, 100)
	offset := openCursor("cursor", c.r.URL.Query().Get("cursor"))
	from, to := min(offset, len(list)), min(offset+limit, len(list))
	if to < len(list) {
		next = sealCursor(to)
	}
	return list[from:to], next
}

// sealCursor hides an offset, so that nobody builds cursors.
func sealCursor(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("at:" + strconv.Itoa(offset)))
}

// openCursor reads a cursor; field is where it stands in the request.
func openCursor(field, cursor string) int {
	if cursor == "" {
		return 0
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	text, found := strings.CutPrefix(string(raw), "at:")
	n, numErr := strconv.Atoi(text)
	if err != nil || !found || numErr != nil || n < 0 {
		panic(refuseField(http.StatusBadRequest, field, "invalid_cursor",
			"%s holds no cursor that this service gave.", strings.TrimPrefix(field, "params.")))
	}
	return n
}

func health(*call) *answer { return ok(rawjson.NewMap("status", "ok", "service", "patchbay sandbox")) }
