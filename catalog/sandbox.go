package catalog

import "encoding/json"

// Sandbox holds what the sandbox has to know of a kind beside its documented
// facts, all of it concluded by this project. Values are templates: JSON whose
// texts may hold placeholders such as {base62:14}, {low|high} or {@name}; the
// sandbox's template.go lists them. Names of fields in Words are normalised
// (created_at, createdAt: createdat).
type Sandbox struct {
	// Workspaces are those of the sandbox that hold a connector of the kind beside demo.
	Workspaces []string `json:"workspaces,omitempty"`
	// Faults are the faults of the sandbox that a connector of the kind shows.
	Faults []string `json:"faults,omitempty"`
	// First is the list that shows at once what the sandbox holds: many records that
	// everybody understands. The first kind that has one is the one for examples.
	First FirstCall `json:"first,omitempty"`
	// ID is the template of identifiers; without one they count down.
	ID string `json:"id,omitempty"`
	// Time is the Go layout of date-time texts. Unix lists the types (integer,
	// string) that hold moments as Unix milliseconds.
	Time string   `json:"time,omitempty"`
	Unix []string `json:"unix,omitempty"`
	// Moments are names of fields that hold moments without saying so.
	Moments []string `json:"moments,omitempty"`
	// Cents is set where amounts are counted in hundredths.
	Cents bool `json:"cents,omitempty"`
	// Crowded are the entities of which a real account has thousands.
	Crowded []string `json:"crowded,omitempty"`
	// Columns are fields that every record has beside the documented ones. A kind
	// with columns stores the searchable fields too.
	Columns []string `json:"columns,omitempty"`
	// NamedRefs is set where a text field named as an entity refers to its records.
	NamedRefs bool `json:"named_refs,omitempty"`
	// Connections is set where lists stand in records as {nodes: [...]} and states
	// in upper case, while writes take and answer plain lists and lower case.
	Connections bool `json:"connections,omitempty"`
	// Draws are values that several fields of one record share, read as {$name}.
	Draws map[string]json.RawMessage `json:"draws,omitempty"`
	// Scopes are params that name what a record belongs to.
	Scopes map[string]Scope `json:"scopes,omitempty"`
	// Paging says how pages differ from what the actions say.
	Paging SandboxPaging `json:"paging,omitempty"`
	// Query lists the params that hold a query.
	Query []SandboxQuery `json:"query,omitempty"`
	// Every holds what is true of all entities; what an entity says itself wins.
	Every    SandboxEntity            `json:"every,omitempty"`
	Entities map[string]SandboxEntity `json:"entities,omitempty"`
	// Tells is how much a connector describes of itself: everything in lists (empty), in
	// schemas, in docs only, or no more than names.
	Tells string `json:"tells,omitempty"`
}

