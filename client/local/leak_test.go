package local

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"patchbay/client/rawjson"
)

// Addresses of other pages hold the credential that they were asked with: in bodies of
// every size, beside the records and within them, it is taken out, and nothing else is.
func TestCredentialsInAddressesAreHidden(t *testing.T) {
	token := "EAAB" + strings.Repeat("h1dden", 4)
	for _, filling := range []int{0, 1 << 10, 3 << 20} {
		link := func(cursor string) string {
			return fmt.Sprintf(`"https:\/\/graph.example\/v1\/act_1\/ads?access_token=%s&limit=25&after=%s"`, token, cursor)
		}
		record := func(id int) string {
			return fmt.Sprintf(`{"id":"%d","name":"token=","filling":"%s","ads":{"data":[],"paging":{"next":%s}}}`, id,
				strings.Repeat("f", filling), link("inner"))
		}
		s := &server{answer: func(*http.Request, string) (int, map[string]string, string) {
			return 200, nil, `{"data":[` + record(1) + "," + record(2) + `],"paging":{"previous":` + link("b") + `,"next":` +
				link("QVFIUz") + "}}"
		}}
		c := testClient(s, env("SOCIAL_ADVERTISING_ACCESS_TOKEN", token))
		got, e := execute(t, c, "social_advertising", "ad_accounts", "list", `{}`)
		if e != nil {
			t.Fatalf("%d: %v", filling, e)
		}
		body := string(got.Body.Slice(0, got.Body.Len()))
		if strings.Contains(body, token) || strings.Count(body, "[secret]") != 4 || !rawjson.Valid([]byte(body)) {
			t.Errorf("%d: the token stands in the answer, or %d marks: %.300s", filling, strings.Count(body, "[secret]"), body)
		}
		if records := string(got.Body.Slice(got.Records.From, got.Records.To)); !strings.HasPrefix(records, `[{"id":"1"`) ||
			!strings.HasSuffix(records, "}]") || strings.Count(body, "f") < 2*filling {
			t.Errorf("%d: the records are not where they were said to be: %.100s", filling, records)
		}
		if got.Paging == nil || !strings.Contains(string(got.Paging.Next), "after=QVFIUz") {
			t.Errorf("%d: the next page is lost: %+v", filling, got.Paging)
		}
	}
}
