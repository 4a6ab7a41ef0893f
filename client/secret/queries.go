package secret

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
)

// stretch is how many bytes InQueries looks at at once.
const stretch = 1 << 20

// InQueries lists from where to where the known secrets stand in src as values in the
// queries of addresses, letter by letter or escaped as there, in order and apart. It is
// for bodies of every size, and reads them much faster than Body does.
func (r *Redactor) InQueries(src interface {
	Len() int
	Slice(from, to int) []byte
}) [][2]int {
	forms, longest := r.inAddresses()
	if len(forms) == 0 {
		return nil
	}
	var out [][2]int
	for at := 0; at < src.Len(); at += stretch {
		piece := src.Slice(at, min(at+stretch+longest, src.Len()))
		for _, sign := range signs {
			for i := 0; i < stretch; {
				found := bytes.Index(piece[i:], sign)
				if found < 0 || i+found >= stretch {
					break
				}
				i += found + len(sign)
				if n := begins(piece[i:], forms); n > 0 {
					out = append(out, [2]int{at + i, at + i + n})
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// begins is how long the longest of the texts is that data begins with; 0 for none.
func begins(data []byte, texts [][]byte) int {
	n := 0
	for _, text := range texts {
		if len(text) > n && bytes.HasPrefix(data, text) {
			n = len(text)
		}
	}
	return n
}

// inAddresses are the texts that the secrets are in an address within JSON.
func (r *Redactor) inAddresses() (forms [][]byte, longest int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var texts []string
	for _, v := range r.values {
		texts = append(texts, v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(v, "/", `\/`))
	}
	slices.Sort(texts)
	for _, text := range slices.Compact(texts) {
		forms, longest = append(forms, []byte(text)), max(longest, longestSign+len(text))
	}
	return forms, longest
}

// signs are how the sign before a value ends in an address within JSON: =, \u003d, %3D.
var signs = [...][]byte{[]byte("="), []byte("3d"), []byte("3D")}

const longestSign = 2
