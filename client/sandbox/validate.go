package sandbox

import (
	"net/http"

	"patchbay/catalog"
)

// checkParams refuses params that the action does not take as they are. Params
// that the catalog does not know are passed over, as the service does.
func (op *operation) checkParams() error {
	for _, v := range catalog.CheckParams(op.target.kind(), op.e, op.a, appendObject(nil, op.params)) {
		if v.Severity != catalog.SeverityError || v.Rule == "unknown" {
			continue
		}
		status := v.Status
		if status == 0 {
			status = statusOf(v.Rule)
		}
		field := "params"
		if v.Path != "" {
			field += "." + v.Path
		}
		return &refusal{status: status, field: field, code: v.Rule, message: v.Message}
	}
	return nil
}

// statusOf tells malformed requests (422) from well-formed ones that a rule forbids (400).
func statusOf(rule string) int {
	switch rule {
	case "json", "required", "type", "min", "max", "max_items", "enum", "const", "format", "one_of":
		return http.StatusUnprocessableEntity
	}
	return http.StatusBadRequest
}
