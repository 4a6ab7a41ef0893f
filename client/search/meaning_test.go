package search

import (
	"slices"
	"testing"

	"patchbay/catalog"
	"patchbay/client/rawjson"
)

func TestOneQuestionAskedBothWays(t *testing.T) {
	index := &catalog.Semantic{Field: "transcript"}
	for _, c := range []struct {
		name, meaning, keywords, back string
		places                        []string
	}{
		{name: "words", meaning: `{"semantic":{"prompt":"late renewals"}}`,
			keywords: `{"query":{"filter":{"keyword":{"transcript":"late renewals"}}}}`, back: `{"semantic":{"prompt":"late renewals"}}`},
		{name: "limit and fields", meaning: `{"semantic":{"prompt":"late","field":"notes","context_size":80},"limit":5,"fields":["id"]}`,
			keywords: `{"query":{"filter":{"keyword":{"notes":"late"}}},"limit":5,"fields":["id"]}`, back: `{"semantic":{"prompt":"late"},"limit":5,"fields":["id"]}`},
		{name: "a filter", meaning: `{"semantic":{"prompt":"late","filter":{"eq":{"state":"open"}}}}`,
			keywords: `{"query":{"filter":{"and":[{"eq":{"state":"open"}},{"keyword":{"transcript":"late"}}]}}}`, back: `{"semantic":{"prompt":"late","filter":{"eq":{"state":"open"}}}}`},
		{name: "places", meaning: `{"semantic":{"prompt":"late"}}`, places: []string{"transcript.a", "transcript.b"},
			keywords: `{"query":{"filter":{"or":[{"keyword":{"transcript.a":"late"}},{"keyword":{"transcript.b":"late"}}]}}}`, back: `{"semantic":{"prompt":"late"}}`},
	} {
		got := string(ByKeywords(index, []byte(c.meaning), c.places))
		if got != c.keywords {
			t.Errorf("%s by keywords: %s, want %s", c.name, got, c.keywords)
		}
		if got := string(ByMeaning([]byte(got))); got != c.back {
			t.Errorf("%s by meaning: %s, want %s", c.name, got, c.back)
		}
	}
	for _, none := range []string{"", "{}", `{"semantic":{"prompt":" "}}`, `{"semantic":7}`, `[]`} {
		if got := ByKeywords(index, []byte(none), nil); got != nil {
			t.Errorf("%s by keywords: %s", none, got)
		}
	}
	for _, none := range []string{"", "{}", `{"query":{"filter":{"eq":{"a":1}}}}`, `{"query":{"filter":{"keyword":{"a":7}}}}`, `{"query":[]}`} {
		if got := ByMeaning([]byte(none)); string(got) == `{"semantic":{"prompt":""}}` || none != `{"query":{"filter":{"keyword":{"a":7}}}}` && got != nil {
			t.Errorf("%s by meaning: %s", none, got)
		}
	}
	if got := string(ByMeaning([]byte(`{"query":{"filter":{"and":[{"eq":{"a":1}},{"gt":{"b":2}},{"like":{"c":"%late%"}}]}}}`))); got != `{"semantic":{"prompt":"late","filter":{"and":[{"eq":{"a":1}},{"gt":{"b":2}}]}}}` {
		t.Error(got)
	}
}

func TestWhereTheTextsAre(t *testing.T) {
	record := rawjson.Parse([]byte(`{"id":"x y","transcript":[{"speaker":"12","turns":[{"text":"two words"},{"text":"more words"}]},{"topic":"a topic"}]}`))
	if got := TextPaths(record, "transcript"); !slices.Equal(got, []string{"transcript.turns.text", "transcript.topic"}) {
		t.Error(got)
	}
	if got := TextPaths(record, "nothing"); got != nil {
		t.Error(got)
	}
}
