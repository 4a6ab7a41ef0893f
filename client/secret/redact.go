package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// shortest is the length below which a value is not searched for in free text:
// replacing "ab" everywhere would destroy the text and hide nothing.
const shortest = 4

// Redactor replaces the secrets it knows, in every form they travel in, and
// whatever stands under a name that holds secrets. The zero value knows no
// values and still redacts by name. It is safe for concurrent use.
type Redactor struct {
	mu       sync.RWMutex
	forms    map[string]struct{}
	replacer *strings.Replacer
}

// Add makes the redactor know more secrets.
func (r *Redactor) Add(secrets ...Secret) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.forms)
	if r.forms == nil {
		r.forms = map[string]struct{}{}
	}
	for _, s := range secrets {
		if len(s.value) >= shortest {
			r.addForms(s.value)
		}
	}
	if len(r.forms) != before {
		r.replacer = newReplacer(r.forms)
	}
}

func (r *Redactor) addForms(v string) {
	for _, form := range forms(v) {
		r.forms[form] = struct{}{}
	}
}

// forms lists the spellings in which a value crosses the wire.
func forms(v string) []string {
	raw := []byte(v)
	quoted, _ := json.Marshal(v)
	plain := strings.Trim(string(quoted), `"`)
	out := []string{
		v, plain, url.QueryEscape(v), url.PathEscape(v),
		hex.EncodeToString(raw),
		base64.StdEncoding.EncodeToString(raw), base64.URLEncoding.EncodeToString(raw),
		base64.RawStdEncoding.EncodeToString(raw), base64.RawURLEncoding.EncodeToString(raw),
	}
	return append(out, embedded(v)...)
}

// embedded lists the stable middle of the base64 of any text that contains v,
// such as "user:v": base64 packs three bytes at a time, so v can start at three
// offsets, and the characters that its neighbours influence are cut off.
func embedded(v string) []string {
	const minimum = 8
	if len(v) < minimum {
		return nil
	}
	var out []string
	for offset := range 3 {
		padded := append(make([]byte, offset), v...)
		from := (offset*8 + 5) / 6
		to := len(padded) * 8 / 6
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			out = append(out, enc.EncodeToString(padded)[from:to])
		}
	}
	return out
}

// newReplacer puts longer forms first, so that a form within another one does
// not leave the rest of the longer one behind.
func newReplacer(forms map[string]struct{}) *strings.Replacer {
	sorted := make([]string, 0, len(forms))
	for f := range forms {
		sorted = append(sorted, f)
	}
	slices.SortFunc(sorted, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	pairs := make([]string, 0, 2*len(sorted))
	for _, f := range sorted {
		pairs = append(pairs, f, Mark)
	}
	return strings.NewReplacer(pairs...)
}

// Text replaces known secrets in s.
func (r *Redactor) Text(s string) string {
	if r == nil {
		return s
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.replacer == nil {
		return s
	}
	return r.replacer.Replace(s)
}

// Header returns the value of a header as it may be shown. The scheme of an
// Authorization header stays.
func (r *Redactor) Header(name, value string) string {
	if !SensitiveHeader(name) {
		return r.Text(value)
	}
	scheme, _, found := strings.Cut(value, " ")
	if found && isScheme(scheme) {
		return scheme + " " + Mark
	}
	return Mark
}

func isScheme(s string) bool {
	switch strings.ToLower(s) {
	case "bearer", "basic", "token", "digest", "apikey", "negotiate":
		return true
	}
	return false
}

// URL returns an address as it may be shown: no password, no secret query
// value, no known secret. An address that cannot be parsed loses its query.
func (r *Redactor) URL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "?")
		return r.Text(before)
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "secret")
	}
	u.RawQuery = r.query(u.RawQuery)
	return r.Text(u.String())
}

// query keeps the order and spelling of a raw query or form body.
func (r *Redactor) query(raw string) string {
	if raw == "" {
		return raw
	}
	parts := strings.Split(raw, "&")
	for i, part := range parts {
		name, _, found := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		if found && (err != nil || SensitiveName(lastSegment(plain))) {
			parts[i] = name + "=" + Mark
		}
	}
	return strings.Join(parts, "&")
}

// lastSegment returns "c" of "a[b][c]".
func lastSegment(name string) string {
	name = strings.TrimRight(name, "]")
	if i := strings.LastIndexAny(name, "[]"); i >= 0 {
		return name[i+1:]
	}
	return name
}

// SensitiveHeader tells whether a header carries credentials.
func SensitiveHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie",
		"x-auth-token", "x-access-token", "x-amz-access-token", "x-amz-security-token",
		"x-csrf-token", "dd-api-key", "dd-application-key":
		return true
	}
	lower := strings.ToLower(name)
	for _, end := range []string{"-access-token", "-auth-token", "-api-token", "-api-key", "-secret"} {
		if strings.HasSuffix(lower, end) {
			return true
		}
	}
	return SensitiveName(strings.TrimPrefix(lower, "x-"))
}

// SensitiveName tells whether a JSON member, form field or query key of that
// name holds a credential. Names of paging tokens are not among them.
func SensitiveName(name string) bool {
	switch fold(name) {
	case "password", "passwd", "passphrase", "pwd", "secret", "clientsecret", "apisecret", "appsecret",
		"token", "accesstoken", "refreshtoken", "idtoken", "apitoken", "authtoken", "bearertoken",
		"sessiontoken", "privatetoken", "personalaccesstoken", "clientassertion", "assertion",
		"apikey", "accesskey", "accesskeysecret", "secretkey", "privatekey", "appkey", "signature",
		"authorization", "credentials", "authpayload", "cookie", "jwt", "xamzsignature",
		"xamzcredential", "xamzsecuritytoken", "platformclientsecret", "serversideoauthsecretid":
		return true
	}
	return false
}

func fold(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '_' || c == '-' || c == ' ':
			return -1
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return c
	}, name)
}
