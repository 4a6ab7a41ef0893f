package payload

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// readers are the forms of a call that are read and not written, before the formats.
func readers() []Format {
	return []Format{
		{Name: "har", Title: "an entry of a HAR file", Match: matchHAR, Parse: parseHAR},
		{Name: "httpie", Title: "an HTTPie command", Match: matchHTTPie, Parse: parseHTTPie},
		{Name: "fetch", Title: "a fetch of JavaScript", Match: fetches.MatchString, Parse: parseFetch},
	}
}

// entries are those of a HAR text: a whole file, an entry, or a request alone.
func entries(text string) []rawjson.Node {
	root := rawjson.Parse([]byte(trimText(text)))
	if root.Kind() != rawjson.Object {
		return nil
	}
	var out []rawjson.Node
	if list, ok := root.Lookup(rawjson.MustPath("log.entries")); ok {
		for entry := range list.Elems() {
			out = append(out, entry)
		}
		return out
	}
	return append(out, root)
}

// requestOf is the request of an entry.
func requestOf(entry rawjson.Node) (request rawjson.Node, ok bool) {
	if inner, has := entry.Get("request"); has {
		entry = inner
	}
	_, hasURL := entry.Get("url")
	_, hasMethod := entry.Get("method")
	return entry, hasURL && hasMethod
}

func matchHAR(text string) bool {
	if !matchJSON(text) {
		return false
	}
	for _, entry := range entries(text) {
		if _, ok := requestOf(entry); ok {
			return true
		}
	}
	return false
}

// parseHAR reads the first call of the service among the entries.
func parseHAR(text string) (Parsed, error) {
	if err := validJSON([]byte(trimText(text))); err != nil {
		return Parsed{}, err
	}
	var calls []rawjson.Node
	for _, entry := range entries(text) {
		r, ok := requestOf(entry)
		method, _ := r.Get("method")
		address, _ := r.Get("url")
		if _, _, err := connectorOf(address.Text()); ok && err == nil && method.Text() == "POST" {
			calls = append(calls, r)
		}
	}
	if len(calls) == 0 {
		return Parsed{}, errors.New("no entry calls the service: none is a POST to .../integrations/connectors or " +
			".../integrations/connectors/ID/execute")
	}
	address, _ := calls[0].Get("url")
	body, has := calls[0].Lookup(rawjson.MustPath("postData.text"))
	if !has {
		return Parsed{}, errors.New("the entry has no postData.text: save the HAR with the bodies of requests")
	}
	organization := ""
	headers, _ := calls[0].Get("headers")
	for h := range headers.Elems() {
		name, _ := h.Get("name")
		if value, ok := h.Get("value"); ok && strings.EqualFold(name.Text(), organizationHeader) {
			organization = value.Text()
		}
	}
	p, err := fromHTTP(address.Text(), body.Text(), organization)
	if n := len(calls); n > 1 {
		p.Notes = append(p.Notes, fmt.Sprintf("The file holds %d calls of the service; this is the first.", n))
	}
	return p, err
}

// fetches finds the calls of fetch.
var fetches = regexp.MustCompile(`\bfetch\s*\(`)

// parseFetch reads fetch(address, {method, headers, body}).
func parseFetch(text string) (Parsed, error) {
	err := errors.New("fetch has no literal address of the service")
	for _, at := range fetches.FindAllStringIndex(text, maxCalls) {
		p := javaScript.at(text, at[1]-1)
		args, wrong := p.call(func(string) bool { return true })
		if wrong != nil {
			return Parsed{}, p.where(wrong)
		}
		address := args.text("0")
		if _, _, wrong = connectorOf(address); wrong != nil {
			if address != "" {
				err = wrong
			}
			continue
		}
		options, _ := args.get("1")
		init := rawjson.Parse([]byte(options))
		body, has := init.Get("body")
		if !has || body.Kind() != rawjson.String {
			return Parsed{}, p.where(errors.New("fetch has no literal body: it needs JSON.stringify of entity, " +
				"action and params"))
		}
		headers, _ := init.Get("headers")
		return fromHTTP(address, body.Text(), organizationOf(headers.Raw()))
	}
	return Parsed{}, err
}

func isHTTPie(word string) bool {
	return slices.Contains([]string{"http", "https", "xh", "xhs"}, path.Base(word))
}

func matchHTTPie(text string) bool {
	for word := range strings.FieldsSeq(cleanShell(text)) {
		switch {
		case isHTTPie(word) && !strings.Contains(word, "://"):
			return true
		case !strings.Contains(word, "=") && word != "echo":
			return strings.Contains(text, "| http ") || strings.Contains(text, "| https ")
		}
	}
	return false
}

