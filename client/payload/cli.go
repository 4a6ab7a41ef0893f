package payload

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patchbay/client/rawjson"
)

// errConfig is the service's own rule (product specification, Configuration values).
var errConfig = errors.New("the service's CLI takes no configuration values when it creates a connector: " +
	"create it with the HTTP API (curl) and replication_config, then use the CLI for describe and execute")

func renderCLI(in Input) (string, error) {
	program := ""
	for _, v := range in.environment(in.Preset.ProgramHost, true) {
		program += v[0] + "=" + shellWord(v[1]) + " "
	}
	program += in.Preset.Program + " connectors "
	switch {
	case in.Create != nil && hasMembers(in.Create.ReplicationConfig):
		return "", errConfig
	case in.Create != nil:
		// The CLI asks for credentials itself (a hosted setup flow), and what it calls the
		// name is the type.
		m := &rawjson.Map{}
		addText(m, "workspace", in.Create.Workspace)
		m.Add("name", in.slug())
		return program + "create --json " + shellWord(string(m.JSON())), nil
	case in.Target.Local:
		return "", errors.New("the service's CLI makes no local calls: copy the call as curl, Python or Go, or run " +
			"patchbay execute --local")
	}
	if in.Operation.Action == Describe {
		return program + "describe --json " + shellWord(string(place(in).JSON())), nil
	}
	raw, err := call(in)
	if err != nil {
		return "", err
	}
	return program + "execute --json " + shellWord(string(raw)), nil
}

// matchCLI looks at the first words. A program that was copied names patchbay
// too, in a comment about where its token comes from.
func matchCLI(text string) bool {
	clean := cleanShell(text)
	other := slices.ContainsFunc([]string{"curl", "package ", "import ", "from "},
		func(start string) bool { return strings.HasPrefix(clean, start) })
	words := strings.Fields(clean)
	return !other && slices.ContainsFunc(words[:min(len(words), 20)], isProgram)
}

func isProgram(word string) bool {
	return slices.Contains([]string{"platform-agent", "airbyte-agent", "patchbay"}, path.Base(word))
}

// wordsBehind are the words of a shell text behind the first that is a program's name.
func wordsBehind(text string, program func(word string) bool, missing string) ([]string, error) {
	calls, err := shellCalls(text)
	if err != nil {
		return nil, err
	}
	for _, words := range calls {
		if i := slices.IndexFunc(words, program); i >= 0 {
			return words[i+1:], nil
		}
	}
	return nil, errors.New(missing)
}

func parseCLI(text string) (Parsed, error) {
	words, err := wordsBehind(text, isProgram, "no command of the service's CLI was found")
	if err != nil {
		return Parsed{}, err
	}
	c := cliCall{members: &rawjson.Map{}}
	if err := c.read(words); err != nil {
		return Parsed{}, err
	}
	if err := c.take(); err != nil {
		return Parsed{}, err
	}
	p, err := parseBody(c.members.JSON())
	if err != nil {
		return Parsed{}, fmt.Errorf("the payload of connectors %s: %w", c.verb, err)
	}
	p.Notes = append(p.Notes, c.notes...)
	return p, nil
}

// cliCall is a command of the service's CLI taken apart: the members of its payload, as
// one JSON text or an option for each.
type cliCall struct {
	verb, json string
	members    *rawjson.Map
	notes      []string
}

// Options of the CLI beside those for the members of the payload: with a value, and
// without one.
var (
	cliValues   = strings.Fields("fields output o profile format")
	cliSwitches = strings.Fields("verbose v sandbox yes y")
)

// read takes the words behind the program apart.
func (c *cliCall) read(words []string) error {
	for i := 0; i < len(words); i++ {
		name, value, has := strings.Cut(words[i], "=")
		option := strings.TrimLeft(name, "-")
		switch {
		case option == name || option == "":
			if c.verb == "" && name != "connectors" {
				c.verb = words[i]
			}
			continue
		case option == "skip-truncation":
			c.members.Set("skip_truncation", !has || value == "true")
			continue
		case slices.Contains(cliSwitches, option):
			continue
		}
		if !has {
			if i++; i >= len(words) {
				return fmt.Errorf("the option %s stands without a value", name)
			}
			value = words[i]
		}
		if err := c.option(option, value); err != nil {
			return err
		}
	}
	return nil
}

// option takes an option with its value.
func (c *cliCall) option(name, value string) error {
	switch name {
	case "json":
		c.json = value
	case "workspace", "name", "id", "entity", "action", "intent":
		c.members.Set(name, value)
	case "select-fields", "exclude-fields":
		member := strings.ReplaceAll(name, "-", "_")
		list, _ := c.members.Value(member).([]string)
		c.members.Set(member, append(list, strings.Split(value, ",")...))
	case "params":
		params := json.RawMessage(strings.TrimSpace(value))
		if err := validJSON(params); err != nil {
			return fmt.Errorf("the option --params: %w", err)
		}
		c.members.Set(name, params)
	default:
		if !slices.Contains(cliValues, name) {
			return fmt.Errorf("the option --%s is not one of the service's CLI", shorten(name))
		}
		c.notes = append(c.notes, "The option "+name+" is not used.")
	}
	return nil
}

// take makes the members of a payload of what the command is, its options and its JSON.
func (c *cliCall) take() error {
	if c.verb != "execute" && c.verb != "create" && c.verb != Describe {
		return fmt.Errorf("the command is %q: only connectors execute, create and describe can be read",
			shorten(c.verb))
	}
	switch {
	case c.json == "" && c.members.Len() == 0:
		return fmt.Errorf("connectors %s needs --json and a payload, or an option for each member", c.verb)
	case c.json == "-" || strings.HasPrefix(c.json, "@"):
		return fmt.Errorf("--json %s reads a file that is not part of the text: paste its content instead",
			shorten(c.json))
	case c.json != "":
		if err := validJSON([]byte(c.json)); err != nil {
			return fmt.Errorf("the payload behind --json: %w", err)
		}
		given := rawjson.ParseMap([]byte(c.json))
		if given == nil {
			return errors.New("the payload behind --json is no JSON object")
		}
		for i, name := range given.Keys {
			c.members.Set(name, given.Vals[i])
		}
	}
	switch m := c.members; {
	case c.verb == Describe:
		m.Set("action", Describe)
	case c.verb == "create" && !m.Has("connector_type"): // what the CLI calls the name is the type
		m.Set("connector_type", m.Value("name"))
	}
	return nil
}
