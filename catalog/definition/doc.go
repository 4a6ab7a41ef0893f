// Package definition turns definitions of APIs into kinds: OpenAPI 3.0 and 3.1, Swagger
// 2.0, and the connector definitions of the hosted service's family, which are OpenAPI
// 3.1 with extension keys. Import says for every operation what it became and why, and
// lists what was left out.
//
// The files are read by libopenapi, which keeps the order of a file and its lines, knows
// all three versions, and follows references within a file and between files. Nothing is
// sent to a server that a definition names.
//
// It imports catalog and the leaves rawjson and strictyaml, nothing else of patchbay.
package definition
