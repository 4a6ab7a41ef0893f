package payload

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

func pythonFormat() Format {
	return Format{Name: "python", Title: "a Python program", Match: matchPython, Parse: parsePython, Render: renderPython}
}

func matchPython(text string) bool {
	return strings.Contains(text, "import ") && (strings.Contains(text, ".execute(") || strings.Contains(text, "requests.request("))
}

func renderPython(in Input) (string, error) {
	if in.Create != nil {
		return "", errors.New("the Python SDK's way to create a connector is not documented: copy the call as curl")
	}
	if in.Target.Local {
		return renderRequests(in)
	}
	return renderSDK(in)
}

// renderSDK writes a program for the service's Python SDK.
func renderSDK(in Input) (string, error) {
	p := in.preset()
	name := in.Target.Name
	if name == "" {
		return "", errors.New("the Python SDK finds a connector by its name: give the connector a name, or copy the call as curl")
	}
	if len(in.Operation.SelectFields)+len(in.Operation.ExcludeFields) > 0 {
		return "", errors.New("the Python SDK's way to choose record fields is not documented: copy the call as curl")
	}
	params, err := pythonParams(in)
	if err != nil {
		return "", err
	}
	org := organizationOf(in)
	// An SDK that reads other variables by itself is handed these two.
	handed := p.FieldPrefix != Neutral().FieldPrefix
	var b strings.Builder
	b.WriteString("import asyncio\n")
	imported := "connect"
	if org != "" || handed {
		b.WriteString("import os\n")
	}
	if org != "" {
		imported = p.AuthConfig + ", connect"
	}
	fmt.Fprintf(&b, "\nfrom %s import %s\n\n# %s and %s are read from the environment.\n\n\nasync def main():\n",
		p.Module, imported, p.ClientID, p.ClientSecret)
	writeConnect(&b, in, org, handed)
	fmt.Fprintf(&b, "        result = await connector.execute(%s, %s%s)\n        print(result)\n\n\nasyncio.run(main())\n",
		pythonString(in.Operation.Entity), pythonString(in.Operation.Action), params)
	return b.String(), nil
}

func writeConnect(b *strings.Builder, in Input, org string, handed bool) {
	p, name := in.preset(), pythonString(in.Target.Name)
	if org != "" {
		writeAuth(b, in, org)
		fmt.Fprintf(b, "    async with connect(%s, auth_config=auth) as connector:\n", name)
		return
	}
	workspace := pythonString(in.Target.Workspace)
	if !handed {
		fmt.Fprintf(b, "    async with connect(%s, workspace_name=%s) as connector:\n", name, workspace)
		return
	}
	fmt.Fprintf(b, "    async with connect(\n        %s,\n        workspace_name=%s,\n        client_id=os.environ[%q],\n        client_secret=os.environ[%q],\n    ) as connector:\n",
		name, workspace, p.ClientID, p.ClientSecret)
}

func writeAuth(b *strings.Builder, in Input, org string) {
	p := in.preset()
	fmt.Fprintf(b, "    auth = %s(\n        workspace_name=%s,\n", p.AuthConfig, pythonString(in.Target.Workspace))
	if org != "" {
		fmt.Fprintf(b, "        organization_id=%s,\n", pythonString(org))
	}
	fmt.Fprintf(b, "        %sclient_id=os.environ[%q],\n        %sclient_secret=os.environ[%q],\n    )\n",
		p.FieldPrefix, p.ClientID, p.FieldPrefix, p.ClientSecret)
}

// pythonParams is the params argument, or nothing when there are no params.
func pythonParams(in Input) (string, error) {
	raw, err := body(in.Operation)
	if err != nil {
		return "", err
	}
	var parts struct {
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil || len(parts.Params) == 0 {
		return "", err
	}
	var b strings.Builder
	b.WriteString(", params=")
	d := json.NewDecoder(bytes.NewReader(parts.Params))
	d.UseNumber()
	if err := pythonLiteral(&b, d, 8); err != nil {
		return "", err
	}
	return b.String(), nil
}

// pythonLiteral writes the next JSON value as Python, indented by depth spaces.
func pythonLiteral(b *strings.Builder, d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return pythonContainer(b, d, t, depth)
	case string:
		b.WriteString(pythonString(t))
	case json.Number:
		b.WriteString(t.String())
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[t])
	default:
		b.WriteString("None")
	}
	return nil
}

func pythonContainer(b *strings.Builder, d *json.Decoder, open json.Delim, depth int) error {
	b.WriteString(open.String())
	some := false
	for d.More() {
		some = true
		b.WriteString("\n" + strings.Repeat(" ", depth+4))
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			name, _ := key.(string)
			b.WriteString(pythonString(name) + ": ")
		}
		if err := pythonLiteral(b, d, depth+4); err != nil {
			return err
		}
		b.WriteByte(',')
	}
	closing, err := d.Token()
	if err != nil {
		return err
	}
	if some {
		b.WriteString("\n" + strings.Repeat(" ", depth))
	}
	fmt.Fprint(b, closing)
	return nil
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

// pythonTemplate writes pieces as a Python expression.
func pythonTemplate(parts []piece) string {
	if len(parts) == 0 {
		return `""`
	}
	terms := make([]string, len(parts))
	for i, p := range parts {
		if p.env {
			terms[i] = "os.environ[" + pythonString(p.text) + "]"
		} else {
			terms[i] = pythonString(p.text)
		}
	}
	return strings.Join(terms, " + ")
}

// renderRequests writes a program that makes a local call with the requests package.
func renderRequests(in Input) (string, error) {
	r, data, err := request(in)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("import os\n\nimport requests\n\n")
	for _, e := range r.Env {
		fmt.Fprintf(&b, "# %s holds %s.\n", oneLine(e.Name), oneLine(e.Meaning))
	}
	fmt.Fprintf(&b, "response = requests.request(\n    %s,\n    %s,\n", pythonString(r.Method), pythonString(r.URL))
	if len(r.Query) > 0 {
		b.WriteString("    params={")
		for _, q := range r.Query {
			fmt.Fprintf(&b, "%s: %s, ", pythonString(q.Name), pythonTemplate(split(q.Value)))
		}
		b.WriteString("},\n")
	}
	b.WriteString("    headers={\n")
	for _, h := range r.Headers {
		fmt.Fprintf(&b, "        %s: %s,\n", pythonString(h.Name), pythonTemplate(pieces(h.Value, h.Template)))
	}
	b.WriteString("    },\n")
	if r.Basic != nil {
		fmt.Fprintf(&b, "    auth=(%s, %s),\n", pythonTemplate(split(r.Basic.User)), pythonTemplate(split(r.Basic.Password)))
	}
	if data != nil {
		fmt.Fprintf(&b, "    data=%s.encode(\"utf-8\"),\n", pythonTemplate(data))
	}
	b.WriteString("    timeout=300,\n)\nresponse.raise_for_status()\nprint(response.text)\n")
	return b.String(), nil
}
