package local

import (
	"encoding/json"
	"sort"
	"strings"
	"testing"
)

// canonicalQuery reads a GraphQL document and writes it with arguments and
// selections in the order of their names and without aliases, so that two spellings
// compare. What is no document comes back marked as broken.
func canonicalQuery(text string) string {
	p := &queryParser{tokens: queryTokens(text)}
	out := p.selection(true)
	if p.broken || len(p.tokens) > 0 {
		return "broken near " + strings.Join(p.tokens, " ") + " in " + text
	}
	return out
}

type queryParser struct {
	tokens []string
	broken bool
}

func queryTokens(text string) []string {
	var out []string
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == ',' || c == '\n' || c == '\t':
			i++
		case c == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, text[i:min(end+1, len(text))])
			i = end + 1
		case strings.HasPrefix(text[i:], "..."):
			out = append(out, "...")
			i += 3
		case strings.IndexByte("{}()[]:!=", c) >= 0:
			out = append(out, string(c))
			i++
		default:
			end := i
			for end < len(text) && strings.IndexByte(" ,\n\t{}()[]:!=\"", text[end]) < 0 {
				end++
			}
			out = append(out, text[i:end])
			i = end
		}
	}
	return out
}

func (p *queryParser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *queryParser) take() string {
	t := p.peek()
	if t == "" {
		p.broken = true
		return ""
	}
	p.tokens = p.tokens[1:]
	return t
}

// selection reads NAME(args) { ... }; the document itself is one, too.
func (p *queryParser) selection(document bool) string {
	name := p.take()
	if name == "..." {
		name += p.take() + " " + p.take()
	}
	if p.peek() == ":" { // the name before is an alias
		p.take()
		name = p.take()
	}
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ .") != "" || document && name != "query" && name != "mutation" {
		p.broken = true
		return ""
	}
	if p.peek() == "(" {
		name += p.arguments()
	}
	if p.peek() != "{" {
		return name
	}
	p.take()
	var inner []string
	for p.peek() != "}" && !p.broken {
		inner = append(inner, p.selection(false))
	}
	p.take()
	if len(inner) == 0 {
		p.broken = true
	}
	sort.Strings(inner)
	return name + "{" + strings.Join(inner, " ") + "}"
}

func (p *queryParser) arguments() string {
	p.take()
	var args []string
	for p.peek() != ")" && !p.broken {
		name := p.take()
		if p.take() != ":" {
			p.broken = true
		}
		args = append(args, name+":"+p.value())
	}
	p.take()
	sort.Strings(args)
	return "(" + strings.Join(args, " ") + ")"
}

// value reads a value or a type; objects and lists keep their order.
func (p *queryParser) value() string {
	open := p.take()
	closing := map[string]string{"{": "}", "[": "]"}[open]
	if closing == "" {
		for p.peek() == "!" || p.peek() == "=" {
			open += p.take()
		}
		return open
	}
	for p.peek() != closing && !p.broken {
		if t := p.peek(); t == "{" || t == "[" {
			open += p.value()
		} else {
			open += " " + p.take()
		}
	}
	open += p.take()
	for p.peek() == "!" {
		open += p.take()
	}
	return open
}

func TestChosenFields(t *testing.T) {
	variables := env("CODE_HOSTING_TOKEN", "ghp_1", "CODE_HOSTING_REPOSITORIES", "octo/hello")
	cases := []struct{ entity, params, want string }{
		{"issues", `{"fields":["number","labels","author"]}`, `nodes { number labels(first: 10) { nodes { name color } } author { login avatarUrl } }`},
		{"issues", `{"fields":["labels.nodes.name"]}`, `nodes { labels(first: 10) { nodes { name } } }`},
		{"issues", `{"fields":["reactions.totalCount"]}`, `nodes { reactions { totalCount } }`},
		{"tags", `{"fields":["target.message"]}`, `nodes { target { ... on Commit { message } ... on Tag { message__Tag: message } } }`},
		{"tags", `{"fields":["target.oid","target.tagger.name"]}`, `nodes { target { oid ... on Tag { tagger { name } } } }`},
		{"branches", `{"fields":["target.author.name"]}`, `nodes { target { ... on Commit { author { name } } } }`},
		{"branches", `{"fields":["target<Commit>.oid"]}`, `nodes { target { ... on Commit { oid } } }`},
		{"project_items", `{"project_number":3,"fields":["content.title"]}`, `nodes { content { ... on Issue { title } ... on PullRequest { title__PullRequest: title } ... on DraftIssue { title__DraftIssue: title } } }`},
	}
	for _, c := range cases {
		s := always(200, nil, `{"data":{"repository":null,"node":null,"user":null,"organization":null}}`)
		if _, e := execute(t, testClient(s, variables), "code_hosting", c.entity, "list", c.params); e != nil {
			t.Fatalf("%s: %v", c.params, e)
		}
		var body struct{ Query string }
		if err := json.Unmarshal([]byte(s.bodies[0]), &body); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(body.Query, c.want) {
			t.Errorf("%s %s wrote %s", c.entity, c.params, body.Query)
		}
	}
}
