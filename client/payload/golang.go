package payload

import (
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

func goFormat() Format {
	return Format{Name: "go", Title: "a Go program", Match: matchGo, Parse: parseGo, Render: renderGo}
}

func matchGo(text string) bool {
	return strings.Contains(text, "package main") && strings.Contains(text, "net/http")
}

func renderGo(in Input) (string, error) {
	r, data, err := request(in)
	if err != nil {
		return "", err
	}
	if in.Create == nil {
		data = prettyBody(data)
	}
	var b strings.Builder
	b.WriteString(goImports(data != nil, len(r.Query) > 0))
	for _, e := range r.Env {
		fmt.Fprintf(&b, "// %s holds %s.\n", oneLine(e.Name), oneLine(e.Meaning))
	}
	b.WriteString("func main() {\n\tif err := run(); err != nil {\n\t\tfmt.Fprintln(os.Stderr, err)\n\t\tos.Exit(1)\n\t}\n}\n\nfunc run() error {\n")
	goRequest(&b, in, data)
	b.WriteString(goSend)
	text, err := format.Source([]byte(b.String()))
	return string(text), err
}

// goRequest writes the statements that make req.
func goRequest(b *strings.Builder, in Input, data []piece) {
	r := in.Request
	address := goTemplate([]piece{{text: r.URL}})
	if len(r.Query) > 0 {
		fmt.Fprintf(b, "\tsecret := url.Values{}\n")
		for _, q := range r.Query {
			fmt.Fprintf(b, "\tsecret.Set(%s, %s)\n", strconv.Quote(q.Name), goTemplate(split(q.Value)))
		}
		separator := "?"
		if strings.Contains(r.URL, "?") {
			separator = "&"
		}
		address = goTemplate([]piece{{text: r.URL + separator}}) + " + secret.Encode()"
	}
	reader := "nil"
	if data != nil {
		fmt.Fprintf(b, "\tbody := %s\n", goTemplate(data))
		reader = "strings.NewReader(body)"
	}
	fmt.Fprintf(b, "\treq, err := http.NewRequest(%s, %s, %s)\n", strconv.Quote(r.Method), address, reader)
	b.WriteString("\tif err != nil {\n\t\treturn err\n\t}\n")
	for _, h := range r.Headers {
		fmt.Fprintf(b, "\treq.Header.Set(%s, %s)\n", strconv.Quote(h.Name), goTemplate(pieces(h.Value, h.Template)))
	}
	if r.Basic != nil {
		fmt.Fprintf(b, "\treq.SetBasicAuth(%s, %s)\n", goTemplate(split(r.Basic.User)), goTemplate(split(r.Basic.Password)))
	}
}

func goImports(hasBody, usesURL bool) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"net/http\"\n")
	if usesURL {
		b.WriteString("\t\"net/url\"\n")
	}
	b.WriteString("\t\"os\"\n")
	if hasBody {
		b.WriteString("\t\"strings\"\n")
	}
	b.WriteString("\t\"time\"\n)\n\n")
	return b.String()
}

const goSend = `	client := &http.Client{Timeout: 5 * time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(os.Stdout, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the server answered %s", resp.Status)
	}
	return nil
}
`

// prettyBody indents a JSON body so that the program can be read.
func prettyBody(data []piece) []piece {
	if len(data) != 1 || !strings.HasPrefix(data[0].text, "{") {
		return data
	}
	return []piece{{text: indent([]byte(data[0].text))}}
}

// goTemplate writes pieces as a Go expression.
func goTemplate(parts []piece) string {
	if len(parts) == 0 {
		return `""`
	}
	terms := make([]string, len(parts))
	for i, p := range parts {
		if p.env {
			terms[i] = "os.Getenv(" + strconv.Quote(p.text) + ")"
		} else {
			terms[i] = goString(p.text)
		}
	}
	return strings.Join(terms, " + ")
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

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// parseGo reads a program as renderGo writes it: the address given to
// http.NewRequest, the text of body and the organization's header.
func parseGo(text string) (Parsed, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", trimText(text), parser.SkipObjectResolution)
	if err != nil {
		return Parsed{}, fmt.Errorf("the program cannot be read: %w", err)
	}
	var found goParts
	ast.Inspect(file, found.visit)
	switch {
	case found.url == "":
		return Parsed{}, errors.New("the program has no http.NewRequest with a literal address")
	case found.body == "":
		return Parsed{}, errors.New("the program has no literal text named body")
	}
	return fromHTTP(found.url, found.body, found.organization, nil)
}

type goParts struct{ url, body, organization string }

func (g *goParts) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if name, ok := n.Lhs[0].(*ast.Ident); ok && name.Name == "body" && len(n.Rhs) == 1 {
			g.body = goLiteral(n.Rhs[0])
		}
	case *ast.CallExpr:
		g.call(n)
	}
	return true
}

func (g *goParts) call(c *ast.CallExpr) {
	f, ok := c.Fun.(*ast.SelectorExpr)
	switch {
	case !ok:
	case f.Sel.Name == "NewRequest" && len(c.Args) == 3:
		g.url = goLiteral(c.Args[1])
	case f.Sel.Name == "Set" && len(c.Args) == 2 && strings.EqualFold(goLiteral(c.Args[0]), "X-Organization-Id"):
		g.organization = goLiteral(c.Args[1])
	}
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

// organizationOf finds the organization that a request names.
func organizationOf(in Input) string {
	if in.OrganizationID != "" || in.Request == nil {
		return in.OrganizationID
	}
	for _, h := range in.Request.Headers {
		if strings.EqualFold(h.Name, "X-Organization-Id") {
			return h.Value
		}
	}
	return ""
}
