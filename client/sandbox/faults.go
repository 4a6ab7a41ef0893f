package sandbox

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// The faults that the service can show.
const (
	FaultExpiredToken = "expired-token" // 401: the token has ended
	FaultWrongOrg     = "wrong-organization"
	FaultMissingScope = "missing-scope"     // 403 for the entity in Arg (charges)
	FaultRateLimit    = "rate-limit"        // every other call is 429, Retry-After: Arg seconds (1)
	FaultErrorOnce    = "error-once"        // the first call is 500, the next ones fine
	FaultSlow         = "slow"              // the first byte comes after Arg (3s)
	FaultCut          = "cut-body"          // the connection breaks in the middle of the body
	FaultHTML         = "html"              // a page instead of JSON
	FaultContentType  = "content-type"      // JSON that says it is text/plain
	FaultGzip         = "gzip"              // compressed, whether asked for or not
	FaultInvalidUTF8  = "invalid-utf8"      // bytes that are not UTF-8 inside texts
	FaultHuge         = "huge"              // an answer of Arg megabytes (50)
	FaultRepeat       = "repeat-cursor"     // the next cursor is the one that was sent
	FaultOverlap      = "overlapping-pages" // each page repeats the end of the last one
	FaultIgnoreLimit  = "ignore-limit"      // pages hold more than was asked for
	FaultNoCursor     = "no-cursor"         // has_more without a cursor
	FaultNoFlag       = "cursor-no-flag"    // a cursor beside has_more: false
	FaultLoop         = "loop"              // the third page is the first one again
	FaultShort        = "short-pages"       // pages after the first hold fewer records than asked for
	FaultEmpty        = "empty-page"        // the second page has no records
	FaultOrder        = "mixed-order"       // pages after the first are sorted the other way round
	FaultSchema       = "schema"            // records outside the documented schema
)

// Fault is one way in which the service misbehaves.
type Fault struct {
	Name string
	// Arg refines it; empty means the usual value.
	Arg string
}

// FaultNames lists every fault, in the order in which help shows them.
func FaultNames() []string {
	return []string{FaultExpiredToken, FaultWrongOrg, FaultMissingScope, FaultRateLimit, FaultErrorOnce, FaultSlow,
		FaultCut, FaultHTML, FaultContentType,
		FaultGzip, FaultInvalidUTF8, FaultHuge, FaultRepeat, FaultOverlap, FaultIgnoreLimit, FaultNoCursor,
		FaultNoFlag, FaultLoop, FaultShort, FaultEmpty, FaultOrder, FaultSchema}
}

// ParseFaults reads "NAME=ARG,NAME": the value of --fault.
func ParseFaults(text string) ([]Fault, error) {
	var out []Fault
	for part := range strings.SplitSeq(text, ",") {
		name, arg, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name == "" {
			continue
		}
		if !slices.Contains(FaultNames(), name) {
			return nil, fmt.Errorf("no fault is called %q; choose from %s", name, strings.Join(FaultNames(), ", "))
		}
		var err error
		switch {
		case arg == "":
		case name == FaultSlow:
			_, err = time.ParseDuration(arg)
		case name == FaultRateLimit, name == FaultHuge:
			_, err = strconv.ParseUint(arg, 10, 16)
		}
		if err != nil {
			return nil, fmt.Errorf("the fault %s does not take %q: give it a number, or a duration such as 3s for %s",
				name, arg, FaultSlow)
		}
		out = append(out, Fault{Name: name, Arg: arg})
	}
	return out, nil
}

// refusal is the status with which a fault refuses an entity, whoever holds the
// credentials of the connector, and why; 0 for an entity that it leaves alone.
func (f Fault) refusal(entity string) (status int, why string) {
	switch {
	case f.Name == FaultExpiredToken:
		return http.StatusUnauthorized, "The credentials of the connector have expired."
	case f.Name == FaultWrongOrg:
		return http.StatusForbidden,
			"The connector belongs to another organization than the one in X-Organization-Id."
	case f.Name == FaultMissingScope && entity == f.scopeEntity():
		return http.StatusForbidden,
			"The credentials of the connector lack the scope for " + entity + "; grant it at the third party."
	}
	return 0, ""
}

func (f Fault) scopeEntity() string { return cmp.Or(f.Arg, "charges") }

func (f Fault) number(def int) int {
	if n, err := strconv.Atoi(f.Arg); err == nil && n >= 0 {
		return n
	}
	return def
}

func (c *call) fault(name string) (Fault, bool) {
	i := slices.IndexFunc(c.faults, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		return Fault{}, false
	}
	return c.faults[i], true
}

