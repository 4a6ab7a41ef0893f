package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Source says where a fact comes from. The zero value means that the product
// specification states it.
type Source string

const (
	// Documented facts stand in the product specification.
	Documented Source = ""
	// Upstream facts come from reference tables of the third-party interface;
	// the specification calls them "not shown".
	Upstream Source = "upstream"
	// Derived facts are conclusions of this project: destructive marks, relations.
	Derived Source = "derived"
	// User facts come from a file in the user's own config folder.
	User Source = "user"
	// Live facts were told by the service that has the connector.
	Live Source = "service"
	// Seen facts were concluded from answers that came.
	Seen Source = "answers"
)

// Action names that have a meaning of their own in every kind.
const (
	ActionList               = "list"
	ActionGet                = "get"
	ActionCreate             = "create"
	ActionUpdate             = "update"
	ActionDelete             = "delete"
	ActionAPISearch          = "api_search"
	ActionContextStoreSearch = "context_store_search"
	ActionDownload           = "download"
	ActionSemanticSearch     = "semantic_search"
)

// Kind is one catalogued connector type.
type Kind struct {
	// Name is the specification's name of the kind in lower snake_case.
	Name string `json:"kind"`
	// Title is a short name for people, such as "Payments".
	Title string `json:"title"`
	// System is the third-party product, such as "Stripe".
	System string `json:"system"`
	// ConnectorType is the value of connector_type on the wire, such as "stripe".
	ConnectorType string `json:"connector_type"`
	// DefinitionID is the hosted service's UUID of the connector definition; empty when unknown.
	DefinitionID string `json:"definition_id,omitempty"`
	// Doc is one or two sentences of our own about the kind.
	Doc string `json:"doc,omitempty"`
	// Notes are facts about the whole kind, one sentence each.
	Notes []Note `json:"notes,omitempty"`
	// Credentials are the credential methods in order of preference. A method
	// that the service reports as unavailable is listed with Unavailable set.
	Credentials []Method `json:"credentials,omitempty"`
	// Config are configuration values (replication_config and server variables).
	Config []Field `json:"config,omitempty"`
	// Local says how to reach the third-party API directly; nil when unknown.
	Local *Local `json:"local,omitempty"`
	// Relations between entities of the kind.
	Relations []Relation `json:"relations,omitempty"`
	// Sandbox is what the sandbox has to know beside all this; nil for nothing.
	Sandbox *Sandbox `json:"sandbox,omitempty"`
	// Entities in the order of the specification.
	Entities []Entity `json:"entities"`
	// Source of the kind as a whole (User for kinds of the user's own files).
	Source Source `json:"source,omitempty"`
}

// Note is a fact in words with its source.
type Note struct {
	Text   string `json:"text"`
	Source Source `json:"source,omitempty"`
}

// Method is one way to hand credentials to a connector.
type Method struct {
	// Method is "token" or "oauth" as the service tells methods apart.
	Method string `json:"method"`
	// Option is the name of the auth option in the connector definition.
	Option string `json:"option,omitempty"`
	Title  string `json:"title,omitempty"`
	// Unavailable is set when the service reports the method as unavailable for the kind.
	Unavailable bool `json:"unavailable,omitempty"`
	// Fields are the credential fields.
	Fields []Field `json:"fields,omitempty"`
	// Scopes that the credential needs, when known.
	Scopes []string `json:"scopes,omitempty"`
	Note   string   `json:"note,omitempty"`
	Source Source   `json:"source,omitempty"`
}

