package history

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/secret"
)

// coders are made at the first use; they take memory and time.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic("zstd refuses fixed options: " + err.Error())
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			panic("zstd refuses fixed options: " + err.Error())
		}
		return d
	})
)

func pack(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	return encoder().EncodeAll(body, nil)
}

func unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	return decoder().DecodeAll(packed, nil)
}

// envelope is what is kept of a client.Envelope beside its body.
type envelope struct {
	Shape       client.Shape    `json:"shape,omitempty"`
	Records     client.Span     `json:"records"`
	RecordsPath string          `json:"records_path,omitempty"`
	HasRecords  bool            `json:"has_records,omitempty"`
	Single      bool            `json:"single,omitempty"`
	Kept        []client.Span   `json:"kept,omitempty"`
	Meta        client.Span     `json:"meta"`
	MetaPath    string          `json:"meta_path,omitempty"`
	MetaJSON    json.RawMessage `json:"meta_json,omitempty"`
	NextURL     string          `json:"next_url,omitempty"`
	Paging      *client.Paging  `json:"paging,omitempty"`
	Names       client.Names    `json:"names,omitempty"`
	Status      int             `json:"status,omitempty"`
	ContentType string          `json:"content_type,omitempty"`
	Instance    string          `json:"instance,omitempty"`
	Warning     string          `json:"warning,omitempty"`
	FileName    string          `json:"file_name,omitempty"`
	// Same tells that the body is kept as received, so that the places in it hold.
	Same bool `json:"same,omitempty"`
}

func envelopeOf(env *client.Envelope, r *secret.Redactor) envelope {
	out := envelope{
		Shape: env.Shape, Records: env.Records, RecordsPath: env.RecordsPath, HasRecords: !env.Records.Empty(), Single: env.Single,
		Kept: env.Kept, Meta: env.Meta, MetaPath: env.MetaPath, NextURL: r.URL(env.NextURL), Paging: redactedPaging(env.Paging, r),
		Names: env.Names, Status: env.Status, ContentType: env.ContentType, Instance: env.ConnectorInstance,
		Warning: r.Text(env.Warning), FileName: r.Text(env.FileName),
	}
	if len(env.MetaJSON) > 0 && rawjson.Valid(env.MetaJSON) {
		out.MetaJSON = r.Body("application/json", env.MetaJSON)
	}
	return out
}

func redactedPaging(p *client.Paging, r *secret.Redactor) *client.Paging {
	if p == nil {
		return nil
	}
	out := *p
	out.Next = nil
	if v := rawjson.Parse(p.Next); v.Kind() == rawjson.String {
		out.Next = rawjson.AppendQuoted(nil, r.Text(v.Text()))
	} else if rawjson.Valid(p.Next) {
		out.Next = append(out.Next, p.Next...)
	}
	return &out
}

// restore makes an answer of what was kept.
func (e *envelope) restore(entry *Entry, body []byte) *client.Envelope {
	env := &client.Envelope{
		Shape: e.Shape, RecordsPath: e.RecordsPath, Single: e.Single, MetaPath: e.MetaPath, MetaJSON: e.MetaJSON, NextURL: e.NextURL,
		Paging: e.Paging, Names: e.Names, Status: e.Status, ContentType: e.ContentType, ConnectorInstance: e.Instance,
		Warning: e.Warning, FileName: e.FileName, Started: entry.Started, Took: entry.Took, ServerTime: entry.ServerTime, Attempts: entry.Attempts,
	}
	if entry.Kept == KeptNot || entry.Kept == KeptNone {
		return env
	}
	env.Body = client.Bytes(body)
	if e.Same {
		env.Records, env.Meta, env.Kept = clip(e.Records, len(body)), clip(e.Meta, len(body)), clipAll(e.Kept, len(body))
		return env
	}
	if e.HasRecords {
		env.Records = spanAt(body, e.RecordsPath)
	}
	if !e.Meta.Empty() {
		env.Meta = spanAt(body, e.MetaPath)
	}
	return env
}

func clip(s client.Span, n int) client.Span {
	s.From, s.To = min(s.From, n), min(s.To, n)
	if s.Empty() {
		return client.Span{}
	}
	return s
}

func clipAll(spans []client.Span, n int) []client.Span {
	if spans == nil {
		return nil
	}
	out := make([]client.Span, 0, len(spans))
	for _, s := range spans {
		if s.To <= n {
			out = append(out, s)
		}
	}
	return out
}

// spanAt finds a value again in a body in which secrets were replaced.
func spanAt(body []byte, dotted string) client.Span {
	path, err := rawjson.ParsePath(dotted)
	if err != nil {
		return client.Span{}
	}
	v, ok := rawjson.Parse(body).Lookup(path)
	if !ok {
		return client.Span{}
	}
	from, to := v.Span()
	return client.Span{From: from, To: to}
}

func millis(ms int64) time.Time { return time.UnixMilli(ms) }

func (s *Store) damaged(id int64, err error) error {
	return s.failed(fmt.Sprintf("read run %d", id), err)
}
