package local

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"patchbay/client/rawjson"
)

// pager is how a third party pages one list; testdata/paging/README.md tells the keys.
type pager struct {
	Style, Send, Size, Records, Next, End, More, Last, Total string

	At, Leaks, Cannot    string
	NextAs               string `json:"next_as"`
	Default, Max, Most   int
	First                int
	Single, Alone        bool
	Also, Always         map[string]string
	Pages                string // the set of keys that it begins with
	name, entity, action string
	key                  string
}

// readPagers reads how the lists of a kind are paged.
func readPagers(t *testing.T, kind string) map[string]*pager {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "paging", kind+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Kind         string
		Pages, Lists map[string]any
	}
	if err := yaml.Unmarshal(data, &file); err != nil || file.Kind != kind {
		t.Fatalf("%s: %v, of kind %q", kind, err, file.Kind)
	}
	out := map[string]*pager{}
	for name, row := range file.Lists {
		if shared, is := row.(string); is {
			row = map[string]any{"pages": shared}
		}
		p := &pager{name: name, End: "absent"}
		overlay(t, row, p)
		if p.Pages != "" {
			*p = pager{name: name, End: "absent"}
			overlay(t, file.Pages[row.(map[string]any)["pages"].(string)], p)
			overlay(t, row, p)
		}
		p.entity, p.action, _ = strings.Cut(name, ".")
		for _, place := range []*string{&p.Records, &p.Next, &p.More, &p.Total} {
			*place = strings.ReplaceAll(*place, "{at}", p.At)
		}
		out[name] = p
	}
	return out
}

// overlay decodes what YAML holds over what is there; unknown keys are wrong.
func overlay(t *testing.T, from any, to *pager) {
	t.Helper()
	data, err := json.Marshal(from)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err == nil {
		err = dec.Decode(to)
	}
	if err != nil || from == nil {
		t.Fatalf("%s: %v: %s", to.name, err, data)
	}
}

// standIn is a third party with rows records in one list.
type standIn struct {
	*pager
	up   *upstream
	call recorded // what is asked of it, but for the pages
	rows int
	// How it differs from what its vendor's documentation promises.
	limit    int  // the largest page it gives; 0 for the documented one
	total    int  // the total it tells; 0 for the true one
	deaf     bool // it does not know the param for the next page
	mute     bool // it never tells the next value
	foreign  bool // its answers lack the place of the records
	restless bool // it gives a next value on the last page, too
	asked    int
	kept     int // the size of a page that its token stands for
	wrong    []string
}

func (s *standIn) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	status, header, answer := http.StatusOK, http.Header{}, []byte(nil)
	if address := *r.URL; s.up.Token != nil && address.String() == s.up.Token.URL {
		answer = s.up.Token.Answer
	} else if page, err := s.page(r, body); err != nil {
		s.wrong = append(s.wrong, err.Error())
		status, answer = http.StatusBadRequest, []byte(`{"error":{"message":"refused"}}`)
	} else {
		answer = page.body(header)
	}
	header.Set("Content-Type", "application/json")
	return &http.Response{StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Request: r, Body: io.NopCloser(bytes.NewReader(answer)), ContentLength: int64(len(answer))}, nil
}

// answerPage is the part of the records that an answer holds.
type answerPage struct {
	*standIn
	from, to, size int
	number         int
	address        string // what was called, without its query
	params         map[string]any
}

