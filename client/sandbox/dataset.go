package sandbox

import (
	"encoding/json"
	"strings"
	"time"

	"patchbay/catalog"
)

// dataset is everything behind one connector: tables that are made when they
// are first asked for and change with the writes they receive. Its methods are
// called with the connector's lock held.
type dataset struct {
	kind    *catalog.Kind
	seed    uint64
	anchor  time.Time // the newest moment of generated records
	now     func() time.Time
	size    int // records of an ordinary entity
	tables  map[string]*table
	plans   map[*catalog.Action]*plan
	scopes  map[string][]scope
	fks     map[string]reference
	records map[string][]catalog.Field
	enums   map[string][]json.RawMessage
	recipes map[*catalog.Field]*recipe
	words   map[string]*fieldName
	serial  int // counts created records
}

func newDataset(k *catalog.Kind, seed uint64, size int, now func() time.Time) *dataset {
	return &dataset{
		kind: k, seed: hash(seed, k.Name), anchor: now().UTC().Truncate(24 * time.Hour), now: now, size: size,
		tables: map[string]*table{}, plans: map[*catalog.Action]*plan{}, scopes: map[string][]scope{}, fks: map[string]reference{}, records: map[string][]catalog.Field{}, enums: map[string][]json.RawMessage{}, recipes: map[*catalog.Field]*recipe{}, words: map[string]*fieldName{},
	}
}

// table holds the records of an entity in the order in which a list gives them.
type table struct {
	entity *catalog.Entity
	key    string
	rows   []*record
	byKey  map[string]*record
	// flat caches the encoded parts of all records that searches look at.
	flat map[string]*projection
}

// record is one object of the third party.
type record struct {
	obj *object
	// hidden holds what the record belongs to without saying so: the repository
	// of an issue, the list of a subscriber.
	hidden *object
	// extra holds fields that only the replica has (searchable, not in the record).
	extra *object
	raw   []byte
	n     int
	// at is when the record came to be, for ranges that name no field of it.
	at time.Time
}

// json is the record as it is sent, encoded once per change.
func (r *record) json() []byte {
	if r.raw == nil {
		r.raw = appendObject(nil, r.obj)
	}
	return r.raw
}

// lookup finds a value at a dotted path in the record, then among what it
// hides, then in its replica.
func (r *record) lookup(path string) (any, bool) {
	if v, ok := at(r.obj, path); ok {
		return v, true
	}
	if v, ok := at(r.hidden, path); ok && r.hidden != nil {
		return v, true
	}
	if r.extra != nil {
		return at(r.extra, path)
	}
	return nil, false
}

// sameRecords maps entities that are another view of an entity's records.
func sameRecords(kind, entity string) string {
	switch kind + "." + entity {
	case "payments.invoice_finalizations", "payments.invoice_sends":
		return "invoices"
	case "payments.payment_intent_confirmations", "payments.payment_intent_cancellations":
		return "payment_intents"
	case "issue_tracker.issues_assignee":
		return "issues"
	case "task_management.view_tasks":
		return "tasks"
	case "code_hosting.org_repositories", "code_hosting.viewer_repositories":
		return "repositories"
	case "code_hosting.viewer":
		return "users"
	case "error_tracking.project_detail":
		return "projects"
	case "recruiting.application_attachment":
		return "applications"
	case "recruiting.candidate_attachment":
		return "candidates"
	case "call_recording.call_audio", "call_recording.call_video":
		return "calls"
	}
	return entity
}

func (d *dataset) entity(name string) *catalog.Entity {
	for i := range d.kind.Entities {
		if d.kind.Entities[i].Name == name {
			return &d.kind.Entities[i]
		}
	}
	return nil
}

// base is the entity whose table holds the records of the named one.
func (d *dataset) base(name string) *catalog.Entity {
	if e := d.entity(sameRecords(d.kind.Name, name)); e != nil {
		return e
	}
	return d.entity(name)
}

// table returns the records of an entity, made on first use.
func (d *dataset) table(name string) *table {
	e := d.base(name)
	if e == nil {
		return nil
	}
	if t := d.tables[e.Name]; t != nil {
		return t
	}
	count := d.count(e)
	t := &table{entity: e, key: keyField(e), rows: make([]*record, count), byKey: make(map[string]*record, count)}
	d.tables[e.Name] = t
	for n := range count {
		r := d.make(e, n)
		t.rows[n] = r
		t.byKey[r.obj.text(t.key)] = r
	}
	d.finish(t)
	return t
}

// crowded are entities of which a real account has thousands.
const crowded = " customers charges invoices payment_intents balance_transactions subscriptions issues issue_comments issue_worklogs contacts events orders order_items " +
	"tasks items candidates applications calls calls_extensive alerts incidents incident_updates profiles list_members leads opportunities commits messages activities " +
	"ads_insights pages blocks comments annotations list_financial_events segment_members email_activity unsubscribes pull_requests updates activity_logs notes stargazers repositories org_repositories "

// count is how many records of an entity are generated.
func (d *dataset) count(e *catalog.Entity) int {
	switch d.kind.Name + "." + e.Name {
	case "payments.balance", "task_management.user", "code_hosting.viewer", "social_advertising.current_user":
		return 1
	}
	size := d.size
	if strings.Contains(crowded, " "+e.Name+" ") {
		size *= 8
	} else if d.divided(e) {
		size *= 4
	}
	return size
}

// divided tells entities that can only be listed below a parent. They have more
// records, so that the first parent has plenty.
func (d *dataset) divided(e *catalog.Entity) bool {
	a := e.Action(catalog.ActionList)
	if a == nil {
		return false
	}
	for i := range a.Params {
		if p := &a.Params[i]; p.Required && (scoping(p) || p.Name == "filter") {
			return true
		}
	}
	return false
}

// finish applies what can only be known with all records of a table at hand.
func (d *dataset) finish(t *table) {
	if d.kind.Name == "issue_tracker" && t.entity.Name == "issues" {
		linkSubtasks(t)
	}
}

// find returns the record with the key, by other identifying values too.
func (t *table) find(key string) *record {
	if r := t.byKey[key]; r != nil {
		return r
	}
	for _, r := range t.rows {
		for _, k := range alternateKeys {
			if v, ok := r.obj.get(k); ok && v != nil && k != t.key && asText(v) == key {
				return r
			}
		}
	}
	return nil
}

// alternateKeys are fields by which the vendors accept a record beside its key.
var alternateKeys = []string{"key", "id", "reference", "slug", "account_id", "number", "name", "login", "version"}

// insert puts a new record in front: lists give the newest first.
func (t *table) insert(r *record) {
	t.rows = append([]*record{r}, t.rows...)
	t.byKey[r.obj.text(t.key)] = r
	t.flat = nil
}

// drop removes a record.
func (t *table) drop(r *record) {
	for i := range t.rows {
		if t.rows[i] == r {
			t.rows = append(t.rows[:i:i], t.rows[i+1:]...)
			break
		}
	}
	delete(t.byKey, r.obj.text(t.key))
	t.flat = nil
}

// touch forgets what was encoded of a changed record.
func (t *table) touch(r *record) {
	r.raw = nil
	t.flat = nil
}
