package catalog

import "slices"

// sourceWords say in a footnote where facts come from that the specification does not state.
var sourceWords = map[Source]string{
	Upstream: "from the vendor's documentation",
	Derived:  "concluded from the names and from what is documented",
	User:     "from your own catalog files",
	Live:     "described by the service",
	Seen:     "seen in answers",
}

// footMarks mark the lines of a block that a footnote is about.
var footMarks = map[Source]string{Upstream: "*", Derived: "**", User: "***", Live: "†", Seen: "‡"}

// Footnoted is documentation that tells its sources once behind each block: a footnote
// for all of the block, or with a mark at the lines that it is about.
func Footnoted(lines []DocLine) []DocLine {
	var out []DocLine
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Role != DocSection {
			n++
		}
		out = append(out, footnoted(lines[:n])...)
		lines = lines[n:]
	}
	return out
}

// footnoted is one block, whose first line may be its heading.
func footnoted(block []DocLine) []DocLine {
	var sources []Source
	for _, l := range block {
		if l.Role != DocSection && l.Source != Documented && !slices.Contains(sources, l.Source) {
			sources = append(sources, l.Source)
		}
	}
	one := len(sources) == 1 && !slices.ContainsFunc(block, func(l DocLine) bool {
		return l.Role != DocSection && l.Source != sources[0]
	})
	out := slices.Clone(block)
	for i := range out {
		l := &out[i]
		if l.Source != Documented && l.Role != DocSection && !one {
			mark := footMarks[l.Source]
			switch {
			case l.Text != "":
				l.Text += " " + mark
			case len(l.Marks) > 0:
				l.Marks = append(slices.Clone(l.Marks[:len(l.Marks)-1]), l.Marks[len(l.Marks)-1]+" "+mark)
			default:
				l.Text = mark
			}
		}
		l.Source = Documented
	}
	for _, s := range sources {
		words := sourceWords[s]
		if !one {
			words = footMarks[s] + " " + words
		}
		out = append(out, DocLine{Role: DocFootnote, Text: words, Indent: min(block[0].Indent+1, 1)})
	}
	return out
}