// Field describes one named value: a param, a record, meta or searchable
// field, a member, a credential field or a configuration value.
type Field struct {
	// Name is the specification's name; empty in Items and Values.
	Name string `json:"name,omitempty"`
	// Type is one of string, integer, number, boolean, object, array, any, or
	// several of them joined with "|". Null is told by Nullable, never here.
	Type     string `json:"type"`
	Nullable bool   `json:"nullable,omitempty"`
	// Items describes the elements of an array; nil when unknown. Its Name is empty.
	Items *Field `json:"items,omitempty"`
	// Members are the known members of an object.
	Members []Field `json:"members,omitempty"`
	// Values describes the values of a free map (object with any keys); nil otherwise.
	Values *Field `json:"values,omitempty"`
	// OneOf is set on an object of which exactly one member must be given.
	OneOf bool `json:"one_of,omitempty"`
	// Const is the only value the field takes, as JSON.
	Const json.RawMessage `json:"const,omitempty"`
	// Enum lists the values the field takes, as JSON, in the specification's words.
	Enum []json.RawMessage `json:"enum,omitempty"`
	// Open is set when Enum lists known values but others are accepted.
	Open     bool `json:"open,omitempty"`
	Required bool `json:"required,omitempty"`
	// Default is the value used when the field is left out, as JSON; nil when none is known.
	Default json.RawMessage `json:"default,omitempty"`
	// Min and Max are inclusive limits of a number.
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
	// MaxItems is the largest number of elements of an array, of entries of a
	// comma-separated string (see Separator); 0 means no known limit.
	MaxItems int `json:"max_items,omitempty"`
	// Format refines a type: date-time, date, time, unix, unix-ms, uuid, email, uri,
	// jql, document (structured document object), digits-3-7-7 (groups of digits), binary, ...
	Format string `json:"format,omitempty"`
	// Separator is set when a string holds several values joined by it.
	Separator string `json:"separator,omitempty"`
	// Injected is set when the service fills the value from its own
	// configuration, so that callers do not give it.
	Injected bool `json:"injected,omitempty"`
	// Inject says where a local call takes an injected value from.
	Inject *Inject `json:"inject,omitempty"`
	Secret bool    `json:"secret,omitempty"`
	// Alias is the name that the real connector definition uses where the
	// specification has a neutral word: AmazonOrderId for MarketOrderId. A hosted
	// call with "names: wire" sends it, and bodies of real services and of the
	// third party itself carry it. It has nothing to do with the HTTP binding.
	Alias string `json:"alias,omitempty"`
	// Wire is the name of the param in the third party's own HTTP request (a query
	// or form key, a path segment's or GraphQL variable's name) where it differs
	// from the definition's name (Alias, else Name). Only local calls read it.
	Wire string `json:"wire,omitempty"`
	// WireValues maps enum values in the specification's words to those of the real service.
	WireValues map[string]string `json:"wire_values,omitempty"`
	// In is the place of a param in the request: path, query, header, body, or
	// variable (a GraphQL variable named by Wire) or selection (GraphQL fields). Bindings only.
	In string `json:"in,omitempty"`
	// Style says how an array or object stands in a query or form:
	// "" (arrays repeat the key, objects are bracketed), "comma", "json" .
	Style string `json:"style,omitempty"`
	// Send is the verdict on Default: set where the third party needs it, so that a
	// local call sends it when the caller left the field out. Without Send the default
	// only describes what the third party does by itself.
	Send bool `json:"send,omitempty"`
	// Unless names the param beside which Default is not sent.
	Unless string `json:"unless,omitempty"`
	// WireType is the type that a JSON body of the third party has in place of text:
	// array (of the parts between Separator) or boolean. Only local calls read it.
	WireType string `json:"wire_type,omitempty"`
	// WireCase is upper where the third party wants the text in capitals. Only local
	// calls read it, in JSON bodies.
	WireCase string `json:"wire_case,omitempty"`
	// Ref names the entity whose key the value is, as "entity" or "entity.field".
	Ref string `json:"ref,omitempty"`
	// Map turns a configuration value into the text that stands in a server address.
	Map map[string]string `json:"map,omitempty"`
	// Derive says how a configuration value follows from a credential.
	Derive *Derive `json:"derive,omitempty"`
	// ServerVariable is set on configuration that stands in the base URL.
	ServerVariable bool `json:"server_variable,omitempty"`
	// Omitted lists actions whose answers leave this record field out although the entity has it.
	Omitted []string `json:"omitted,omitempty"`
	// Common marks optional params that most callers want to see unfolded.
	Common bool `json:"common,omitempty"`
	// Doc is a short sentence of our own; empty when the name says it all.
	Doc    string `json:"doc,omitempty"`
	Note   string `json:"note,omitempty"`
	Source Source `json:"source,omitempty"`
	// Upstream names the attributes of a documented field that only the reference
	// tables state ("default", "min", "enum", "format", "items", ...), so that
	// nothing is told as documented that is not. Unused when Source says it all.
	Upstream []string `json:"upstream,omitempty"`
	// Inferred is set when the type was concluded from the name alone.
	Inferred bool `json:"inferred,omitempty"`
	// Unique is set when the elements of an array must differ.
	Unique bool `json:"unique,omitempty"`
}

// Inject names the configuration value (and optionally the lookup table of
// Local.Tables) that fills an injected param of a local call. Part picks a
// piece: "owner" or "repo" of an "owner/repo" text.
type Inject struct {
	Config string `json:"config"`
	Table  string `json:"table,omitempty"`
	Part   string `json:"part,omitempty"`
}

// Derive takes a configuration value from a credential field: the text after
// the last occurrence of AfterLast.
type Derive struct {
	From      string `json:"from"`
	AfterLast string `json:"after_last"`
}

// Entity is one resource of a kind.
type Entity struct {
	Name string `json:"name" yaml:"-"` // files have it before the colon
	// Key is the record field that identifies a record; empty when unknown.
	Key string `json:"key,omitempty"`
	Doc string `json:"doc,omitempty"`
	// Record are the top-level fields of a record; empty when unknown.
	Record []Field `json:"record,omitempty"`
	// RecordComplete is false when the sources show only a part of the record.
	RecordPartial bool `json:"record_partial,omitempty"`
	// Search are the fields that context_store_search can filter and sort by.
	// SearchUnknown is set when the sources name none, so typed names are unchecked.
	Search        []Field `json:"search,omitempty"`
	SearchUnknown bool    `json:"search_unknown,omitempty"`
	// Semantic describes the index behind semantic_search; nil without one.
	Semantic *Semantic `json:"semantic,omitempty"`
	Actions  []Action  `json:"actions"`
	Notes    []Note    `json:"notes,omitempty"`
	Source   Source    `json:"source,omitempty"`
}

