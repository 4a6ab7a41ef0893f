package lang

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"patchbay/catalog"
)

// A JQL query is read by the sandbox and passes the check before a call; of one that
// lacks a word or has one twice, what the sandbox reads passes the check too.
func TestReadersOfJQLAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		query := drawJQL(t, 3)
		if rapid.Bool().Draw(t, "ordered") {
			query += rapid.SampledFrom([]string{" ORDER BY key", " order by due desc", " ORDER BY created ASC, key"}).Draw(t, "order")
		}
		if _, err := jqlQuery(query); err != nil {
			t.Fatalf("%s: the sandbox says %v", query, err)
		}
		if wrong, _ := catalog.CheckJQL(query); strings.HasPrefix(wrong, "syntax") {
			t.Fatalf("%s: the check says %s", query, wrong)
		}
		words := strings.Fields(query)
		at := rapid.IntRange(0, len(words)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "twice") {
			words = slices.Insert(words, at, words[at])
		} else {
			words = slices.Delete(words, at, at+1)
		}
		query = strings.Join(words, " ")
		if wrong, _ := catalog.CheckJQL(query); strings.HasPrefix(wrong, "syntax") {
			if _, err := jqlQuery(query); err == nil {
				t.Fatalf("%s: the sandbox reads it, the check says %s", query, wrong)
			}
		}
	})
}

func drawJQL(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 2).Draw(t, "joined") == 0 {
		return drawClause(t)
	}
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		return "NOT ( " + drawJQL(t, depth-1) + " )"
	case 1:
		return "( " + drawJQL(t, depth-1) + " )"
	}
	return drawJQL(t, depth-1) + rapid.SampledFrom([]string{" AND ", " or "}).Draw(t, "by") + drawJQL(t, depth-1)
}

func drawClause(t *rapid.T) string {
	value := rapid.SampledFrom([]string{"a", "A-7", `"x y"`, `'it'`, "12", `"a\"b"`, "currentUser()"})
	field := rapid.SampledFrom([]string{"key", "label", "summary", "Due", "user"}).Draw(t, "field")
	switch rapid.IntRange(0, 4).Draw(t, "clause") {
	case 0:
		return field + rapid.SampledFrom([]string{" in", " NOT IN"}).Draw(t, "in") + fmt.Sprintf(" ( %s, %s )", value.Draw(t, "one"), value.Draw(t, "other"))
	case 1:
		return rapid.SampledFrom([]string{"label", "due"}).Draw(t, "emptied") + rapid.SampledFrom([]string{" is EMPTY", " IS NOT empty", " is not null"}).Draw(t, "is")
	case 2:
		return "created " + rapid.SampledFrom([]string{">=", "<", ">", "<="}).Draw(t, "than") + " " + rapid.SampledFrom([]string{"-7d", `"2026-01-01"`, "startOfDay()"}).Draw(t, "moment")
	case 3:
		return "summary " + rapid.SampledFrom([]string{"~", "!~"}).Draw(t, "like") + " " + rapid.SampledFrom([]string{"login", `"log in"`}).Draw(t, "text")
	}
	return rapid.SampledFrom([]string{"key", "label", "user"}).Draw(t, "equal") + rapid.SampledFrom([]string{" = ", " != "}).Draw(t, "is") + value.Draw(t, "value")
}
