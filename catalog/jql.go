package catalog

import (
	"fmt"
	"slices"
	"strings"

	"patchbay/catalog/clause"
)

// JQLOperators are the characters that operators of JQL consist of.
const JQLOperators = "=!~<>&|"

// JQLTail reports whether ORDER BY begins here, which ends the conditions of a JQL query.
func JQLTail(tokens []clause.Token) bool {
	return tokens[0].Is("order") && len(tokens) > 1 && tokens[1].Is("by")
}

const jqlRestrictions = "project, assignee, reporter, key or sprint"

// CheckJQL says what is wrong with a JQL query, and what is doubtful. Wrong is a
// query that cannot be read, that restricts nothing in one of its OR branches, or that
// restricts one by a date without a project (platform document, Errors). A branch that
// restricts by something else than project, assignee, reporter, issue key or sprint is
// doubtful: which restrictions are enough is not documented. Strings and ORDER BY do not
// count. Both are words for a person, empty where there is nothing to say.
func CheckJQL(query string) (wrong, doubt string) {
	tokens := clause.Lex(query, JQLOperators)
	if len(tokens) == 0 || JQLTail(tokens) {
		return "the query restricts nothing: add " + jqlRestrictions, ""
	}
	n, rest, err := clause.Parse(tokens, JQLTail)
	if err != nil {
		return "syntax error: " + err.Error(), ""
	}
	if len(rest) > 0 && !JQLTail(rest) {
		return fmt.Sprintf("syntax error: the query closes a parenthesis at character %d that it never opens",
			clause.Character(query, rest[0].Start)), ""
	}
	if wrong := jqlSyntax(query, n); wrong != "" {
		return "syntax error: " + wrong, ""
	}
	for _, branch := range n.Of {
		text := query[branch.Tokens[0].Start:branch.Tokens[len(branch.Tokens)-1].End]
		switch restricts(branch, false) {
		case byDate:
			return fmt.Sprintf("%q filters by date only: add a project beside the date", text), ""
		case bySomething:
			doubt = fmt.Sprintf("%q restricts by none of %s: the service may refuse it", text, jqlRestrictions)
		}
	}
	return "", doubt
}

// jqlSyntax says which condition is none; "" when each is one.
func jqlSyntax(query string, n *clause.Node) string {
	if n.Op != clause.Condition {
		for _, part := range n.Of {
			if wrong := jqlSyntax(query, part); wrong != "" {
				return wrong
			}
		}
		return ""
	}
	first, last := n.Tokens[0], n.Tokens[len(n.Tokens)-1]
	text := query[first.Start:last.End]
	operator := slices.IndexFunc(n.Tokens, func(t clause.Token) bool {
		return t.Kind == clause.Operator || t.Kind == clause.Word && t.Is("in", "is", "was", "changed", "not")
	})
	switch {
	case first.Open || last.Open:
		return fmt.Sprintf("the quote at character %d is never closed", clause.Character(query, last.Start))
	case operator == 0 || first.Kind == clause.Mark:
		return fmt.Sprintf("a field is missing before %q", text)
	case operator < 0:
		return fmt.Sprintf("an operator such as =, ~ or IN is missing in %q", text)
	case operator == len(n.Tokens)-1 && !last.Is("changed"):
		return fmt.Sprintf("a value is missing behind %q", text)
	}
	op := n.Tokens[operator]
	if op.Kind == clause.Operator && !slices.Contains(jqlComparisons, op.Text) {
		return fmt.Sprintf("%s is no operator of JQL; it has %s, IN, IS and WAS", op.Text,
			strings.Join(jqlComparisons, " "))
	}
	return ""
}

var jqlComparisons = []string{"=", "!=", "~", "!~", "<", "<=", ">", ">="}

// restriction is how far a part of a query narrows a search; more is better.
type restriction int

const (
	byDate restriction = iota
	bySomething
	byProject // or assignee, reporter, key, sprint
)

// restricts says how far a part narrows. Negated branches are conditions that all
// hold, and the other way round.
func restricts(n *clause.Node, negated bool) restriction {
	switch n.Op {
	case clause.Condition:
		return restrictionBy(n.Tokens[0].Text)
	case clause.Not:
		return restricts(n.Of[0], !negated)
	}
	out := restricts(n.Of[0], negated)
	for _, part := range n.Of[1:] {
		if together := (n.Op == clause.And) != negated; together {
			out = max(out, restricts(part, negated))
		} else {
			out = min(out, restricts(part, negated))
		}
	}
	return out
}

func restrictionBy(field string) restriction {
	switch field = strings.ToLower(field); {
	case slices.Contains(boundingFields, field):
		return byProject
	case slices.Contains(dateFields, field):
		return byDate
	}
	return bySomething
}

var (
	boundingFields = []string{"project", "assignee", "reporter", "key", "issue", "issuekey", "id", "sprint"}
	dateFields     = []string{"created", "createddate", "updated", "updateddate", "resolved", "resolutiondate", "due",
		"duedate", "lastviewed", "worklogdate"}
)
