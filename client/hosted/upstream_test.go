package hosted_test

import (
	"context"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/records"
)

// upstream runs an operation of the real catalog against one answer.
func upstream(t *testing.T, body string, kind, entity, action string) (*client.Envelope, error) {
	t.Helper()
	s := newService(t)
	s.on(execute, answer{body: body})
	cfg := s.config()
	cfg.Catalog = catalog.New()
	return hosted.New(cfg).Execute(context.Background(), client.Target{Kind: kind, ConnectorID: "c-1"}, client.Operation{Entity: entity, Action: action})
}

const wrapped = `{"status":"success","result":%,"connector_metadata":null,"execution_metadata":{"connector_instance_id":"i","execution_time_ms":1}}`

// TestRecordsWithinWholeBodies: a third party's whole body may hold the records
// within the elements of an array.
func TestRecordsWithinWholeBodies(t *testing.T) {
	for _, tt := range []struct {
		entity, action, body string
		rows                 int
		single               bool
		meta                 string
	}{
		{"items", "list", `{"data":{"boards":[{"items_page":{"cursor":"c-2","items":[{"id":"1"},{"id":"2"}]}},{"items_page":{"cursor":null,"items":[{"id":"3"}]}}]},"account_id":7}`, 3, false, `"account_id":7`},
		{"items", "list", `{"data":{"boards":[]}}`, 0, false, ""},
		{"items", "list", `[{"id":"1"},{"id":"2"}]`, 2, false, ""},
		{"boards", "get", `{"data":{"boards":[{"id":"9","name":"b"}]}}`, 1, true, ""},
		{"boards", "get", `{"id":"9","name":"b"}`, 1, true, ""},
		{"boards", "list", `{"data":{"boards":[{"id":"9"},{"id":"8"}]}}`, 2, false, ""},
	} {
		for _, body := range []string{tt.body, strings.Replace(wrapped, "%", tt.body, 1)} {
			env, err := upstream(t, body, "work_board", tt.entity, tt.action)
			if err != nil {
				t.Errorf("%s %s %s: %v", tt.entity, tt.action, body, err)
				continue
			}
			if n := records.IndexEnvelope(env).Len(); n != tt.rows || env.Single != tt.single && tt.rows > 0 {
				t.Errorf("%s %s %s: %d rows at %q, single %v", tt.entity, tt.action, body, n, env.RecordsPath, env.Single)
			}
			if !strings.Contains(string(env.MetaJSON), tt.meta) {
				t.Errorf("%s %s %s: meta %s", tt.entity, tt.action, body, env.MetaJSON)
			}
		}
	}
}

// TestGraphQLErrorsWithAGoodStatus: without data they are the failure, beside
// data a warning.
func TestGraphQLErrorsWithAGoodStatus(t *testing.T) {
	for _, tt := range []struct {
		body  string
		class client.Class // empty when it is no failure
		text  string
	}{
		{`{"data":null,"errors":[{"message":"Field x is unknown","extensions":{"code":"undefinedField"}}]}`, client.ClassInvalid, "Field x is unknown"},
		{`{"errors":[{"message":"Complexity budget exhausted","extensions":{"code":"COMPLEXITY_BUDGET_EXHAUSTED"}}]}`, client.ClassRateLimited, "Complexity"},
		{`{"errors":[{"message":"Not authenticated","extensions":{"code":"UNAUTHENTICATED"}}],"data":null}`, client.ClassAuth, "Not authenticated"},
		{`{"errors":[{"type":"FORBIDDEN","message":"No"}],"data":null}`, client.ClassScope, "No"},
		{`{"errors":[{"message":"half of it failed"}],"data":{"boards":[{"id":"1"}]}}`, "", "half of it failed"},
		{`{"errors":[],"data":{"boards":[{"id":"1"}]}}`, "", ""},
	} {
		for _, body := range []string{tt.body, strings.Replace(wrapped, "%", tt.body, 1)} {
			env, err := upstream(t, body, "work_board", "boards", "list")
			switch {
			case tt.class == "" && (err != nil || env.Warning != tt.text):
				t.Errorf("%s: warning %q, %v", body, env.Warning, err)
			case tt.class == "":
			case err == nil:
				t.Errorf("%s: no error", body)
			default:
				e := client.AsError(err)
				if e.Class != tt.class || e.Layer != client.LayerThirdParty || !strings.Contains(e.Error(), tt.text) || e.Next == "" || e.Envelope == nil {
					t.Errorf("%s: %s %s %v", body, e.Class, e.Layer, e)
				}
			}
		}
	}
}

// Whatever a third party speaks, errors beside data are a warning, and errors alone its answer.
func TestErrorsBesideDataAreAWarning(t *testing.T) {
	for body, want := range map[string]string{
		`{"data":[{"id":"9"}],"errors":[{"message":"half of it failed"}]}`: "half of it failed",
		`{"list":[{"id":"9"}],"errors":[{"message":"half of it failed"}]}`: "",
	} {
		if env, err := upstream(t, body, "usage_billing", "customers", "list"); err != nil || env.Warning != want {
			t.Errorf("%s: warning %q, %v", body, env.Warning, err)
		}
	}
	// A record of another key has an id all the same.
	if _, err := upstream(t, `{"id":"9","error":"of the record itself"}`, "issue_tracker", "issues", "get"); err != nil {
		t.Error(err)
	}
}

// TestErrorBodyWithAGoodStatus: a body that only tells of an error is no record.
func TestErrorBodyWithAGoodStatus(t *testing.T) {
	for _, tt := range []struct {
		body string
		text string // empty when it is a record
	}{
		{`{"error":{"code":"oops","message":"the index is rebuilding"}}`, "the index is rebuilding"},
		{`{"error":"the index is rebuilding","ok":false}`, "the index is rebuilding"},
		{`{"status":"error","message":"the index is rebuilding"}`, "the index is rebuilding"},
		{`{"id":"9","error":"of the record itself"}`, ""},
		{`{"name":"x","error":null}`, ""},
		{`{"name":"x","status":"active"}`, ""},
	} {
		for _, body := range []string{tt.body, strings.Replace(wrapped, "%", tt.body, 1)} {
			env, err := upstream(t, body, "usage_billing", "customers", "list")
			if tt.text == "" {
				if err != nil || !env.Single {
					t.Errorf("%s: %v", body, err)
				}
				continue
			}
			if err == nil {
				t.Errorf("%s: no error", body)
				continue
			}
			if e := client.AsError(err); e.Class != client.ClassUpstream || !strings.Contains(e.Error(), tt.text) || e.Next == "" || e.Envelope == nil {
				t.Errorf("%s: %s %v", body, e.Class, e)
			}
		}
	}
}
