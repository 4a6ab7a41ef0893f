package payload

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/rawjson"
)

// sdkProgram is a program that calls the service's Python SDK.
type sdkProgram struct {
	Imports, Comments []string
	Environment       [][2]string
	// Open makes what Call is made with, which has the name Name.
	Open, Name, Call string
}

// OS reports whether the program uses the module of that name.
func (p sdkProgram) OS() bool {
	return len(p.Environment) > 0 || strings.Contains(p.Open+p.Call, "os.environ[")
}

// The depths at which the calls of a program stand.
const (
	openDepth = 4
	callDepth = 8
)

func renderPython(in Input) (string, error) {
	p := sdkProgram{Name: "connector"}
	var err error
	switch {
	case in.Create != nil:
		err = p.create(in)
	case !in.Target.Local && in.Operation.Action == catalog.ActionDownload && !catalog.Windowed(in.Operation.Params):
		return hostedDownload(in)
	case !in.Target.Local:
		if err = p.connect(in); err == nil {
			p.Call, err = execute(in.Operation, callDepth)
		}
	case in.Request == nil:
		err = errNoRequest
	case in.slug() == "" || in.Kind.Source == catalog.User || in.Request.Signed == nil,
		in.Target.BaseURL+in.Operation.NextURL != "":
		// The SDK knows no such connector, or not at that address.
		r := in.Request
		return program("requests", wireProgram{Request: r, Address: r.URL, Data: []piece{{text: string(r.Body)}},
			HasBody: len(r.Body) > 0, Download: in.Operation.Action == catalog.ActionDownload})
	default:
		err = p.local(in)
	}
	if err != nil {
		return "", err
	}
	return program("sdk", p)
}

// hostedDownload makes the request itself, because the SDK reads every answer of the
// service as JSON.
func hostedDownload(in Input) (string, error) {
	r, data, err := request(in)
	if err != nil {
		return "", err
	}
	return program("requests", wireProgram{Request: r, Address: r.URL, Data: data, HasBody: data != nil, Download: true,
		Comment: "The SDK reads answers as JSON only, so this asks the service for the file without it."})
}

// execute is the call of an operation, at a depth.
func execute(op client.Operation, depth int) (string, error) {
	params, err := rawjson.CompactObject(op.Params)
	if err != nil {
		return "", fmt.Errorf("the params are no JSON object: %w", err)
	}
	args := []string{pythonString(op.Entity), pythonString(op.Action)}
	if params != nil {
		args = append(args, "params="+pythonLiteral(rawjson.Parse(params), depth+4))
	}
	for _, named := range []struct {
		name  string
		paths []string
	}{{"select_fields", op.SelectFields}, {"exclude_fields", op.ExcludeFields}} {
		if len(named.paths) > 0 {
			args = append(args, named.name+"="+pythonLiteral(rawjson.Parse(rawjson.Encode(named.paths)), depth+4))
		}
	}
	if op.Truncate {
		args = append(args, "skip_truncation=False")
	}
	return pythonCall("connector.execute", args, depth), nil
}

// connect opens a hosted connector: by its type, which must be the only one of its
// workspace, or where the SDK takes it by its id.
func (p *sdkProgram) connect(in Input) error {
	slug, byID := in.slug(), in.Preset.AuthConfig == "" && in.Target.ConnectorID != ""
	switch {
	case slug == "":
		return errors.New("the Python SDK finds a connector by its type, which is not known here: copy the call as " +
			"curl")
	case (in.Twin || in.Target.Workspace == "") && !byID:
		return errors.New("the Python SDK finds a connector by its workspace and its type, and these fit no single " +
			"one: copy the call as curl")
	}
	var args []string
	args = addArgument(args, "workspace_name", in.Target.Workspace)
	args = addArgument(args, "organization_id", in.organization())
	if in.Twin || in.Target.Workspace == "" {
		args = addArgument(args, "connector_id", in.Target.ConnectorID)
	}
	imported := "connect"
	if in.Preset.AuthConfig != "" && in.organization() != "" {
		args = append(args, p.credentials(in, in.Preset.FieldPrefix)...)
		args = []string{"auth_config=" + pythonCall(in.Preset.AuthConfig, args, openDepth+4)}
		imported = in.Preset.AuthConfig + ", connect"
	} else if in.Known != nil {
		args = append(args, p.credentials(in, "")...)
	}
	p.open(in, imported)
	p.Open = pythonCall("connect", append([]string{pythonString(slug)}, args...), openDepth)
	return nil
}

// credentials are the arguments with the platform's own client id and secret.
func (p *sdkProgram) credentials(in Input, prefix string) []string {
	id, secret := "os.environ["+pythonString(in.Preset.ClientID)+"]", "os.environ["+
		pythonString(in.Preset.ClientSecret)+"]"
	if in.Known != nil {
		id, secret = pythonString(string(in.Known.clientID)), pythonString(string(in.Known.clientSecret))
	}
	return []string{prefix + "client_id=" + id, prefix + "client_secret=" + secret}
}

// open adds what every program needs that calls the service.
func (p *sdkProgram) open(in Input, imported string) {
	p.Imports = []string{"from " + in.Preset.Module + " import " + imported}
	p.Environment = in.environment(in.Preset.SDKHost, false)
	if in.Known == nil {
		p.Comments = []string{in.Preset.ClientID + " and " + in.Preset.ClientSecret +
			" are read from the environment."}
	}
}

