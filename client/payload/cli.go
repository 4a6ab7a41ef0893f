package payload

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

func cliFormat() Format {
	return Format{Name: "cli", Title: "a CLI command", Match: matchCLI, Parse: parseCLI, Render: renderCLI}
}

// errConfig is the service's own rule (product specification, Configuration values).
var errConfig = errors.New("the service's CLI takes no configuration values when it creates a connector: " +
	"create it with the HTTP API (curl) and replication_config, then use the CLI for describe and execute")

func renderCLI(in Input) (string, error) {
	program := in.preset().Program + " connectors "
	if in.Create != nil {
		if hasMembers(in.Create.ReplicationConfig) {
			return "", errConfig
		}
		// The CLI asks for credentials itself (a hosted setup flow): none stand in the command.
		made := *in.Create
		made.Credentials = nil
		in.Create = &made
		return program + "create --json " + shellTemplate(createPayload(in, true)), nil
	}
	if in.Target.Local {
		return "", errors.New("the service's CLI makes no local calls: copy the call as curl, Python or Go, or run patchbay execute --local")
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
	for _, other := range []string{"curl", "package ", "import ", "from "} {
		if strings.HasPrefix(clean, other) {
			return false
		}
	}
	words := strings.Fields(clean)
	return slices.ContainsFunc(words[:min(len(words), 20)], isProgram)
}

func isProgram(word string) bool {
	switch path.Base(word) {
	case "platform-agent", "airbyte-agent", "patchbay":
		return true
	}
	return false
}

func parseCLI(text string) (Parsed, error) {
	calls, err := shellCalls(text)
	if err != nil {
		return Parsed{}, err
	}
	for _, words := range calls {
		for i, w := range words {
			if isProgram(w) {
				return parseCommand(words[i+1:])
			}
		}
	}
	return Parsed{}, errors.New("no command of the service's CLI was found")
}

// parseCommand reads the words behind the program's name.
func parseCommand(words []string) (Parsed, error) {
	var payload, verb string
	for i := 0; i < len(words); i++ {
		w := words[i]
		value, joined := strings.CutPrefix(w, "--json=")
		switch {
		case joined:
			payload = value
		case w == "--json" && i+1 < len(words):
			i++
			payload = words[i]
		case w == "--json":
			return Parsed{}, errors.New("--json stands without a payload")
		case !strings.HasPrefix(w, "-") && w != "connectors" && verb == "":
			verb = w
		}
	}
	switch {
	case verb != "execute" && verb != "create":
		return Parsed{}, fmt.Errorf("the command is %q: only connectors execute and connectors create can be read", shorten(verb))
	case payload == "":
		return Parsed{}, fmt.Errorf("connectors %s needs --json and a payload", verb)
	case payload == "-" || strings.HasPrefix(payload, "@"):
		return Parsed{}, fmt.Errorf("--json %s reads a file that is not part of the text: paste its content instead", shorten(payload))
	}
	p, err := parseBody([]byte(payload))
	if err != nil {
		return Parsed{}, fmt.Errorf("the payload behind --json: %w", err)
	}
	return p, nil
}
