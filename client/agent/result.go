package agent

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// MostOutput is how many characters of a result the tool builder hands to a model: a
// longer one becomes a word on what to ask for instead.
const MostOutput = 100_000

// shownOfLong is how many characters of a result that is too long are shown.
const shownOfLong = 500

// Result is what execute hands to a model: what stands inside of a service's envelope,
// or the records and meta of a third party's answer.
func Result(env *client.Envelope) []byte {
	if env == nil || env.Body == nil {
		return []byte("null")
	}
	whole := env.Body.Slice(0, env.Body.Len())
	switch env.Shape {
	case client.ShapeService:
		if result, ok := rawjson.Parse(whole).Get("result"); ok {
			return result.Raw()
		}
	case client.ShapeUpstream:
		return upstreamResult(env)
	case client.ShapeOther:
		if !rawjson.Valid(whole) {
			return rawjson.Encode(string(whole))
		}
	}
	return whole
}

// Collection is a result with the meta fields that lead to its next page: where a service
// puts them beside the result, execute alone would lose them.
func Collection(env *client.Envelope) []byte {
	result := Result(env)
	if env == nil || env.Meta.Empty() || env.Shape != client.ShapeService ||
		rawjson.Parse(result).Kind() != rawjson.Array {
		return result
	}
	return rawjson.NewMap("data", json.RawMessage(result), "meta",
		json.RawMessage(env.Body.Slice(env.Meta.From, env.Meta.To))).JSON()
}

// upstreamResult is what a local connector returns: the record, or records and meta.
func upstreamResult(env *client.Envelope) []byte {
	records := rawjson.Encode(nil)
	if !env.Records.Empty() {
		records = env.Body.Slice(env.Records.From, env.Records.To)
	}
	if env.Single {
		return records
	}
	if env.Kept != nil {
		list := []any{}
		for _, s := range env.Kept {
			list = append(list, json.RawMessage(env.Body.Slice(s.From, s.To)))
		}
		records = rawjson.Encode(list)
	}
	meta := env.MetaJSON
	if len(meta) == 0 && !env.Meta.Empty() {
		meta = env.Body.Slice(env.Meta.From, env.Meta.To)
	}
	if len(meta) == 0 {
		meta = []byte("{}")
	}
	return rawjson.NewMap("data", json.RawMessage(records), "meta", json.RawMessage(meta)).JSON()
}

// TooLong says that a result is not handed on, and what to ask for instead; it is empty
// where the result may be handed on.
func TooLong(result []byte) string {
	n := utf8.RuneCount(result)
	if n <= MostOutput {
		return ""
	}
	begin := 0
	for range shownOfLong {
		_, size := utf8.DecodeRune(result[begin:])
		begin += size
	}
	return fmt.Sprintf("%s gave %d characters, of %d that are handed on. Narrow the filter, ask for fewer records "+
		"with limit, or for fewer fields with select_fields. It begins: %s", ExecuteTool, n, MostOutput, result[:begin])
}
