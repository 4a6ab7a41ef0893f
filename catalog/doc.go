// Package catalog knows every connector kind that patchbay can explore: its
// entities, actions, parameters, records, rules and the bindings that turn an
// action into an HTTP or GraphQL request. One YAML file per kind under
// connectors/ is the only place that knows the kind; schema.json describes the
// files to editors, and go generate compiles them into catalog.bin, from which
// kinds are decoded when they are opened. The package source reads the files.
//
// # Files
//
// The keys of a file are the JSON names of the types in types.go, with these
// short forms:
//
//   - entities, actions, params, record, search, meta, members and config are
//     mappings from name to description, in order; fields of credentials may
//     also be a list of fields with names.
//   - A field may be just its type: "id: string", "name: string|null",
//     "key: integer|string". null in a type makes the field nullable. The type
//     is left out where items, members or values say it.
//   - "search: unknown" and "params: unknown" say that nobody knows them.
//   - An action's binding stands under http, as a mapping or as
//     "GET /v1/customers"; headers, query, body and meta are mappings in order.
//   - "page: none" is a page with just a style; the style may be left out.
//   - local.auth is one mapping or a list, {header: NAME, value: TEMPLATE} for one
//     header.
//   - note is one fact, notes a list; a fact is a sentence or {text, source}.
//
// The actions list, get, api_search, context_store_search, semantic_search and
// download only read; every other one is taken for a write, unless reads: true says
// that it reads. An action with a name of its own says reads: true or reads: false.
//
// A context_store_search action needs nothing: its params, meta and paging are
// those that the platform document states for every kind.
//
// # Sources
//
// A fact without source stands in the product specification. "source: upstream"
// (or derived) at a kind, entity, action, method or field holds for everything
// inside that does not state its own; "source: spec" leads back. Local calls,
// bindings, paging and semantic indexes are upstream and relations and
// destructive marks derived unless they say otherwise. A documented field whose
// default, limits or other attributes only the reference tables state lists them
// under upstream. Facts of a user's own files have the source user.
//
// # Names
//
// Name is the specification's word. Alias is what the real connector definition
// calls it where that differs; received bodies and hosted calls with wire names
// carry it. Wire is the name in the third party's own HTTP request and read by
// local calls only.
//
// The package imports the leaves rawjson and strictyaml and its own clause, nothing
// else of patchbay. What it hands out is shared and must not be changed.
package catalog
