package catalog

import (
	"strings"
	"testing"
)

func TestSearchFindsTheObviousFirst(t *testing.T) {
	c := New()
	for _, test := range []struct{ query, want string }{
		{"cust list", "payments > customers > list"},
		{"list customers stripe", "payments > customers > list"},
		{"jql", "issue_tracker > issues > api_search > jql"},
		{"stripe refund", "payments > refunds"},
		{"jira comment", "issue_tracker > issue_comments"},
		{"gihub", "code_hosting"},
		{"description-format", "team_wiki > spaces > get > description-format"},
		{"email_delivery page_size", "email_delivery > lists > list > page_size"},
		{"stripe", "payments"},
		{"payments", "payments"},
		{"payments.customers.list", "payments > customers > list"},
		{"jira issues", "issue_tracker > issues"},
		{"AmazonOrderId", "marketplace_seller > orders > MarketOrderId"},
	} {
		hits := c.Search(test.query, 10)
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", test.query)
			continue
		}
		if got := hits[0].Path(); got != test.want {
			t.Errorf("%q finds %s first, want %s", test.query, got, test.want)
			for _, h := range hits {
				t.Logf("  %d %s (%s, %s)", h.Score, h.Path(), h.What, h.Why)
			}
		}
	}
}

func TestSearchPutsActionsBehindTheirEntity(t *testing.T) {
	hits := New().Search("refund", 5)
	want := []string{"payments > refunds", "payments > refunds > list", "payments > refunds > create", "payments > refunds > get"}
	for i, path := range want {
		if i >= len(hits) || hits[i].Path() != path {
			t.Fatalf("hit %d is not %s: %+v", i, path, hits)
		}
	}
}

func TestSearchFindsWhoIAm(t *testing.T) {
	found := map[string]bool{}
	for _, h := range New().Search("who am i", 5) {
		found[h.Path()] = true
	}
	for _, path := range []string{"code_hosting > viewer", "social_advertising > current_user", "task_management > user"} {
		if !found[path] {
			t.Errorf("%s is not among the first: %v", path, found)
		}
	}
}

func TestSearchMarksLettersAndSaysWhy(t *testing.T) {
	hits := New().Search("cstmr stripe", 5)
	if len(hits) == 0 || hits[0].Entity != "customers" || hits[0].Kind != "payments" {
		t.Fatalf("cstmr stripe finds %+v", hits)
	}
	var marked strings.Builder
	for _, i := range hits[0].Matched {
		marked.WriteByte(hits[0].Title[i])
	}
	if marked.String() != "cstmr" {
		t.Errorf("marked letters spell %q, want cstmr", marked.String())
	}
	if hits[0].Why != "matched in name and path" {
		t.Errorf("why is %q", hits[0].Why)
	}
}

func TestSearchWithoutWordsListsKinds(t *testing.T) {
	hits := New().Search("  ", 0)
	if len(hits) != len(New().Kinds()) {
		t.Fatalf("%d hits for an empty query, want one for each kind", len(hits))
	}
	for _, h := range hits {
		if h.What != WhatKind {
			t.Errorf("an empty query finds %s", h.Path())
		}
	}
}

func TestSearchFindsNothingForNonsense(t *testing.T) {
	for _, query := range []string{"zzqqxx", "customers zzqqxx", "\x00", "é"} {
		if hits := New().Search(query, 5); len(hits) != 0 {
			t.Errorf("%q finds %s", query, hits[0].Path())
		}
	}
}

func FuzzSearch(f *testing.F) {
	c := New()
	f.Add("cust list")
	f.Add("É ß\xff")
	f.Fuzz(func(t *testing.T, query string) {
		for _, h := range c.Search(query, 20) {
			runes := []rune(h.Title)
			for i, at := range h.Matched {
				if at < 0 || at >= len(runes) || (i > 0 && h.Matched[i-1] >= at) {
					t.Fatalf("%q marks %v in %q", query, h.Matched, h.Title)
				}
			}
		}
	})
}
