package secret

import (
	"slices"
	"strings"
)

// SensitiveHeader reports whether a header carries credentials.
func SensitiveHeader(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie",
		"x-auth-token", "x-access-token", "x-amz-access-token", "x-amz-security-token",
		"x-csrf-token", "dd-api-key", "dd-application-key":
		return true
	}
	lower := strings.ToLower(name)
	ends := []string{"-access-token", "-auth-token", "-api-token", "-api-key", "-secret"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(lower, end) }) ||
		SensitiveName(strings.TrimPrefix(lower, "x-"))
}

// SensitiveName reports whether a JSON member, form field or query key of that
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

// fold is a name in lower case without what separates words. Names that are longer
// than any that matters come out empty.
func fold(name string) string {
	var out [32]byte
	n := 0
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '-' || c == ' ':
			continue
		case n == len(out):
			return ""
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		out[n] = c
		n++
	}
	return string(out[:n])
}
