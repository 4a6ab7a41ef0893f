package document

import (
	"cmp"
	"context"
	"time"

	"patchbay/client"
	"patchbay/client/answer"
	"patchbay/client/download"
	"patchbay/client/rawjson"
)

// lookTime bounds how long is looked at what a download brought.
const lookTime = 15 * time.Second

// tableMax is the largest table whose rows are made records.
const tableMax = 32 << 20

// Downloaded is the answer to a download: a card of the file as far as it came, with
// its records where it holds some. Without any byte of it the error is the answer.
func Downloaded(
	ctx context.Context, q answer.Question, f *download.File, env *client.Envelope, err error,
) *answer.Page {
	if err != nil && (!f.Begun || f.Store.Size() == 0) {
		return answer.NewPage(ctx, q, env, err)
	}
	look, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
	defer cancel()
	r := f.Result(look, q.Op.Entity)
	p := &answer.Page{Question: q}
	kind := r.Content.Kind
	if r.Whole() && (kind == download.Records || kind == download.Table && r.Spool.Size() <= tableMax) {
		p = asRecords(context.WithoutCancel(ctx), r)
		p.Question = q
	}
	p.File = r
	p.Env = received(p.Env, env, err, r)
	return p
}

// asRecords reads the content of a file as a document of records.
func asRecords(ctx context.Context, r *download.Result) *answer.Page {
	reading := answer.Reading{Name: r.Name, Size: r.Spool.Size()}
	var d *answer.Document
	if r.Content.Kind == download.Table {
		comma := commas
		if r.Content.Type == "text/tab-separated-values" {
			comma = tabs
		}
		reading.Note, reading.Own, reading.Table = notes[comma], r.Spool.Size(), true
		d = Stream(ctx, r.Spool.Reader(), reading, 0)
	} else {
		d = answer.OpenDocument(ctx, r.Spool.Source(), reading)
	}
	d.Wait(ctx)
	return d.Page()
}

// received is the envelope of what came: that of a document, else of the bytes.
func received(shown, env *client.Envelope, err error, r *download.Result) *client.Envelope {
	out := client.Envelope{Names: client.Neutral, Body: rawjson.Source(r.Spool.Source())}
	if shown != nil {
		out = *shown
	}
	out.Shape, out.Status = client.ShapeOther, r.Head.Status
	out.ContentType, out.FileName = r.Head.ContentType, r.Head.Name
	if env == nil {
		env = &client.Envelope{Attempts: client.AsError(err).Attempts}
	}
	out.Started, out.Took, out.Attempts = env.Started, env.Took, env.Attempts
	out.Warning = env.Warning
	out.Status = cmp.Or(env.Status, out.Status)
	return &out
}