// FirstCall is a list that needs nothing from a person.
type FirstCall struct {
	Entity string          `json:"entity"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Scope says which records a param names that narrows to what belongs to them.
type Scope struct {
	// Of is the "entity.field" whose values the param takes; empty when the
	// catalog has no such records. With names another scope that is read from
	// the same record of that entity.
	Of   string `json:"of,omitempty"`
	With string `json:"with,omitempty"`
	// Value is what records belong to where nothing else tells.
	Value string `json:"value,omitempty"`
}

// SandboxPaging says how pages differ from what Page says.
type SandboxPaging struct {
	// Size is the size of a page where the action names none.
	Size int `json:"size,omitempty"`
	// FromZero is set where the first page has the number 0.
	FromZero bool `json:"from_zero,omitempty"`
	// Cursor writes a cursor, with {offset}; NextURL the address of the next page, with {next}.
	Cursor  string `json:"cursor,omitempty"`
	NextURL string `json:"next_url,omitempty"`
	// Body are members of a whole body, before the records.
	Body []Pair `json:"body,omitempty"`
}

// SandboxQuery says which param holds a query and how its language is read.
type SandboxQuery struct {
	// Param holds the query, in the Action (any when empty).
	Param  string `json:"param"`
	Action string `json:"action,omitempty"`
	// Language is jql, soql, fielded (field:"value" AND ...) or qualified (words key:value ...).
	Language string `json:"language"`
	// Fields are the record paths that a name of the language speaks of. A path
	// with slashes joins the values of several.
	Fields map[string][]string `json:"fields,omitempty"`
	// Bare are names of the language that the generated records have nothing for.
	Bare []string `json:"bare,omitempty"`
	// States are what is:NAME holds for: paths that are set (not set after an
	// exclamation mark), or path=value; one of the list is enough. State is the
	// field that any other name is a value of.
	States map[string][]string `json:"states,omitempty"`
	State  string              `json:"state,omitempty"`
	// Empty are the lists that no:NAME finds empty.
	Empty map[string]string `json:"empty,omitempty"`
	// Sorts are the paths that sort:NAME orders by.
	Sorts map[string]string `json:"sorts,omitempty"`
	// Ranks are values in rising order, by the name that orders by them.
	Ranks map[string][]string `json:"ranks,omitempty"`
	// AnyField is set where other names are fields of the record, or words.
	AnyField bool `json:"any_field,omitempty"`
	// Self is the field of the first user that currentUser() gives, as "entity.field".
	Self string `json:"self,omitempty"`
}

// SandboxEntity holds what the sandbox has to know of an entity.
type SandboxEntity struct {
	// ID is the template of identifiers.
	ID string `json:"id,omitempty"`
	// ViewOf names the entity whose records these are.
	ViewOf string `json:"view_of,omitempty"`
	// Count is how many records there are, whatever the size of the sandbox.
	Count int `json:"count,omitempty"`
	// Object is the third party's name of the records where it is not the entity's.
	Object string `json:"object,omitempty"`
	// Columns are further fields of the records, where the kind has columns.
	Columns []string `json:"columns,omitempty"`
	// Plain is set where records have no columns although the kind has.
	Plain bool `json:"plain,omitempty"`
	// Fields are templates of fields of the record, by name.
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
	// Words are templates of texts by the normalised name of a field, at any depth;
	// States are the values of texts whose name speaks of a state.
	Words  map[string]string `json:"words,omitempty"`
	States string            `json:"states,omitempty"`
	// New are templates of fields of a record that was just created.
	New map[string]json.RawMessage `json:"new,omitempty"`
	// Hidden are templates of what records hold unseen, for params to find.
	Hidden map[string]json.RawMessage `json:"hidden,omitempty"`
	// Params say what params do that their names do not tell.
	Params map[string]SandboxParam `json:"params,omitempty"`
	// Expand are templates of what expand and include add, by the word given.
	Expand map[string]json.RawMessage `json:"expand,omitempty"`
	// Writes are what writes change beside the params, by action.
	Writes map[string]SandboxWrite `json:"writes,omitempty"`
}

// SandboxParam says what a param does.
type SandboxParam struct {
	// Path is the record field that the param speaks of; None is set when there is none.
	Path string `json:"path,omitempty"`
	None bool   `json:"none,omitempty"`
	// Exact is set where the param means equality with Path and nothing else.
	Exact bool `json:"exact,omitempty"`
	// Member is the member of the param that holds the value.
	Member string `json:"member,omitempty"`
	// Values are the record values that a word of the param stands for; none: all records.
	Values map[string][]string `json:"values,omitempty"`
	// Mentions are the values of which the param's text names one.
	Mentions []string `json:"mentions,omitempty"`
	// Parents are the entities one of which must have a record of that name; Shared
	// is set where all records belong to each of them.
	Parents []string `json:"parents,omitempty"`
	Shared  bool     `json:"shared,omitempty"`
	// Also are further fields of the record that a write sets to the param. Merges is
	// set where members of the param replace single members of the field.
	Also   []string `json:"also,omitempty"`
	Merges bool     `json:"merges,omitempty"`
	// Via is the "entity.field" that must have the value in a record whose field Gives
	// names one of these.
	Via   string `json:"via,omitempty"`
	Gives string `json:"gives,omitempty"`
	// Holds is the object of the record in which the member that the param names is not null.
	Holds string `json:"holds,omitempty"`
	// Span is the moment of the record that lies in the time which the param names.
	Span string `json:"span,omitempty"`
	// Parts are the fields that answers have only where the param names them or is true.
	Parts []string `json:"parts,omitempty"`
	// Inside is the member of the record whose members the param selects.
	Inside string `json:"inside,omitempty"`
	// Sorts are the record paths that a word of the param orders by.
	Sorts map[string]string `json:"sorts,omitempty"`
	// Shows are how answers differ where the param has one of the values, or any ("*").
	Shows map[string]SandboxShow `json:"shows,omitempty"`
	// Stretch are the first and the last day of the record, between which lie as many
	// days as the param counts.
	Stretch []string `json:"stretch,omitempty"`
	// Match is the param that asks for any, all or none of this one's values.
	Match string `json:"match,omitempty"`
	// Phrase and Only name a value of another param: Phrase that with which the words of
	// this one stand in a row, Only the one with which this one finds anything.
	Phrase map[string]string `json:"phrase,omitempty"`
	Only   map[string]string `json:"only,omitempty"`
}

// SandboxShow says how the records of an answer differ.
type SandboxShow struct {
	// Sets are templates by the path that they set; {@value} is the value of the param,
	// {@record.name} a field of the record.
	Sets map[string]json.RawMessage `json:"sets,omitempty"`
	// Drops are the paths of fields that are left out.
	Drops []string `json:"drops,omitempty"`
}

// SandboxWrite says what a write does beside taking its params.
type SandboxWrite struct {
	// Changes is set where the write changes the record that its key names, whatever
	// the action is called; Upsert names the field by which it looks for one first.
	Changes bool   `json:"changes,omitempty"`
	Upsert  string `json:"upsert,omitempty"`
	// From are the states that allow the write (Except those that do not), Kept
	// those in which it changes nothing; Refuse is what is said in any other, with {status}.
	From   []string `json:"from,omitempty"`
	Except []string `json:"except,omitempty"`
	Kept   []string `json:"kept,omitempty"`
	Refuse string   `json:"refuse,omitempty"`
	// Defaults are set before the params, Set after them. Take are the only params
	// that the write sets.
	Defaults map[string]json.RawMessage `json:"defaults,omitempty"`
	Set      map[string]json.RawMessage `json:"set,omitempty"`
	Take     []string                   `json:"take,omitempty"`
}