// page reads a request; it refuses what its vendor does not document.
func (s *standIn) page(r *http.Request, body []byte) (*answerPage, error) {
	s.asked++
	address := *r.URL
	address.RawQuery = ""
	p := &answerPage{standIn: s, address: s.call.Request.URL}
	for _, secret := range s.up.Credentials {
		if len(secret) > 4 && strings.Contains(r.URL.RawQuery, url.QueryEscape(secret)) {
			return nil, fmt.Errorf("a credential stands in the address %s", r.URL)
		}
	}
	if rest, is := strings.CutPrefix(address.String(), s.call.Request.URL+"/"); is && s.NextAs == "path" {
		p.params = map[string]any{}
		return p, p.cut(rest)
	}
	if r.Method != s.call.Request.Method || address.String() != s.call.Request.URL {
		return nil, fmt.Errorf("asked for %s %s", r.Method, address.String())
	}
	given, err := s.params(r, body)
	if err != nil {
		return nil, err
	}
	fixed, err := s.fixed()
	if err != nil {
		return nil, err
	}
	p.params = given
	if s.Alone && given[s.Send] != nil {
		if fixed = nil; len(given) > 1 {
			return nil, fmt.Errorf("%s does not go alone: %v", s.Send, given)
		}
	}
	for name, value := range given {
		_, also := s.Also[name]
		paging := name != "" && (name == s.Send || name == s.Size || also)
		if want, known := fixed[name]; !paging && (!known || !sameValue(want, value)) {
			return nil, fmt.Errorf("unknown param or value: %s = %v", name, value)
		}
	}
	for name := range fixed {
		if _, there := given[name]; !there && name != s.Send && name != s.Size {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	send, _ := given[s.Send]
	if s.deaf || s.Send == "" {
		send = nil
	}
	return p, p.cut(send)
}

// params are those of the query, of the body, or the variables of a document that is the one expected.
func (s *standIn) params(r *http.Request, body []byte) (map[string]any, error) {
	out := map[string]any{}
	for name, values := range r.URL.Query() {
		if out[name] = values[0]; len(values) > 1 {
			return nil, fmt.Errorf("%s is given %d times", name, len(values))
		}
	}
	if len(body) == 0 {
		return out, nil
	}
	if g := s.call.Request.GraphQL; g != nil {
		var sent struct {
			Query     string
			Variables map[string]any
		}
		if err := json.Unmarshal(body, &sent); err != nil || canonicalQuery(sent.Query) != canonicalQuery(g.Query) {
			return nil, fmt.Errorf("another document: %v: %s", err, body)
		}
		return sent.Variables, nil
	}
	return out, json.Unmarshal(body, &out)
}

// fixed are the params that every page is asked with.
func (s *standIn) fixed() (map[string]any, error) {
	out, w := map[string]any{}, s.call.Request
	for _, pair := range w.Query {
		out[pair[0]] = pair[1]
	}
	for _, data := range []json.RawMessage{w.JSON, variablesOf(w)} {
		if len(data) > 0 {
			if err := json.Unmarshal(data, &out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func variablesOf(w wanted) json.RawMessage {
	if w.GraphQL == nil {
		return nil
	}
	return w.GraphQL.Variables
}

func sameValue(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// cut finds the page that is asked for.
func (p *answerPage) cut(send any) error {
	size, given := p.params[p.Size]
	p.size = p.Default
	if given && p.Size != "" {
		p.size, _ = strconv.Atoi(fmt.Sprint(size))
	}
	if p.Alone && send != nil {
		p.size = p.kept
	}
	p.kept = p.size
	if p.Style == "all" {
		p.size = p.rows
	}
	if p.Most > 0 {
		p.size = min(p.size, p.Most)
	}
	if p.size < 1 {
		return fmt.Errorf("%s must be given, and positive", p.Size)
	}
	for _, most := range []int{p.Max, p.limit} {
		if most > 0 && p.Style != "all" {
			p.size = min(p.size, most)
		}
	}
	if p.Single {
		p.size = 1
	}
	text := fmt.Sprint(send)
	n, err := strconv.Atoi(strings.TrimPrefix(text, "c"))
	p.number = p.First
	switch {
	case send == nil:
		n, err = 0, nil
	case p.Style == "after":
		n, err = p.behind(text)
	case p.Style == "cursor" && !strings.HasPrefix(text, "c"), err != nil, n < 0, p.Style == "all":
		return fmt.Errorf("%s = %v is none that was given", p.Send, send)
	case p.Style == "number":
		p.number = n
		n = (n - p.First) * p.size
	}
	p.from = min(n, p.rows)
	p.to = min(p.from+p.size, p.rows)
	return err
}

// behind is the place behind a record.
func (p *answerPage) behind(id string) (int, error) {
	for i := range p.rows {
		record := p.record(i)
		if record["id"] != id {
			continue
		}
		for name, field := range p.Also {
			if !sameValue(p.params[name], record[field]) {
				return 0, fmt.Errorf("%s = %v does not go with %s", name, p.params[name], id)
			}
		}
		return i + 1, nil
	}
	return 0, fmt.Errorf("no record %q", id)
}

func (p *answerPage) record(i int) map[string]any {
	out := map[string]any{"id": fmt.Sprintf("r%02d", i), "name": fmt.Sprintf("record %d", i)}
	if p.key != "" {
		out[p.key] = out["id"]
	}
	for _, field := range p.Also {
		out[field] = strconv.Itoa(1700000000000 - i)
	}
	return out
}

// body writes the answer.
func (p *answerPage) body(header http.Header) []byte {
	records := []any{}
	for i := p.from; i < p.to; i++ {
		records = append(records, p.record(i))
	}
	var value, root any = records, map[string]any{}
	if p.Single && len(records) > 0 {
		value = records[0]
	}
	switch {
	case p.foreign:
		root = set(root, "unexpected", records)
	case p.Records == "":
		root = value
	default:
		root = set(root, p.Records, value)
	}
	more := p.to < p.rows || p.restless && p.to > p.from
	flags := map[string]any{p.More: more, p.Last: !more, p.Total: p.rows}
	if p.total > 0 {
		flags[p.Total] = p.total
	}
	for place, v := range flags {
		if place != "" && place[0] != '@' {
			root = set(root, place, v)
		}
	}
	for place, v := range p.Always {
		root = set(root, place, v)
	}
	root = p.next(root, header, more)
	out, _ := json.Marshal(root)
	return out
}

// next puts the next value where it belongs.
func (p *answerPage) next(root any, header http.Header, more bool) any {
	var value any
	switch {
	case p.Next == "" || p.mute:
		return root
	case more || p.End == "last":
		value = p.token()
	case p.End == "absent":
		return root
	case p.End == "empty":
		value = ""
	}
	if p.Next != "@link.next" {
		return set(root, p.Next, value)
	}
	link := fmt.Sprintf(`<%s>; rel="next"`, value)
	if p.More != "" {
		link += fmt.Sprintf(`; results="%v"`, more)
	}
	header.Set("Link", link+fmt.Sprintf(`, <%s?page=9>; rel="last"`, p.address))
	return root
}

func (p *answerPage) token() string {
	token := "c" + strconv.Itoa(p.to)
	switch p.Style {
	case "offset":
		token = strconv.Itoa(p.to)
	case "number":
		token = strconv.Itoa(p.number + 1)
	}
	u, _ := url.Parse(p.address)
	switch p.NextAs {
	case "":
		return token
	case "path":
		return u.EscapedPath() + "/" + token
	}
	query := url.Values{p.Send: {token}}
	for name, v := range p.params {
		if name != p.Send {
			query.Set(name, fmt.Sprint(v))
		}
	}
	if p.Leaks != "" {
		for _, secret := range p.up.Credentials {
			query.Set(p.Leaks, secret)
		}
	}
	if p.NextAs == "relative" {
		return u.EscapedPath() + "?" + query.Encode()
	}
	return p.address + "?" + query.Encode()
}

// set puts a value at a place, making what is missing on the way.
func set(root any, place string, value any) any {
	path, err := rawjson.ParsePath(place)
	if err != nil {
		panic(err)
	}
	return setAt(root, path, value)
}

func setAt(at any, path rawjson.Path, value any) any {
	if len(path) == 0 {
		return value
	}
	if path[0].IsIndex() {
		list, _ := at.([]any)
		if len(list) == 0 {
			list = []any{nil}
		}
		list[0] = setAt(list[0], path[1:], value)
		return list
	}
	object, _ := at.(map[string]any)
	if object == nil {
		object = map[string]any{}
	}
	object[path[0].Name] = setAt(object[path[0].Name], path[1:], value)
	return object
}
