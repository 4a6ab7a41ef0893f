package hosted

import (
	"io"
	"net/http"

	"patchbay/client"
	"patchbay/client/rawjson"
	"patchbay/client/transport"
)

// rangeParam is the param of a download that takes a Range value, where the
// catalog does not say another one.
const rangeParam = "range_header"

// partOf asks for the part that a writer misses. The service takes the range as a
// param and sends it on; what the part belongs to goes along as a header, for
// services that heed it: whoever reads the answer checks it all the same.
func (c *Client) partOf(t client.Target, op client.Operation, w io.Writer) (client.Operation, http.Header) {
	file, is := w.(client.FileWriter)
	if !is {
		return op, nil
	}
	header := http.Header{"Accept-Encoding": {"identity"}}
	part := file.Missing()
	if part.From == 0 {
		return op, header
	}
	transport.AskUnchanged(header, part)
	params := rawjson.ParseMap(op.Params)
	if params == nil {
		params = &rawjson.Map{}
	}
	params.Set(c.rangeParamOf(t, op), transport.RangeOf(part))
	op.Params = params.JSON()
	return op, header
}

func (c *Client) rangeParamOf(t client.Target, op client.Operation) string {
	k := c.kind(t.Kind)
	if k == nil {
		return rangeParam
	}
	e := k.Entity(op.Entity)
	if e == nil || e.Action(op.Action) == nil {
		return rangeParam
	}
	if b := e.Action(op.Action).Binding; b != nil && b.Download != nil && b.Download.RangeParam != "" {
		return b.Download.RangeParam
	}
	return rangeParam
}