// Semantic describes the text index of an entity.
type Semantic struct {
	Field          string   `json:"field"`
	EntityFields   []string `json:"entity_fields,omitempty"`
	Metadata       []string `json:"metadata,omitempty"`
	ContextSizeMax int      `json:"context_size_max,omitempty"`
	Source         Source   `json:"source,omitempty"`
}

// Action is one thing an entity can do.
type Action struct {
	Name   string  `json:"name" yaml:"-"` // files have it before the colon
	Doc    string  `json:"doc,omitempty"`
	Params []Field `json:"params,omitempty"`
	// ParamsUnknown is set when nobody knows the params: the form offers free JSON.
	ParamsUnknown bool `json:"params_unknown,omitempty"`
	// FreeBody is set when the action takes members beyond Params.
	FreeBody bool `json:"free_body,omitempty"`
	// Record is the action's own record where it differs from the entity's.
	Record []Field `json:"record,omitempty"`
	Meta   []Field `json:"meta,omitempty"`
	Rules  []Rule  `json:"rules,omitempty"`
	// Reads says whether the action only reads, where its name does not tell that
	// or tells otherwise; nil leaves it to the name.
	Reads *bool `json:"reads,omitempty"`
	// Destructive actions lose data for good.
	Destructive       bool   `json:"destructive,omitempty"`
	DestructiveSource Source `json:"destructive_source,omitempty"`
	// HostedOnly actions have no local path.
	HostedOnly bool `json:"hosted_only,omitempty"`
	// Order is the default order of a list in words.
	Order string `json:"order,omitempty"`
	Notes []Note `json:"notes,omitempty"`
	// SentAs names the action that goes over the wire instead (semantic_search).
	SentAs  string   `json:"sent_as,omitempty"`
	Page    *Page    `json:"page,omitempty"`
	Binding *Binding `json:"binding,omitempty" yaml:"http"`
	Source  Source   `json:"source,omitempty"`
}

// readNames are the actions that only read, by their exact names.
var readNames = []string{ActionList, ActionGet, ActionAPISearch, ActionContextStoreSearch, ActionSemanticSearch,
	ActionDownload}

// Writes reports whether the action changes data, or may: whatever is not known to
// read is taken for a write.
func (a *Action) Writes() bool {
	if a.Reads != nil {
		return !*a.Reads
	}
	return a.Destructive || Writes(a.Name, nil) || a.SentAs != "" && Writes(a.SentAs, nil)
}

// Writes reports whether an action of that name changes data, or may; a is what the
// catalog knows of it, nil for nothing.
func Writes(name string, a *Action) bool {
	if a != nil {
		return a.Writes()
	}
	return !slices.Contains(readNames, name)
}

// Rule is a check across params that a machine can make. Rule kinds:
//
//	at_least_one   one or more of Params must be given
//	exactly_one    exactly one of Params (members: of the object In)
//	bounded_jql    Params[0] holds a JQL query that restricts the search
//	max_entries    Params[0] holds at most Max entries
//	no_prefix      Params[0] must not start with Value
//	one_of_values  Params[0] must be one of the field's enum, entry by entry
//	names_one      Params[0] is a text that must name one of Values
//	required_unless  Params[0] is required unless Params[1] is given
type Rule struct {
	Rule   string   `json:"rule"`
	Params []string `json:"params,omitempty"`
	// In is the path of the object whose members the rule speaks of; empty for params.
	In    string `json:"in,omitempty"`
	Max   int    `json:"max,omitempty"`
	Value string `json:"value,omitempty"`
	// Values are the words that names_one looks for.
	Values []string `json:"values,omitempty"`
	Text   string   `json:"text"`
	Status int      `json:"status,omitempty"`
	Source Source   `json:"source,omitempty"`
}

// Relation tells that Field of records of From holds the key of records of To.
type Relation struct {
	From   string `json:"from"`
	Field  string `json:"field"`
	To     string `json:"to"`
	Key    string `json:"key,omitempty"`
	Source Source `json:"source,omitempty"`
}

// ProbeTime writes a relative time of ProbeParams, "now-P730D as RFC3339" or
// "now as YYYYMMDD", in UTC. Other texts stay as they are.
func ProbeTime(text string, now time.Time) string {
	when, layout, ok := strings.Cut(text, " as ")
	rest, isNow := strings.CutPrefix(when, "now")
	if !ok || !isNow {
		return text
	}
	at := now.UTC()
	if rest != "" {
		var days int
		if n, err := fmt.Sscanf(rest, "-P%dD", &days); n != 1 || err != nil {
			return text
		}
		at = at.AddDate(0, 0, -days)
	}
	switch layout {
	case "RFC3339":
		return at.Format(time.RFC3339)
	case "YYYYMMDD":
		return at.Format("20060102")
	case "YYYY-MM-DD":
		return at.Format(time.DateOnly)
	}
	return text
}
