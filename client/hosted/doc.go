// Package hosted speaks the connector service's HTTP API: tokens,
// organizations, workspaces, connectors, and the execution of operations.
//
// It may import catalog and the client packages below it (transport, rawjson,
// secret); never local, a store of the user's files, or a screen.
package hosted
