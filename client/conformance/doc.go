// Package conformance holds no code but tests: the public definition of the
// hosted API, a checker over it, and clients and servers that know nothing of
// ours, run against both sides. It speaks the words of that definition.
package conformance
