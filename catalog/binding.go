package catalog

import "encoding/json"

// Binding is the request that runs an action against the third-party API.
type Binding struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Encoding of the body: json (default) or form (nested brackets).
	Encoding string `json:"encoding,omitempty"`
	// Headers are constant headers of this action.
	Headers []Pair `json:"headers,omitempty"`
	// Records is the dotted path of the records in the answer; "" means the whole body is the result.
	// "[*]" steps flatten arrays: "data.boards[*].items_page.items".
	Records string `json:"records,omitempty"`
	// RecordsInBody says where the records sit when the whole body is the result.
	RecordsInBody string `json:"records_in_body,omitempty"`
	// Meta maps meta fields to paths in the body, "@link.next" or "@header.NAME".
	Meta []Pair `json:"meta,omitempty"`
	// DropWhen removes records: "isPrivate == true".
	DropWhen string `json:"drop_when,omitempty"`
	// Probe is set on the action that a credential check prefers; ProbeParams are what it sends.
	Probe       bool            `json:"probe,omitempty"`
	ProbeParams json.RawMessage `json:"probe_params,omitempty"`
	GraphQL     *GraphQL        `json:"graphql,omitempty"`
	Download    *Download       `json:"download,omitempty"`
	// Untested bindings were never tried by their source.
	Untested bool `json:"untested,omitempty"`
	// BodyParam names a param whose value is the whole body.
	BodyParam string `json:"body_param,omitempty"`
	// ServerIndex picks one of Local.Servers; 0 is the base URL.
	ServerIndex int    `json:"server,omitempty"`
	Source      Source `json:"source,omitempty"`
}

// Pair is a name and a value where order matters.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// GraphQL is the document of a binding, built from its parts.
type GraphQL struct {
	// Kind is query or mutation; Operation the root field.
	Kind      string            `json:"kind"`
	Operation string            `json:"operation"`
	Variables []GraphQLVariable `json:"variables,omitempty"`
	// Args per selection path: "boards.items_page" -> {limit: "$limit"}.
	Args []GraphQLArgs `json:"args,omitempty"`
	// Select lists the fields per path; "{fields}" stands for the caller's or the default fields;
	// "a<Type>" is an inline fragment on Type.
	Select []GraphQLSelect `json:"select,omitempty"`
	// DefaultFields per sub-path of a record; path "" is the record itself.
	DefaultFields []GraphQLSelect `json:"default_fields,omitempty"`
	// FieldArgs are constant arguments of fields within DefaultFields.
	FieldArgs []GraphQLArgs `json:"field_args,omitempty"`
	// Document is the whole document as text, in place of the parts above; "{fields}" in it
	// stands for what the caller selects, else for Fields.
	Document string `json:"document,omitempty"`
	Fields   string `json:"fields,omitempty"`
	// Values are the variables of Document as a JSON object of templates: a text that is just
	// "${owner}" is the param with its type.
	Values json.RawMessage `json:"values,omitempty"`
}

// GraphQLVariable is a declared variable; From is a template over params: "${owner}".
type GraphQLVariable struct {
	Name string `json:"name"`
	Type string `json:"type"`
	From string `json:"from"`
}

// GraphQLArgs are the arguments of the field at Path, values as GraphQL text.
type GraphQLArgs struct {
	Path string `json:"path"`
	Args []Pair `json:"args"`
}

// GraphQLSelect are the fields selected at Path.
type GraphQLSelect struct {
	Path   string   `json:"path"`
	Fields []string `json:"fields"`
}

// Download says how a file is fetched.
type Download struct {
	// Steps is 1 when the action's own answer is the file, 2 when it names the file's address at URLAt.
	Steps int    `json:"steps"`
	URLAt string `json:"url_at,omitempty"`
	// RangeParam is the param with an HTTP Range value.
	RangeParam string `json:"range_param,omitempty"`
	Headers    []Pair `json:"headers,omitempty"`
}

// Local says how a kind's API is reached directly.
type Local struct {
	// BaseURL may hold {name} placeholders filled from configuration.
	BaseURL string `json:"base_url"`
	// Servers are further base URLs that a user may choose (regions).
	Servers []string `json:"servers,omitempty"`
	// Headers are sent with every request.
	Headers []Pair `json:"headers,omitempty"`
	Auth    []Auth `json:"auth,omitempty"`
	// Tables are lookups from a configuration value to what is sent.
	Tables map[string]map[string]string `json:"tables,omitempty"`
	Errors *ErrorShape                  `json:"errors,omitempty"`
	Source Source                       `json:"source,omitempty"`
}

// Auth says where the fields of one credential method go. Values are
// templates: ${field} and base64(text).
type Auth struct {
	// Method and Option name the credential method; empty when the kind has only one.
	Method  string   `json:"method,omitempty"`
	Option  string   `json:"option,omitempty"`
	Headers []Pair   `json:"headers,omitempty"`
	Query   []Pair   `json:"query,omitempty"`
	Refresh *Refresh `json:"refresh,omitempty"`
}

// Refresh is the call that turns a refresh token into an access token.
type Refresh struct {
	Method   string `json:"method"`
	URL      string `json:"url"`
	Encoding string `json:"encoding"`
	Body     []Pair `json:"body,omitempty"`
	Headers  []Pair `json:"headers,omitempty"`
	// Rotates is set when the answer may carry a new refresh token.
	Rotates bool `json:"rotates,omitempty"`
	// Expired are words of an answer of status 403 that tell that the access token has ended.
	Expired string `json:"expired,omitempty"`
	// Sets lists configuration values that the answer overrides (instance_url).
	Sets []string `json:"sets,omitempty"`
}

// ErrorShape overrides where a kind's error answers keep what.
type ErrorShape struct {
	Message    string `json:"message,omitempty"`
	Code       string `json:"code,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"` // header name
}
