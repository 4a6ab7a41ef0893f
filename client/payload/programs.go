package payload

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"sync"
	"text/template"
	"unicode"

	"patchbay/client"
	"patchbay/client/rawjson"
)

// piece is a stretch of a template: literal text, or the name of an environment variable.
type piece struct {
	text string
	env  bool
}

// split takes a template with ${NAME} references apart.
func split(template string) []piece {
	var out []piece
	for template != "" {
		before, rest, open := strings.Cut(template, "${")
		name, after, closed := strings.Cut(rest, "}")
		switch {
		case !open || !closed:
			return append(out, piece{text: template})
		case !isEnvName(name):
			out, template = append(out, piece{text: before + "${"}), rest
			continue
		case before != "":
			out = append(out, piece{text: before})
		}
		out, template = append(out, piece{text: name, env: true}), after
	}
	return out
}

func isEnvName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// pieces returns the parts of a value that is a template or literal text.
func pieces(value string, template bool) []piece {
	if template {
		return split(value)
	}
	return []piece{{text: value}}
}

func plainTemplate(parts []piece) string {
	var b strings.Builder
	for _, p := range parts {
		if p.env {
			b.WriteString("${" + p.text + "}")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// createPayload is the JSON of a new connector with every credential value
// replaced by the name of an environment variable. short chooses the member names of a
// payload, otherwise those of the HTTP API.
func createPayload(in Input, short bool) []piece {
	c := in.Create
	m := &rawjson.Map{}
	workspace := "workspace_name"
	if short {
		workspace = "workspace"
	}
	addText(m, workspace, c.Workspace)
	addText(m, "connector_type", c.ConnectorType)
	addText(m, "name", c.Name)
	if hasMembers(c.ReplicationConfig) {
		m.Add("replication_config", json.RawMessage(bytes.TrimSpace(c.ReplicationConfig)))
	}
	credentials := rawjson.ParseMap(c.Credentials)
	if credentials.Len() == 0 {
		return []piece{{text: string(m.JSON())}}
	}
	head := strings.TrimSuffix(string(m.JSON()), "}")
	if head != "{" {
		head += ","
	}
	parts := []piece{{text: head + `"credentials":{`}}
	for i, name := range credentials.Keys {
		open := string(rawjson.AppendQuoted(nil, name)) + `:"`
		if i > 0 {
			open = `",` + open
		}
		parts = append(parts, piece{text: open}, piece{text: credentialVariable(in, name), env: true})
	}
	return append(parts, piece{text: `"}}`})
}

// credentialVariable is the environment variable that holds a credential of a connector
// to create.
func credentialVariable(in Input, name string) string {
	return "PATCHBAY_" + envWord(cmp.Or(in.Target.Kind, in.Create.ConnectorType)) + "_" + envWord(name)
}

func hasMembers(raw []byte) bool { return rawjson.ParseMap(raw).Len() > 0 }

func envWord(s string) string {
	return strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, s)
}

//go:embed programs.tmpl
var programText string

var programs = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"split": split, "pieces": pieces, "text": pythonString, "literal": pythonLiteral,
		"line":   func(s string) string { return strings.Join(strings.Fields(s), " ") },
		"python": func(parts []piece) string { return expression(parts, "os.environ[%s]", pythonString) },
		"go":     func(parts []piece) string { return expression(parts, "os.Getenv(%s)", goString) },
	}).Parse(programText))
})

// program fills one of the templates of programs.tmpl.
func program(name string, data any) (string, error) {
	var b strings.Builder
	err := programs().ExecuteTemplate(&b, name, data)
	return b.String(), err
}

// expression writes pieces as an expression of a language that joins texts with +.
func expression(parts []piece, env string, text func(string) string) string {
	if len(parts) == 0 {
		return text("")
	}
	terms := make([]string, len(parts))
	for i, p := range parts {
		if terms[i] = text(p.text); p.env {
			terms[i] = fmt.Sprintf(env, terms[i])
		}
	}
	return strings.Join(terms, " + ")
}

// wireProgram is what a program needs that makes the request itself.
type wireProgram struct {
	*client.Request
	Address string // with the separator before the secret query
	Data    []piece
	HasBody bool
	// Download is set where the answer is a file, Comment says why the program is what it is.
	Download bool
	Comment  string
}

func matchGo(text string) bool {
	return strings.Contains(text, "package main") && strings.Contains(text, "net/http")
}

func renderGo(in Input) (string, error) {
	r, data, err := request(in)
	if err != nil {
		return "", err
	}
	// A body indented is one that can be read.
	if in.Create == nil && len(data) == 1 && strings.HasPrefix(data[0].text, "{") {
		data = []piece{{text: indent([]byte(data[0].text))}}
	}
	address := r.URL
	if len(r.Query) > 0 && strings.Contains(address, "?") {
		address += "&"
	} else if len(r.Query) > 0 {
		address += "?"
	}
	text, err := program("go", wireProgram{Request: r, Address: address, Data: data, HasBody: data != nil})
	if err != nil {
		return "", err
	}
	formatted, err := format.Source([]byte(text))
	return string(formatted), err
}

// goString writes a text of several lines between back quotes where that keeps it exactly.
func goString(s string) string {
	if !strings.Contains(s, "\n") {
		return strconv.Quote(s)
	}
	for line := range strings.SplitSeq(s, "\n") {
		if !strconv.CanBackquote(line) {
			return strconv.Quote(s)
		}
	}
	return "`" + s + "`"
}

// parseGo reads a program as renderGo writes it: the address given to
// http.NewRequest, the text of body and the organization's header.
func parseGo(text string) (Parsed, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", trimText(text), parser.SkipObjectResolution)
	if err != nil {
		return Parsed{}, fmt.Errorf("the program cannot be read: %w", err)
	}
	var address, body, organization string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "body" && len(n.Rhs) == 1 {
				body = goLiteral(n.Rhs[0])
			}
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			switch {
			case !ok:
			case f.Sel.Name == "NewRequest" && len(n.Args) == 3:
				address = goLiteral(n.Args[1])
			case f.Sel.Name == "Set" && len(n.Args) == 2 && strings.EqualFold(goLiteral(n.Args[0]), organizationHeader):
				organization = goLiteral(n.Args[1])
			}
		}
		return true
	})
	switch {
	case address == "":
		return Parsed{}, errors.New("the program has no http.NewRequest with a literal address")
	case body == "":
		return Parsed{}, errors.New("the program has no literal text named body")
	}
	return fromHTTP(address, body, organization)
}

// goLiteral is the text of an expression of literals; variables of the environment stay as ${NAME}.
func goLiteral(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return goLiteral(e.X) + goLiteral(e.Y)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Getenv" && len(e.Args) == 1 {
			return "${" + goLiteral(e.Args[0]) + "}"
		}
	}
	return ""
}
