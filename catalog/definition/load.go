package definition

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi/datamodel"
	"github.com/pb33f/libopenapi/datamodel/high/base"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
	"github.com/pb33f/libopenapi/orderedmap"
)

// MaxSize is the largest definition that is read, and the sum of all files of one.
const MaxSize = 32 << 20

// Problem says why a definition cannot be read, and where.
type Problem struct {
	Name   string
	Line   int
	Reason string
}

func (p *Problem) Error() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.Name, p.Line, p.Reason)
	}
	return p.Name + ": " + p.Reason
}

// document is a definition in the words of OpenAPI 3, whichever version it has.
type document struct {
	version    string
	info       *base.Info
	ext        extensions
	servers    []*v3.Server
	operations []*operation
	schemas    *orderedmap.Map[string, *base.SchemaProxy]
	schemes    *orderedmap.Map[string, *v3.SecurityScheme]
	security   []*base.SecurityRequirement
	// problems are what the library could not follow.
	problems []string
}

// operation is one method of a path.
type operation struct {
	method, path, id, doc string
	tags                  []string
	params                []*v3.Parameter
	body                  *v3.RequestBody
	responses             *orderedmap.Map[string, *v3.Response]
	security              []*base.SecurityRequirement
	deprecated            bool
	ext                   extensions
	line                  int
}

func (o *operation) name() string { return strings.ToUpper(o.method) + " " + o.path }

// load reads the text of a definition. files opens what it refers to beside it; nil for
// a definition that stands alone.
func load(name string, data []byte, files fs.FS) (doc *document, err error) {
	if err := look(name, data); err != nil {
		return nil, err
	}
	defer func() { // the library is fed with what strangers write
		if r := recover(); r != nil {
			doc, err = nil, &Problem{Name: name, Reason: fmt.Sprintf("the definition cannot be read: %v", r)}
		}
	}()
	config := &datamodel.DocumentConfiguration{Logger: slog.New(slog.NewTextHandler(io.Discard, nil)),
		SkipCircularReferenceCheck: true, SkipJSONConversion: true, SkipMetadataCollection: true,
		ExcludeExtensionRefs: true, MergeReferencedProperties: true, TransformSiblingRefs: true}
	if files != nil {
		config.BasePath, config.LocalFS, config.AllowFileReferences = ".", files, true
	}
	parsed, err := libopenapi.NewDocumentWithConfiguration(data, config)
	if err != nil {
		return nil, problem(name, err)
	}
	defer parsed.Release()
	loops := openPages(parsed.GetSpecInfo().RootNode, files).unloop()
	if files != nil && len(loops) > 0 {
		return nil, &Problem{Name: name, Reason: loops[0]}
	}
	doc, err = model(name, parsed)
	if doc != nil {
		doc.problems = append(loops, doc.problems...)
	}
	return doc, err
}

// model takes the operations out of what was parsed.
func model(name string, parsed libopenapi.Document) (*document, error) {
	if strings.HasPrefix(parsed.GetVersion(), "2") {
		model, err := parsed.BuildV2Model()
		if model == nil {
			return nil, problem(name, err)
		}
		return fromSwagger(&model.Model, node{resolved(parsed.GetSpecInfo().RootNode)}, err), nil
	}
	model, err := parsed.BuildV3Model()
	if model == nil {
		return nil, problem(name, err)
	}
	return fromOpenAPI(&model.Model, err), nil
}

var lineOf = regexp.MustCompile(`line (\d+):? ?| at L(\d+)\.C\d+[^:]*`)

// problem finds the line in what the library says.
func problem(name string, err error) error {
	text := "it has no definition of an API"
	if err != nil {
		text = strings.TrimPrefix(err.Error(), "yaml: ")
	}
	if strings.Contains(text, "not supported") {
		text = "it is no definition of an API: OpenAPI 3 begins with openapi: and Swagger with swagger: \"2.0\""
	}
	p := &Problem{Name: name, Reason: text}
	if m := lineOf.FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(first(m[1:]...)) // the pattern takes digits only
		p.Reason = "not valid YAML: " + strings.Replace(text, m[0], "", 1)
	}
	return p
}

// look refuses what is no definition, before a parser spends time on it.
func look(name string, data []byte) error {
	head := bytes.ToLower(bytes.TrimSpace(data[:min(len(data), 512)]))
	switch {
	case len(data) > MaxSize:
		return &Problem{Name: name, Reason: fmt.Sprintf("it is larger than %d MiB", MaxSize>>20)}
	case len(head) == 0:
		return &Problem{Name: name, Reason: "the file is empty"}
	case bytes.HasPrefix(head, []byte("<")):
		return &Problem{Name: name, Line: 1, Reason: "this is a web page or XML, not an OpenAPI definition: give the " +
			"address of the definition's YAML or JSON"}
	}
	return nil
}

// fromOpenAPI takes the operations of OpenAPI 3 in the order of the file.
func fromOpenAPI(d *v3.Document, err error) *document {
	doc := &document{version: d.Version, info: d.Info, servers: d.Servers, security: d.Security,
		problems: split(err), ext: extensions{d.Extensions}}
	if doc.info == nil {
		doc.info = &base.Info{}
	}
	if d.Components != nil {
		doc.schemas, doc.schemes = d.Components.Schemas, d.Components.SecuritySchemes
	}
	if d.Paths == nil {
		return doc
	}
	for path, item := range d.Paths.PathItems.FromOldest() {
		for method, o := range item.GetOperations().FromOldest() {
			one := &operation{method: strings.ToUpper(method), path: path, id: o.OperationId, tags: o.Tags,
				doc: first(o.Description, o.Summary), body: o.RequestBody, security: o.Security,
				deprecated: o.Deprecated != nil && *o.Deprecated, ext: extensions{o.Extensions}}
			one.params = merged(item.Parameters, o.Parameters)
			if o.Responses != nil {
				one.responses = o.Responses.Codes
			}
			if low := o.GoLow(); low != nil && low.KeyNode != nil {
				one.line = low.KeyNode.Line
			}
			doc.operations = append(doc.operations, one)
		}
	}
	return doc
}

// merged are the params of a path and of its operation, which wins.
func merged(path, own []*v3.Parameter) []*v3.Parameter {
	var out []*v3.Parameter
	for _, p := range path {
		taken := false
		for _, o := range own {
			taken = taken || o != nil && p != nil && o.Name == p.Name && o.In == p.In
		}
		if p != nil && !taken {
			out = append(out, p)
		}
	}
	for _, o := range own {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// split lists the errors that were joined into one.
func split(err error) []string {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var out []string
		for _, one := range joined.Unwrap() {
			out = append(out, split(one)...)
		}
		return out
	}
	return []string{err.Error()}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			return t
		}
	}
	return ""
}

// sentence is the first line of a text, as one that fits into a row.
func sentence(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	const longest = 300
	if len(text) <= longest {
		return text
	}
	cut := strings.LastIndex(text[:longest], " ")
	if cut < longest/2 {
		cut = longest
	}
	return strings.ToValidUTF8(text[:cut], "") + " ..."
}

// absolute is a server's address, from where the file came if it is relative.
func absolute(server, from string) string {
	base, err := url.Parse(from)
	if err != nil || base.Host == "" || strings.Contains(server, "://") || strings.HasPrefix(server, "{") {
		return server
	}
	at, err := base.Parse(server)
	if err != nil {
		return server
	}
	return at.String()
}
