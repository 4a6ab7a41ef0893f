package text

import "strings"

// shapes are the characters that the screen is drawn with beside ASCII, and
// those of the same width that stand for them on a terminal that has only ASCII.
var shapes = []struct {
	shape rune
	plain string
}{
	{'│', "|"}, {'─', "-"}, {'›', ">"}, {'·', "-"}, {'…', "~"}, {'●', "*"}, {'▸', ">"},
	{'▾', "v"}, {'▲', "^"}, {'▼', "v"}, {'✂', "x"}, {'→', ">"}, {'←', "<"},
	{'↑', "^"}, {'↓', "v"}, {'‹', "<"}, {'↵', "/"}, {'━', "="},
	{'┃', "|"}, {'µ', "u"}, {'×', "x"}, {'•', "*"}, {'✓', "+"}, {'✗', "x"},
	{'├', "|"}, {'└', "`"},
}

// standIns is the first of the private characters that stand for shapes in
// data until the screen is drawn.
const standIns = 0xf0000

var protector, plainer = replacers()

func replacers() (protect, plain *strings.Replacer) {
	var in, out []string
	for i, s := range shapes {
		stand := string(rune(standIns + i))
		in = append(in, string(s.shape), stand, stand, "\ufffd")
		out = append(out, string(s.shape), s.plain, stand, string(s.shape))
	}
	return strings.NewReplacer(in...), strings.NewReplacer(out...)
}

// Protect marks the shapes in data, so that Plain leaves them as they are.
func Protect(data Safe) Safe {
	if clean(string(data)) {
		return data
	}
	return Safe(protector.Replace(string(data)))
}

// Plain draws the shapes of a line with ASCII characters, except those in
// protected data.
func Plain(line Safe) Safe { return Safe(plainer.Replace(string(line))) }
