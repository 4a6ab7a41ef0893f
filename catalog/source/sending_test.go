package source

import (
	"strings"
	"testing"
)

// What local calls send by themselves, and in what form, is held against what a request
// can carry.
func TestDefaultsAndFormsOfRequests(t *testing.T) {
	const file = `kind: shop
title: Shop
system: Shop
connector_type: shop
local: {base_url: "https://shop.example"}
entities:
  orders:
    key: id
    record: {id: string}
    actions:
      list:
        params:
          state: {type: string, PARAM}
          token: {type: string}
        page: {PAGE}
        http: {METHOD, path: /orders, records: orders}
`
	const get, post, page = "method: GET", "method: POST", "style: token, send: token, next: next"
	for _, test := range []struct{ param, page, method, want string }{
		{`default: open, send: true, unless: token`, page + ", alone: true", get, ""},
		{`separator: ",", wire_type: array, wire_case: upper`, page, post, ""},
		{`wire_type: boolean`, page, post, ""},
		{`send: true`, page, get, "there is no default to send"},
		{`default: open, send: true, unless: nobody`, page, get, "name a param of the action"},
		{`default: open, unless: token`, page, get, "name a param of the action"},
		{`wire_case: upper`, page, get, "belong to a JSON body"},
		{`wire_case: upper`, page, post + ", encoding: form", "belong to a JSON body"},
		{`wire_type: array`, page, post, "array for text with a separator"},
		{`wire_type: number`, page, post, "write boolean, or array"},
		{`wire_case: lower`, page, post, "unknown case"},
		{`default: open`, "style: link, next: next, alone: true", get, "no param carries the next value"},
	} {
		text := strings.NewReplacer("PARAM", test.param, "PAGE", test.page, "METHOD", test.method).Replace(file)
		_, problems := Parse("shop.yaml", []byte(text))
		got := ""
		for _, p := range problems {
			got += p.Error() + "\n"
		}
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s; %s; %s: %s, want %q", test.param, test.page, test.method, got, test.want)
		}
	}
}