// create makes a connector; its credentials are read from the environment.
func (p *sdkProgram) create(in Input) error {
	if in.Kind == nil || in.Kind.DefinitionID == "" {
		return errors.New("the Python SDK creates a connector by the id of its definition, which the catalog does " +
			"not know: copy the creation as curl")
	}
	c := in.Create
	args := []string{"definition_id=" + pythonString(in.Kind.DefinitionID)}
	args = addArgument(args, "name", c.Name)
	credentials := "{"
	if given := rawjson.ParseMap(c.Credentials); given.Len() > 0 {
		for _, name := range given.Keys {
			credentials += "\n" + strings.Repeat(" ", callDepth+8) + pythonString(name) + ": os.environ[" +
				pythonString(credentialVariable(in, name)) + "],"
		}
		args = append(args, "credentials="+credentials+"\n"+strings.Repeat(" ", callDepth+4)+"}")
	}
	if hasMembers(c.ReplicationConfig) {
		args = append(args, "replication_config="+pythonLiteral(rawjson.Parse(c.ReplicationConfig), callDepth+4))
	}
	p.open(in, "Workspace")
	p.Name, p.Call = "workspace", pythonCall("workspace.create_connector", args, callDepth)
	var where []string
	where = addArgument(where, "workspace_name", c.Workspace)
	where = addArgument(where, "organization_id", in.organization())
	if in.Known != nil {
		where = append(where, p.credentials(in, "")...)
	}
	p.Open = pythonCall("Workspace", where, openDepth)
	return nil
}

// local runs an operation in this process, by the class that the SDK has for the type.
func (p *sdkProgram) local(in Input) error {
	op, signed := in.Operation, in.Request.Signed
	op.Params = signed.Params
	if e := in.Kind.Entity(op.Entity); in.Preset.Wire && e != nil && e.Action(op.Action) != nil && op.Params != nil {
		op.Params = catalog.ToWire(in.Kind, e, e.Action(op.Action), op.Params)
	}
	slug := in.slug()
	class, module := pascalCase(slug), in.Preset.Module+".connectors."+strings.ReplaceAll(slug, "-", "_")
	auth := class + authSuffix(in.Kind, signed.Option) + "AuthConfig"
	var fields, args []string
	for _, f := range signed.Fields {
		fields = append(fields, f.Name+"="+expression(split(f.Value), "os.environ[%s]", pythonString))
	}
	args = append(args, "auth_config="+pythonCall(auth, fields, openDepth+4))
	for _, c := range signed.Config {
		args = addArgument(args, c.Name, c.Value)
	}
	p.Imports = []string{"from " + module + " import " + class + "Connector",
		"from " + module + ".models import " + auth}
	for _, v := range signed.Env {
		p.Comments = append(p.Comments, v.Name+" holds "+v.Meaning+".")
	}
	p.Open = pythonCall(class+"Connector", args, openDepth)
	if op.Action != catalog.ActionDownload {
		var err error
		p.Call, err = execute(op, callDepth)
		return err
	}
	// What comes is the content, piece by piece.
	p.Imports = append([]string{"from " + in.Preset.Module + " import save_download"}, p.Imports...)
	content, err := execute(op, callDepth+4)
	p.Call = pythonCall("save_download", []string{"await " + content, pythonString(op.Entity)}, callDepth)
	return err
}

// authSuffix stands in the name of an auth config where the kind has several: the title
// of its credential method.
func authSuffix(k *catalog.Kind, option string) string {
	count := 0
	for _, m := range k.Credentials {
		if !m.Unavailable {
			count++
		}
	}
	if count < 2 {
		return ""
	}
	return pascalCase(option)
}

// pascalCase is how the SDK makes the name of a class: incident-io becomes IncidentIo,
// OAuth 2.0 Oauth20.
func pascalCase(s string) string {
	var b strings.Builder
	between := func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }
	for word := range strings.FieldsFuncSeq(s, between) {
		first := true
		for _, r := range word {
			switch {
			case !unicode.IsLetter(r) && !unicode.IsDigit(r):
				continue
			case first:
				r = unicode.ToUpper(r)
			default:
				r = unicode.ToLower(r)
			}
			b.WriteRune(r)
			first = false
		}
	}
	return b.String()
}

// addArgument adds a named text, unless it is empty.
func addArgument(args []string, name, value string) []string {
	if value == "" {
		return args
	}
	return append(args, name+"="+pythonString(value))
}

// pythonCall writes a call at a depth: on a line where it fits, else with a line for
// each argument.
func pythonCall(name string, args []string, depth int) string {
	const widest = 88
	line := name + "(" + strings.Join(args, ", ") + ")"
	if !strings.Contains(line, "\n") && depth+len(line) <= widest {
		return line
	}
	space := strings.Repeat(" ", depth)
	var b strings.Builder
	b.WriteString(name + "(\n")
	for _, a := range args {
		b.WriteString(space + "    " + a + ",\n")
	}
	return b.String() + space + ")"
}

// pythonLiteral writes a JSON value as Python, indented by depth spaces.
func pythonLiteral(n rawjson.Node, depth int) string {
	brackets := "[]"
	switch n.Kind() {
	case rawjson.Object:
		brackets = "{}"
	case rawjson.Array:
	case rawjson.String:
		return pythonString(n.Text())
	case rawjson.Number:
		return n.Text()
	case rawjson.Bool:
		return map[string]string{"true": "True", "false": "False"}[n.Text()]
	default:
		return "None"
	}
	var b strings.Builder
	space := strings.Repeat(" ", depth)
	for name, value := range n.Children() {
		b.WriteString("\n    " + space)
		if name.Exists() {
			b.WriteString(pythonString(name.Text()) + ": ")
		}
		b.WriteString(pythonLiteral(value, depth+4) + ",")
	}
	if b.Len() > 0 {
		b.WriteString("\n" + space)
	}
	return brackets[:1] + b.String() + brackets[1:]
}

// pythonString writes a text as a Python string literal. Control characters and
// those that editors hide or reorder are escaped.
func pythonString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
