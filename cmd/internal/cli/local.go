package cli

import (
	"context"
	"io"

	"patchbay/client"
	"patchbay/client/transport"
)

// localExecutor runs operations straight against third parties.
func (a *app) localExecutor(_ *session, _ *transport.Client) client.Executor { return noLocal{} }

// noLocal refuses local targets.
type noLocal struct{}

func (noLocal) refuse() error {
	return fail(client.ClassRefused, "this program has no local adapters").next("Use a hosted connector.")
}

// Execute implements client.Executor.
func (n noLocal) Execute(context.Context, client.Target, client.Operation) (*client.Envelope, error) {
	return nil, n.refuse()
}

// Preview implements client.Executor.
func (n noLocal) Preview(client.Target, client.Operation) (*client.Request, error) {
	return nil, n.refuse()
}

// Download implements client.Executor.
func (n noLocal) Download(context.Context, client.Target, client.Operation, io.Writer) (*client.Envelope, error) {
	return nil, n.refuse()
}
