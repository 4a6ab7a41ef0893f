package client

import "errors"

// Hide passes what is told of an answer beside its body through a function that takes
// secrets out of texts: what the server said, the names it suggests, the fields it
// points at. Either may be nil.
func Hide(env *Envelope, err error, text func(string) string) {
	var all []*string
	if env != nil {
		all = append(all, &env.Warning, &env.FileName, &env.ContentType, &env.ConnectorInstance)
	}
	if e, ok := errors.AsType[*Error](err); ok {
		all = append(all, &e.Doing, &e.Message, &e.Server, &e.Next, &e.Field, &e.RequestID)
		if e.Envelope != nil && e.Envelope != env {
			Hide(e.Envelope, nil, text)
		}
	}
	for _, t := range all {
		*t = text(*t)
	}
}
