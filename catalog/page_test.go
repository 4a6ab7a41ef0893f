package catalog

import "testing"

func TestWithoutReplaced(t *testing.T) {
	a := &Action{Page: &Page{Style: "token", Send: "token", Alone: true}, Params: []Field{{Name: "token", In: "query"},
		{Name: "size", In: "query", Alias: "PageSize"}, {Name: "shop", In: "path"}, {Name: "state", In: "body"}}}
	for params, want := range map[string]string{
		`{"shop":"1","size":2,"token":"t","state":"x","other":1}`: `{"shop":"1","token":"t","other":1}`,
		`{"PageSize":2,"token":"t"}`:                              `{"token":"t"}`,
		`{"size":2,"token":null}`:                                 `{"size":2,"token":null}`,
		`{"size":2,"token":""}`:                                   `{"size":2,"token":""}`,
		`{"size":2}`:                                              `{"size":2}`,
		``:                                                        ``,
		`[1]`:                                                     `[1]`,
	} {
		if got := string(a.WithoutReplaced([]byte(params))); got != want {
			t.Errorf("%s becomes %s, want %s", params, got, want)
		}
	}
	a.Page.Alone = false
	if got := string(a.WithoutReplaced([]byte(`{"size":2,"token":"t"}`))); got != `{"size":2,"token":"t"}` {
		t.Errorf("where others may stand beside it: %s", got)
	}
}
