package hosted

import (
	"bytes"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/transport"
)

// graphQLErrors reads the errors that a GraphQL server sends with a good status.
// Beside data they are a warning, without any they are the failure they are.
func (c *Client) graphQLErrors(r request, res *transport.Result, env *client.Envelope, s *scan, action *catalog.Action) error {
	at := ""
	if env.Shape == client.ShapeService {
		at = "result"
	}
	list, data := s.at(join(at, "errors")), s.at(join(at, "data"))
	speaks := action != nil && action.Binding != nil && action.Binding.GraphQL != nil
	if list == nil || list.kind != '[' || !speaks && data == nil {
		return nil
	}
	raw := env.Body.Slice(list.span.From, min(list.span.To, list.span.From+(1<<20)))
	if len(bytes.Trim(raw, "[] \t\r\n")) == 0 {
		return nil
	}
	p := transport.ReadProblem("application/json", raw)
	said := c.t.Redactor().Text(p.Message)
	if data != nil && data.kind != 0 {
		env.Warning = strings.TrimPrefix(env.Warning+"; ", "; ") + said
		return nil
	}
	return &client.Error{
		Class: classOfWord(p.Code, string(raw)), Layer: client.LayerThirdParty, Status: res.Status, Doing: r.doing, Attempts: res.Attempts, Envelope: env,
		Message: "the third party refused the query", Server: said, Field: p.Field, RequestID: transport.RequestID(res.Header),
		Next: "Compare the params with the catalog's docs. The Raw view shows the whole answer.",
	}
}

// classOfWord reads the class of a GraphQL error from its code, or from the
// codes that stand anywhere in the errors.
func classOfWord(code, raw string) client.Class {
	folded := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(code))
	if folded == "" {
		folded = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(raw))
	}
	for _, known := range []struct {
		word  string
		class client.Class
	}{
		{"ratelimit", client.ClassRateLimited}, {"throttle", client.ClassRateLimited}, {"complexity", client.ClassRateLimited},
		{"unauthenticated", client.ClassAuth}, {"notauthenticated", client.ClassAuth}, {"unauthorized", client.ClassAuth},
		{"forbidden", client.ClassScope}, {"scope", client.ClassScope}, {"permission", client.ClassScope},
		{"notfound", client.ClassNotFound},
		{"internal", client.ClassUpstream}, {"timeout", client.ClassUpstream},
	} {
		if strings.Contains(folded, known.word) {
			return known.class
		}
	}
	return client.ClassInvalid
}
