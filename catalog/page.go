package catalog

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"patchbay/client/rawjson"
)

// Page says how the next page of an action is asked for.
type Page struct {
	// Style is cursor, token, link, offset, page, url, last_id or none.
	Style string `json:"style"`
	// Send is the param that carries the next value.
	Send string `json:"send,omitempty"`
	// Alone is set where the third party refuses a call that has other query or body
	// params beside Send: they are then left out.
	Alone bool `json:"alone,omitempty"`
	// Back is the param that asks for the previous page, where there is one.
	Back string `json:"back,omitempty"`
	// Next says where the next value stands in a local answer: a dotted path of the body ("next_page"),
	// "last.FIELD" (that field of the last record), "first.FIELD", "@link.next" (Link header).
	Next string `json:"next,omitempty"`
	// NextIs is "" (the value itself, be it in an address), "url" (the query value named Send of that URL) or
	// "path" (call that path).
	NextIs string `json:"next_is,omitempty"`
	// Also are further params that go with Send, each with the field of the last record that fills it.
	Also []Pair `json:"also,omitempty"`
	// Meta names the meta field of the answer in which Next arrives; empty when the
	// documented meta does not carry the value.
	Meta string `json:"meta,omitempty"`
	// More is the path or meta field that says whether more pages exist. "!isLast" negates.
	More string `json:"more,omitempty"`
	// Size is the param with the page size; Total the path of a total that the answer carries.
	Size  string `json:"size,omitempty"`
	Total string `json:"total,omitempty"`
	// ShortEnds is set where the third party says that a page with fewer records than asked for is the last.
	ShortEnds bool `json:"short_ends,omitempty"`
	// Most is how many records the third party gives at most, however many there are; 0 when it names no bound.
	Most int `json:"most,omitempty"`
	// First is the number of the first page (style page).
	First int `json:"first,omitempty"`
	// DefaultSize is the page size when Size is not given; 0 when unknown.
	DefaultSize int    `json:"default_size,omitempty"`
	Source      Source `json:"source,omitempty"`
}

// Replaces reports whether a param is left out where Send is given, as that stands for it.
func (p *Page) Replaces(f *Field) bool {
	return p.Alone && f.Name != p.Send && (f.In == "query" || f.In == "body")
}

// WithoutReplaced leaves out of the params of an action what Send stands for, where it is
// given. Names of the wire are known too.
func (a *Action) WithoutReplaced(params json.RawMessage) json.RawMessage {
	if a.Page == nil || !a.Page.Alone {
		return params
	}
	kept, alone := &rawjson.Map{}, false
	for m := range rawjson.Parse(params).Members() {
		f := FieldByName(a.Params, m.Key())
		if f != nil && a.Page.Replaces(f) {
			continue
		}
		alone = alone || f != nil && f.Name == a.Page.Send && m.Value.Kind() != rawjson.Null && m.Value.Text() != ""
		kept.Add(m.Key(), json.RawMessage(m.Value.Raw()))
	}
	if !alone {
		return params
	}
	return kept.JSON()
}

// NextIsLost reports whether what asks for the next page stands in a part of the third
// party's answer that the hosted service does not hand on: it gives the records and the
// documented meta.
func (a *Action) NextIsLost() bool {
	p := a.Page
	if p == nil || p.Style == "none" || p.Meta != "" || p.Next == "" || a.Binding == nil || a.Binding.Records == "" {
		return false
	}
	last := p.Next[strings.LastIndexByte(p.Next, '.')+1:]
	return p.Next[0] != '@' && !strings.HasPrefix(p.Next, "last.") && !strings.HasPrefix(p.Next, "first.") &&
		FieldByName(a.Meta, last) == nil
}

// Words says how pages follow each other, one sentence each.
func (p *Page) Words() []string {
	if p.Style == "none" || p.Style == "" {
		return append([]string{"There is one page."}, p.bounds()...)
	}
	var words []string
	if p.Send != "" {
		text := p.Send + " = " + p.nextWords()
		for _, also := range p.Also {
			text += ", " + also.Name + " = its " + also.Value
		}
		if p.Alone {
			text += ", and no other param"
		}
		words = append(words, "Next page: "+text+".")
	} else if p.Next != "" {
		words = append(words, "Next page: call "+p.nextWords()+".")
	}
	if p.Back != "" {
		back := "the value that the answer carries for it"
		if field, ok := strings.CutPrefix(p.Next, "last."); ok {
			back = field + " of the first record"
		}
		words = append(words, "Previous page: "+p.Back+" = "+back+".")
	}
	if field, negated := strings.CutPrefix(p.More, "!"); field != "" {
		words = append(words, fmt.Sprintf("More pages exist while %s is %v.", field, !negated))
	}
	if p.Size != "" {
		text := "Page size: " + p.Size
		if p.DefaultSize > 0 {
			text += ", " + strconv.Itoa(p.DefaultSize) + " when left out"
		}
		words = append(words, text+".")
	}
	return append(words, p.bounds()...)
}

// bounds says what is known of the number of all records.
func (p *Page) bounds() []string {
	var words []string
	if p.Total != "" {
		words = append(words, "The answer tells the total in "+p.Total+".")
	}
	if p.Most > 0 {
		words = append(words, "At most "+strconv.Itoa(p.Most)+" records can be had.")
	}
	return words
}

func (p *Page) nextWords() string {
	if field, ok := strings.CutPrefix(p.Next, "last."); ok {
		return field + " of the last record"
	}
	switch {
	case p.Next == "" && p.Style == "offset":
		return "number of records read so far"
	case p.Next == "" && p.Style == "page":
		return "number of the page after this one, from " + strconv.Itoa(p.First)
	}
	where := p.Next
	if p.Meta != "" {
		where = "meta." + p.Meta
	}
	switch {
	case where == "":
		return "a value that the answer does not carry"
	case p.Meta == "" && strings.HasPrefix(where, "@link."):
		where = "the Link header (" + strings.TrimPrefix(where, "@link.") + ")"
	}
	switch p.NextIs {
	case "url":
		return "the value of the same name in the address at " + where
	case "path":
		return "the path at " + where
	}
	return where + " of the answer"
}
