package dialog

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/diff"
	"patchbay/client/rawjson"
	"patchbay/client/relate"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
	"patchbay/ui/text"
)

// RequestLines writes a request as it goes over the wire.
func RequestLines(req *client.Request) []overlay.Line {
	url := req.URL
	for i, q := range req.Query {
		sep := "&"
		if i == 0 && !strings.Contains(url, "?") {
			sep = "?"
		}
		url += sep + q.Name + "=" + q.Value
	}
	out := []overlay.Line{{Text: req.Method + " " + url, Tone: overlay.Accent}}
	for _, h := range req.Headers {
		out = append(out, overlay.Line{Label: h.Name + ":", Text: h.Value})
	}
	if req.Basic != nil {
		out = append(out, overlay.Line{Label: "Authorization:",
			Text: "Basic " + req.Basic.User + ":" + req.Basic.Password + " (base64)"})
	}
	out = append(out, overlay.Line{})
	out = append(out, JSONLines(req.Body)...)
	for _, n := range req.Notes {
		out = append(out, overlay.Line{Text: n, Tone: overlay.Dim})
	}
	for _, v := range req.Env {
		out = append(out, overlay.Line{Text: "$" + v.Name + " holds " + v.Meaning, Tone: overlay.Dim})
	}
	return out
}

// Question puts an operation to the connector of the form.
func Question(h Host, op client.Operation) answer.Question {
	r := h.Request()
	return answer.Question{Target: r.Connector().Target(h.Session().Name), Op: op, Kind: r.Kind(), Entity: r.Entity(),
		Action: r.Action(), Asked: h.Now()}
}

// RecordName is what people would call a record whose fields value finds.
func RecordName(value func(field string) (rawjson.Node, bool), key string) string {
	names := relate.Names(value, key)
	for i := range names {
		names[i] = text.Short(names[i], 48)
	}
	return strings.Join(names, "  ·  ")
}

// JSONLines are a JSON body over several lines; any other body as it is.
func JSONLines(body []byte) []overlay.Line {
	var b bytes.Buffer
	if json.Indent(&b, body, "", "  ") != nil {
		b.Reset()
		b.Write(body)
	}
	var out []overlay.Line
	for _, l := range text.Lines(b.String()) {
		out = append(out, overlay.Line{Text: string(l), Tone: overlay.JSON})
	}
	return out
}

var diffTones = map[string]overlay.Tone{"+": overlay.Good, "-": overlay.Bad, "~": overlay.Warn, "!": overlay.Warn,
	"": overlay.Heading}

// Diff finds out what differs and shows it: the title and the lines come from do.
func Diff(do func(context.Context) (string, []response.DiffLine, error)) intent.Intent {
	return intent.Task{What: "comparing", Do: func(ctx context.Context) (func() intent.Intent, error) {
		title, lines, err := do(ctx)
		if err != nil {
			return nil, err
		}
		body := make([]overlay.Line, len(lines))
		for i, l := range lines {
			body[i] = overlay.Line{Text: strings.TrimSpace(l.Sign + " " + l.Text), Tone: diffTones[l.Sign]}
		}
		return func() intent.Intent {
			return intent.Push{Overlay: &overlay.Reader{Heading: title, Body: body, Wide: true,
				CopyWhat: "differences"}}
		}, nil
	}}
}

// changesShown bounds how many differences of records are listed.
const changesShown = 500

// Changes lists the differences of b from a, each labelled by its kind; same is said
// where there is none. fields are those of records, as the catalog knows them.
func Changes(ctx context.Context, a, b rawjson.Node, fields []catalog.Field, same string) ([]overlay.Line, error) {
	res, err := diff.Diff(ctx, a, b, diff.Options{Fields: fields, Max: changesShown})
	if err != nil {
		return nil, err
	}
	if len(res.Changes) == 0 {
		return []overlay.Line{{Text: same, Tone: overlay.Good}}, nil
	}
	var out []overlay.Line
	show := func(n rawjson.Node) string { return text.Short(string(n.Raw()), 200) }
	for _, c := range res.Changes {
		l := overlay.Line{Label: c.Kind.String(), LabelWidth: 8}
		var values string
		switch c.Kind {
		case diff.Added:
			values, l.Tone = show(c.B), overlay.Good
		case diff.Removed:
			values, l.Tone = show(c.A), overlay.Bad
		default:
			values, l.Tone = show(c.A)+" → "+show(c.B), overlay.Warn
		}
		l.Text = c.Path.Dotted() + "  " + values
		out = append(out, l)
	}
	if res.More {
		out = append(out, overlay.Line{Tone: overlay.Dim,
			Text: "There is more; only the first differences are listed."})
	}
	return out, nil
}
