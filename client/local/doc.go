// Package local calls third-party APIs directly. One engine reads the
// catalog's bindings: how a request is built, how it is signed, where records,
// paging and errors stand in the answer. It knows no single connector.
// Credentials go to the third party's own servers and nowhere else.
//
// It may import catalog and the client packages below it (transport, rawjson,
// secret); never hosted, a store of the user's files, or a screen.
package local
