package catalog

import (
	"encoding/json"
	"slices"

	"patchbay/client/rawjson"
)

// Params by which the hosted service answers a download as JSON, a window of the file
// at a time. The third party never gets them.
const (
	WindowType   = "_airbyte_response_type"
	WindowFormat = "_airbyte_response_format"
	WindowChars  = "_airbyte_max_chars"
	WindowOffset = "_airbyte_text_offset"
	WindowToken  = "_airbyte_download_token"
)

// windowParams are those params as fields.
func windowParams() []Field {
	words := func(list ...string) (out []json.RawMessage) {
		for _, w := range list {
			out = append(out, rawjson.Encode(w))
		}
		return out
	}
	least, one := 0.0, 1.0
	fields := []Field{
		{Name: WindowType, Type: "string", Enum: words("stream", "json"),
			Doc: "Whether the file comes as it is, or as JSON in windows."},
		{Name: WindowFormat, Type: "string", Enum: words("text", "base64"), Doc: "What a window of JSON holds."},
		{Name: WindowChars, Type: "integer", Min: &one, Doc: "Most characters in a window of text; 20000 if left out."},
		{Name: WindowOffset, Type: "integer", Min: &least,
			Doc: "Where a window of text begins: next_offset of the one before."},
		{Name: WindowToken, Type: "string", Doc: "The download_token of the window before."},
	}
	for i := range fields {
		fields[i].Source = Upstream
	}
	return fields
}

// Hosted is the action as the hosted service takes it: a download takes more params there
// than the third party does.
func (a *Action) Hosted() *Action {
	if a.Name != ActionDownload {
		return a
	}
	out := *a
	out.Params = slices.Concat(a.Params, windowParams())
	return &out
}

// Windowed reports whether the params of a download ask for JSON in place of the file.
func Windowed(params []byte) bool {
	v, _ := rawjson.Parse(params).Get(WindowType)
	return v.Text() == "json"
}
