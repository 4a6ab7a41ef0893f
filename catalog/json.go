package catalog

import (
	"encoding/json"
	"io"
	"strings"
)

// The printed form of the catalog: names first, lists never null, what the
// sources do not tell left out.
type (
	jsonKind struct {
		Name          string       `json:"kind"`
		Title         string       `json:"title"`
		System        string       `json:"system"`
		ConnectorType string       `json:"connector_type"`
		DefinitionID  string       `json:"definition_id,omitempty"`
		Source        Source       `json:"source,omitempty"`
		Doc           string       `json:"doc,omitempty"`
		Note          string       `json:"note,omitempty"`
		Notes         []Note       `json:"notes,omitempty"`
		Credentials   []Method     `json:"credentials"`
		Config        []Field      `json:"config"`
		Relations     []Relation   `json:"relations,omitempty"`
		Entities      []jsonEntity `json:"entities"`
	}
	jsonEntity struct {
		Name          string       `json:"name"`
		Key           string       `json:"key,omitempty"`
		Source        Source       `json:"source,omitempty"`
		Doc           string       `json:"doc,omitempty"`
		Note          string       `json:"note,omitempty"`
		Notes         []Note       `json:"notes,omitempty"`
		Record        []Field      `json:"record"`
		RecordPartial bool         `json:"record_partial,omitempty"`
		Search        []Field      `json:"search"`
		SearchUnknown bool         `json:"search_unknown,omitempty"`
		Semantic      *Semantic    `json:"semantic,omitempty"`
		Actions       []jsonAction `json:"actions"`
	}
	jsonAction struct {
		Name              string  `json:"name"`
		Doc               string  `json:"doc,omitempty"`
		Params            []Field `json:"params"`
		ParamsUnknown     bool    `json:"params_unknown,omitempty"`
		FreeBody          bool    `json:"free_body,omitempty"`
		Record            []Field `json:"record,omitempty"`
		Meta              []Field `json:"meta"`
		Rules             []Rule  `json:"rules"`
		Destructive       bool    `json:"destructive"`
		DestructiveSource Source  `json:"destructive_source,omitempty"`
		HostedOnly        bool    `json:"hosted_only,omitempty"`
		Order             string  `json:"order,omitempty"`
		SentAs            string  `json:"sent_as,omitempty"`
		Page              *Page   `json:"page,omitempty"`
		Source            Source  `json:"source,omitempty"`
		Note              string  `json:"note,omitempty"`
		Notes             []Note  `json:"notes,omitempty"`
	}
)

// WriteJSON prints {"connectors": [...]}: the whole catalog, or the kind, entity
// and action named (empty names mean all). Kinds are opened and written one by
// one. The error for an unknown name is an *UnknownError.
func (c *Catalog) WriteJSON(w io.Writer, kind, entity, action string) error {
	names := []string{kind}
	if kind == "" {
		names = nil
		for _, s := range c.Kinds() {
			names = append(names, s.Name)
		}
	}
	if _, err := io.WriteString(w, `{"connectors":[`); err != nil {
		return err
	}
	for i, name := range names {
		data, err := c.kindJSON(name, entity, action)
		if err != nil {
			return err
		}
		if i > 0 {
			data = append([]byte(","), data...)
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "]}\n")
	return err
}

func (c *Catalog) kindJSON(kind, entity, action string) ([]byte, error) {
	k, e, a, err := c.Resolve(kind, entity, action)
	if err != nil {
		return nil, err
	}
	out := jsonKind{Name: k.Name, Title: k.Title, System: k.System, ConnectorType: k.ConnectorType,
		DefinitionID: k.DefinitionID, Source: k.Source, Doc: k.Doc, Note: joinNotes(k.Notes), Notes: k.Notes,
		Credentials: listed(k.Credentials), Config: listed(k.Config), Relations: k.Relations, Entities: []jsonEntity{}}
	for i := range k.Entities {
		if one := &k.Entities[i]; e == nil || one == e {
			out.Entities = append(out.Entities, entityJSON(one, a))
		}
	}
	return json.Marshal(out)
}

func entityJSON(e *Entity, only *Action) jsonEntity {
	out := jsonEntity{Name: e.Name, Key: e.Key, Source: e.Source, Doc: e.Doc, Note: joinNotes(e.Notes), Notes: e.Notes,
		Record: listed(e.Record), RecordPartial: e.RecordPartial, Search: listed(e.Search),
		SearchUnknown: e.SearchUnknown, Semantic: e.Semantic, Actions: []jsonAction{}}
	for i := range e.Actions {
		if a := &e.Actions[i]; only == nil || a == only {
			out.Actions = append(out.Actions, actionJSON(a))
		}
	}
	return out
}

func actionJSON(a *Action) jsonAction {
	return jsonAction{Name: a.Name, Doc: a.Doc, Params: listed(a.Params), ParamsUnknown: a.ParamsUnknown,
		FreeBody: a.FreeBody, Record: a.Record, Meta: listed(a.Meta), Rules: listed(a.Rules),
		Destructive: a.Destructive, DestructiveSource: a.DestructiveSource, HostedOnly: a.HostedOnly,
		Order: a.Order, SentAs: a.SentAs, Page: a.Page, Source: a.Source, Note: joinNotes(a.Notes), Notes: a.Notes}
}

// listed prints no entries as [] instead of null.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func joinNotes(notes []Note) string {
	texts := make([]string, len(notes))
	for i, n := range notes {
		texts[i] = n.Text
	}
	return strings.Join(texts, " ")
}
