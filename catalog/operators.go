package catalog

// SearchOperator is what a filter of context_store_search may say.
type SearchOperator struct{ Name, Doc string }

// SearchOperators are those that the platform document allows, with what they take.
var SearchOperators = []SearchOperator{
	{"eq", `is the value: {"eq": {"field": value}}; null finds what is missing`},
	{"neq", "is not the value"},
	{"gt", "is greater"}, {"gte", "is greater or the same"}, {"lt", "is less"}, {"lte", "is less or the same"},
	{"in", `is one of a list: {"in": {"field": [a, b]}}`},
	{"like", "holds the text; % stands for any characters"},
	{"fuzzy", "holds the words in any order, and forgives letters"},
	{"keyword", "holds the words whole"},
	{"not", `holds where a condition does not: {"not": condition}`},
	{"and", `all hold: {"and": [condition, condition]}`}, {"or", "one of the list holds"},
}
