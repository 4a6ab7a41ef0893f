package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"patchbay/client"
	"patchbay/client/payload"
)

type payloadFlags struct {
	payload        *payloadFlag
	as, from       *string
	local, baseURL *string
}

func payloadCommand() command {
	return command{
		name: "payload", usage: "[--as FORMAT] --json PAYLOAD | --from FILE|-", service: true, summary: "Write a call as JSON, CLI, curl, Python or Go, or read one back.",
		help: "--from reads any of these formats, also as people write them by hand.\n" +
			"curl and Go need to know the service: a profile, PLATFORM_ variables, --sandbox or --local.\n" +
			"Secrets never stand in the text: it names environment variables.",
		setup: func(fs *flag.FlagSet) runner {
			f := payloadFlags{
				payload: bindPayload(fs), as: choose(fs, "as", "json", "the format to write", payload.Names()...),
				from:    fs.String("from", "", "read the call from a `file`, or - for stdin"),
				local:   fs.String("local", "", "write the call to the third party of this `kind`"),
				baseURL: fs.String("base-url", "", "the `url` that a local call goes to"),
			}
			return func(ctx context.Context, a *app, _ []string) error { return a.writeCall(ctx, f) }
		},
	}
}

func (a *app) writeCall(ctx context.Context, f payloadFlags) error {
	parsed, err := a.readCall(f)
	if err != nil {
		return err
	}
	for _, n := range parsed.Notes {
		a.say("%s", n)
	}
	in, err := a.callInput(ctx, f, parsed)
	if err != nil {
		return err
	}
	format, _ := payload.ByName(*f.as)
	text, err := format.Render(in)
	if err != nil {
		return fail(client.ClassRefused, "the call cannot be written as %s: %v", format.Title, err)
	}
	w := a.dataOut()
	if _, err := fmt.Fprintln(w, strings.TrimRight(text, "\n")); err != nil {
		return err
	}
	return flush(w)
}

// readCall reads the call from --json or --from.
func (a *app) readCall(f payloadFlags) (payload.Parsed, error) {
	switch {
	case *f.from != "" && f.payload.text != "":
		return payload.Parsed{}, usage("--json and --from both give a call").next("Leave one of them out.")
	case *f.from != "":
		text, err := a.readText(*f.from)
		if err != nil {
			return payload.Parsed{}, err
		}
		p, err := payload.Parse(string(text))
		if err != nil {
			return p, usage("%s: %v", *f.from, err)
		}
		return p, nil
	case f.payload.text == "":
		return payload.Parsed{}, usage("payload needs a call").next("Give --json PAYLOAD, or --from FILE to read one back.")
	}
	raw, inline, err := a.payloadBytes(f.payload.text)
	if err != nil {
		return payload.Parsed{}, err
	}
	_, err = parseRequest(raw, inline, []string{"workspace", "name", "id", "entity", "action", "params", "select_fields", "exclude_fields",
		"connector_type", "credentials", "replication_config", "organization_id"})
	if err != nil {
		return payload.Parsed{}, err
	}
	asJSON, _ := payload.ByName("json")
	p, err := asJSON.Parse(string(raw))
	if err != nil {
		return p, usage("the payload: %v", err)
	}
	return p, nil
}

func (a *app) readText(name string) ([]byte, error) {
	if name == "-" {
		return readBounded(a.stdin, "stdin")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usage("the call cannot be read: %v", err).next("Give --from the name of a file, or - for stdin.")
	}
	defer f.Close()
	return readBounded(f, name)
}

// callInput gathers what the formats need. Those that do not need the exact
// request get by without a service.
func (a *app) callInput(ctx context.Context, f payloadFlags, p payload.Parsed) (payload.Input, error) {
	in := payload.Input{Operation: p.Operation, OrganizationID: p.OrganizationID, Create: p.Create}
	in.Target = client.Target{Workspace: p.Workspace, Name: p.Name, ConnectorID: p.ConnectorID}
	if *f.local != "" {
		return a.localInput(ctx, f, in)
	}
	exact := *f.as == "curl" || *f.as == "go"
	profile, ok, err := a.chosen()
	if err != nil && a.flags.Profile != "" {
		return in, err
	}
	if ok && presetOf(profile.BaseURL) != nil {
		in.Preset = payload.Public()
	}
	if ok && in.OrganizationID == "" {
		in.OrganizationID = profile.OrganizationID
	}
	if !exact {
		return in, nil
	}
	return a.hostedInput(ctx, in)
}

// hostedInput adds the exact request of a hosted call.
func (a *app) hostedInput(ctx context.Context, in payload.Input) (payload.Input, error) {
	s, err := a.service(ctx)
	if err != nil {
		return in, err
	}
	if s.sandbox != nil {
		a.say("The call works while this runs beside it: patchbay sandbox")
	}
	if in.OrganizationID != "" {
		s.hosted.SetOrganization(in.OrganizationID)
	}
	if in.Create != nil {
		in.Request, err = s.hosted.PreviewCreate(*in.Create)
		return in, err
	}
	c, err := s.connector(ctx, request{Workspace: in.Target.Workspace, Name: in.Target.Name, ID: in.Target.ConnectorID})
	if err != nil {
		return in, err
	}
	in.Target = c.Target(s.name)
	in.Request, err = s.Preview(in.Target, in.Operation)
	return in, err
}

// localInput adds the exact request of a local call.
func (a *app) localInput(ctx context.Context, f payloadFlags, in payload.Input) (payload.Input, error) {
	k, err := a.kinds().Kind(*f.local)
	if err != nil {
		return in, err
	}
	s, err := a.localSession(ctx)
	if err != nil {
		return in, err
	}
	in.Operation = payload.Exact(in.Operation, k)
	in.Target = client.Target{Profile: s.name, Kind: k.Name, Name: in.Target.Name, Local: true, BaseURL: *f.baseURL}
	in.Request, err = s.Preview(in.Target, in.Operation)
	return in, err
}