// before shows the faults that refuse a call.
func (c *call) before(entity string) {
	calls := c.target.calls
	for _, f := range c.faults {
		calls[f.Name]++
		switch {
		case f.Name == FaultExpiredToken:
			panic(unauthorized("The bearer token has expired."))
		case f.Name == FaultWrongOrg:
			status, why := f.refusal(entity)
			panic(refuse(status, "%s", why))
		case f.Name == FaultMissingScope && entity == f.scopeEntity():
			status, why := f.refusal(entity)
			panic(refuseField(status, "", "missing_scope", "%s", why))
		case f.Name == FaultRateLimit && calls[f.Name]%2 == 1:
			r := refuse(http.StatusTooManyRequests, "Too many requests; try again later.")
			r.header = [][2]string{{"Retry-After", strconv.Itoa(f.number(1))}}
			panic(r)
		case f.Name == FaultErrorOnce && calls[f.Name] == 1:
			panic(refuse(http.StatusInternalServerError,
				"The third party failed; the call may succeed when it is made again."))
		}
	}
}

// writeFaulty writes an answer, spoiled as the faults want.
func (c *call) writeFaulty(a *answer) {
	if a.status == http.StatusOK {
		c.spoil(a)
	}
	if f, on := c.fault(FaultSlow); on {
		d, err := time.ParseDuration(f.Arg)
		if err != nil {
			d = 3 * time.Second
		}
		select {
		case <-time.After(d):
		case <-c.r.Context().Done(): // nobody waits for it any more
			return
		}
	}
	h := c.w.Header()
	h.Set("Server-Timing", fmt.Sprintf("app;dur=%.3f", c.s.opts.Now().Sub(c.started).Seconds()*1000))
	if _, on := c.fault(FaultGzip); on {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(a.body)
		_ = z.Close()
		a.body = b.Bytes()
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(a.body)))
	c.w.WriteHeader(a.status)
	if _, on := c.fault(FaultCut); on && a.status == http.StatusOK {
		_, _ = c.w.Write(a.body[:len(a.body)/2])
		if f, canFlush := c.w.(http.Flusher); canFlush {
			f.Flush()
		}
		c.abort = true
		return
	}
	// The client may be gone; nothing is left to tell it then.
	_, _ = c.w.Write(a.body)
}

// spoil changes the body of a good answer.
func (c *call) spoil(a *answer) {
	for _, f := range c.faults {
		switch f.Name {
		case FaultHTML:
			a.body = []byte("<!DOCTYPE html>\n<html><head><title>Sign in to the " +
				"network</title></head><body><h1>Welcome</h1><p>Please sign in to use this " +
				"network.</p></body></html>\n")
			c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		case FaultContentType:
			c.w.Header().Set("Content-Type", "text/plain")
		case FaultInvalidUTF8:
			a.body = bytes.ReplaceAll(a.body, []byte(" "), []byte(" \xff\xc3("))
		case FaultHuge:
			a.body = inflate(a.body, f.number(50)<<20)
		case FaultSchema:
			a.body = stray(a.body)
		}
	}
}

// inflate repeats the records of an answer until it has the size.
func inflate(body []byte, size int) []byte {
	start := bytes.Index(body, []byte(`":[{`))
	end := bytes.LastIndex(body, []byte("}]"))
	if start < 0 || end < start {
		return body
	}
	records := body[start+3 : end+1]
	out := make([]byte, 0, size+len(body))
	out = append(out, body[:end+1]...)
	for len(out) < size {
		out = append(append(out, ','), records...)
	}
	if out = append(out, body[end+1:]...); rawjson.Valid(out) {
		return out
	}
	return append(body, bytes.Repeat([]byte{' '}, size)...) // no list of records lies in it
}

// stray moves records out of their schema: an unknown member, a number as text,
// a text as an object, a missing identifier.
func stray(body []byte) []byte {
	v, err := data.Parse(body)
	root, _ := v.(*rawjson.Map)
	list, isList := root.Value("result").([]any)
	if !isList {
		list, isList = root.Value("data").([]any)
	}
	if err != nil || !isList {
		return body
	}
	for i, e := range list {
		o, isObject := e.(*rawjson.Map)
		if !isObject {
			continue
		}
		o.Set("x_unannounced", rawjson.NewMap("since", "v2", "items", []any{int64(i)}))
		for j, v := range o.Vals {
			switch v := v.(type) {
			case int64:
				if i%3 == 0 {
					o.Vals[j] = strconv.FormatInt(v, 10)
				}
			case string:
				if i%5 == 4 && j > 0 {
					o.Vals[j] = rawjson.NewMap("value", v)
				}
			}
		}
		if i%7 == 6 {
			o.Remove("id")
		}
	}
	return rawjson.Encode(root)
}
