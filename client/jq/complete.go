package jq

import "strings"

// Unfinished is a name that is being typed at the end of a program: that of a member of
// what Base gives.
type Unfinished struct {
	// Base is a program for the value whose members are meant.
	Base string
	// At is where the name begins in the text, Name what there is of it.
	At   int
	Name string
}

// level is what stands inside a bracket: in gives what it is fed, from is where the
// pipeline behind that begins.
type level struct {
	outer, in string
	from      int
}

// Unfinish finds the member that the end of a text begins to name; false where none is.
func Unfinish(text string) (u Unfinished, ok bool) {
	at := len(text)
	for at > 0 && nameByte(text[at-1]) {
		at--
	}
	if at == 0 || text[at-1] != '.' {
		return u, false
	}
	levels := []level{{outer: ".", in: "."}}
	for i := 0; i < at-1; {
		top := &levels[len(levels)-1]
		switch text[i] {
		case '"':
			end := quoted(text, i)
			if end > at-1 {
				return u, false // a text is being typed
			}
			i = end
			continue
		case '#':
			return u, false
		case '(', '[', '{':
			in := top.in
			if word := text[top.from:i]; strings.HasSuffix(word, "map") || strings.HasSuffix(word, "_by") {
				in = pipe(in, ".[]?")
			}
			levels = append(levels, level{outer: in, in: in, from: i + 1})
		case ')', ']', '}':
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
			}
		case '|':
			if i+1 < len(text) && text[i+1] == '=' { // what follows is fed the value at the left
				i++
				top.from = i + 1
				break
			}
			top.in, top.from = pipe(top.in, text[top.from:i]), i+1
		case ';':
			top.in, top.from = top.outer, i+1
		}
		i++
	}
	top := levels[len(levels)-1]
	path := text[pathStart(text, top.from, at-1) : at-1]
	return Unfinished{Base: pipe(top.in, path), At: at, Name: text[at:]}, true
}

func pipe(in, then string) string {
	switch then = strings.TrimSpace(then); {
	case then == "":
		return in
	case in == ".":
		return then
	}
	return in + " | " + then
}

// pathStart is where the way begins that ends at an offset: names, indexes and texts with
// nothing between them.
func pathStart(text string, from, end int) int {
	at := end
	for at > from {
		switch c := text[at-1]; {
		case c == ']' || c == '"' || c == ')':
			open := opening(text, from, at-1)
			if open < 0 {
				return at
			}
			at = open
		case pathByte(c) || c == '.':
			at--
		default:
			return at
		}
	}
	return at
}

// opening is where the bracket or the text opens that closes at an offset; -1 where it
// does not.
func opening(text string, from, end int) int {
	depth := 0
	for i := end; i >= from; i-- {
		switch text[i] {
		case ']', ')':
			depth++
		case '[', '(':
			if depth--; depth == 0 {
				return i
			}
		case '"':
			if depth == 0 && i < end {
				return i
			}
		}
	}
	return -1
}

// quoted is where the text that begins at an offset ends.
func quoted(text string, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text) + 1
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func pathByte(c byte) bool { return nameByte(c) || c == '?' || c == '$' }