// httpie is an HTTPie command taken apart.
type httpie struct {
	url, raw, organization string
	body                   *rawjson.Map
}

// httpieValues are the options of HTTPie that take a value.
var httpieValues = strings.Fields(`auth a auth-type A bearer print p output o session session-read-only timeout
	proxy verify cert cert-key style s pretty format-options max-redirects default-scheme boundary ssl`)

func parseHTTPie(text string) (Parsed, error) {
	calls, err := shellCalls(text)
	if err != nil {
		return Parsed{}, err
	}
	h := httpie{body: &rawjson.Map{}}
	for i, words := range calls {
		at := slices.IndexFunc(words, isHTTPie)
		if at < 0 {
			continue
		}
		if i > 0 && calls[i-1][0] == "echo" { // echo BODY | http URL
			h.raw = strings.Join(calls[i-1][1:], " ")
		}
		if err := h.read(words[at+1:]); err != nil {
			return Parsed{}, err
		}
		break
	}
	if h.raw == "" && h.body.Len() > 0 {
		h.raw = string(h.body.JSON())
	}
	if h.raw == "" {
		return Parsed{}, errors.New("the command sends no body: it needs entity=TEXT, action=TEXT and params:=JSON")
	}
	return fromHTTP(h.url, h.raw, h.organization)
}

// read takes the words behind the program apart.
func (h *httpie) read(words []string) error {
	for i := 0; i < len(words); i++ {
		name, value, has := strings.Cut(words[i], "=")
		option := strings.TrimLeft(name, "-")
		switch {
		case option == name || option == "":
			if err := h.item(words[i]); err != nil {
				return err
			}
			continue
		case option == "form" || option == "f" || option == "multipart":
			return errors.New("HTTPie's --" + option + " sends a form; the service takes JSON")
		case option != "raw" && (has || !slices.Contains(httpieValues, option)):
			continue
		}
		if !has {
			if i++; i >= len(words) {
				return fmt.Errorf("the option %s of HTTPie stands without a value", name)
			}
			value = words[i]
		}
		if option == "raw" {
			h.raw = value
		}
	}
	return nil
}

// separators are what stands between name and value of an item, the longest first:
// JSON, a param of the address, a file, a text, a header.
var separators = []string{":=@", "=@", ":=", "==", "=", "@", ":"}

// item takes a word that is no option: the method, the address, or an item of the request.
func (h *httpie) item(word string) error {
	if h.url == "" {
		if strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			h.url = word
		}
		return nil
	}
	at, found := len(word), ""
	for _, s := range separators {
		if i := strings.Index(word, s); i > 0 && (i < at || i == at && len(s) > len(found)) {
			at, found = i, s
		}
	}
	if found == "" {
		return fmt.Errorf("the item %q has no value", shorten(word))
	}
	name, value := word[:at], word[at+len(found):]
	switch found {
	case ":=@", "=@", "@":
		return fmt.Errorf("the item %s comes from a file that is not part of the text: write it out", shorten(name))
	case "==":
		return nil
	case ":":
		if strings.EqualFold(name, organizationHeader) {
			h.organization = strings.TrimSpace(value)
		}
		return nil
	case "=":
		return h.set(name, string(rawjson.AppendQuoted(nil, value)))
	}
	if err := validJSON([]byte(value)); err != nil {
		return fmt.Errorf("the item %s: %w", shorten(name), err)
	}
	return h.set(name, value)
}

// set puts a value where a name such as params[query][limit] points; [] adds to a list.
func (h *httpie) set(name, value string) error {
	head, rest, nested := strings.Cut(name, "[")
	steps := []string{head}
	if nested {
		steps = append(steps, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
	}
	at := h.body
	for i, step := range steps {
		if i == len(steps)-1 {
			at.Set(step, rawjson.Parse([]byte(value)).Value())
			break
		}
		if steps[i+1] == "" {
			list, _ := at.Value(step).([]any)
			at.Set(step, append(list, rawjson.Parse([]byte(value)).Value()))
			break
		}
		inner, ok := at.Value(step).(*rawjson.Map)
		if !ok && at.Has(step) {
			return fmt.Errorf("the item %s is a value and an object at once", shorten(name))
		}
		if !ok {
			inner = &rawjson.Map{}
			at.Set(step, inner)
		}
		at = inner
	}
	return nil
}
