// Package transport is the one way to the wire, for the hosted service and for
// third parties: it makes HTTP exchanges, records each as a client.Attempt
// with timings and without secrets, repeats reads where that is safe, and
// tells failures apart.
//
// It may import catalog, client, client/rawjson and client/secret; what is particular to
// the service or to a third party stays with its callers, hosted and local.
package transport
