package query

import (
	"context"
	"strconv"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/jq"
	"patchbay/ui/intent"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// keys are the names of members that complete what stands before the cursor.
type keys struct {
	// before is what stands before the name, after what stands behind the cursor.
	before, after string
	names         []string
	at            int
}

// complete goes to the next (1) or previous (-1) key that continues what is typed. The
// keys are looked up in what is loaded, beside the update loop.
func (l *programLine) complete(d int) intent.Intent {
	if n := len(l.keys.names); n > 0 {
		l.keys.at = (l.keys.at + d + n) % n
		return l.take()
	}
	before, after := l.field.Split()
	u, ok := jq.Unfinish(before)
	if !ok {
		return intent.Say{Text: "type a dot and the beginning of a key, then tab completes it", Bad: true}
	}
	feed := l.f.Response().Feed(answer.Query{Program: u.Base, Bodies: l.bodies})
	return intent.Task{Lane: intent.Typing, Do: func(ctx context.Context) (func() intent.Intent, error) {
		names, list, err := feed.Keys(ctx)
		return func() intent.Intent {
			if now, _ := l.field.Split(); now != before {
				return nil // more was typed since
			}
			l.keys = keys{before: before[:u.At], after: after, names: continuing(names, list, u.Name)}
			if err != nil || len(l.keys.names) == 0 {
				return intent.Say{Text: "no key of " + u.Base + " begins with \"" + u.Name + "\"", Bad: true}
			}
			return l.take()
		}, nil
	}}
}

// continuing are the names that begin as was typed, else those that hold it; of arrays
// the way into them.
func continuing(names []string, list bool, typed string) []string {
	var begin, hold []string
	for _, n := range names {
		switch at := strings.Index(strings.ToLower(n), strings.ToLower(typed)); {
		case at == 0:
			begin = append(begin, n)
		case at > 0:
			hold = append(hold, n)
		}
	}
	if list && typed == "" {
		return append(begin, "[]")
	}
	if len(begin) > 0 {
		return begin
	}
	return hold
}

// take puts the key in place of what was typed of it.
func (l *programLine) take() intent.Intent {
	k := &l.keys
	before, name := k.before, k.names[k.at]
	switch {
	case name == "[]" && before != ".":
		before = strings.TrimSuffix(before, ".") // the dot was for the key
	case name != "[]" && !plain(name):
		name = strconv.Quote(name)
	}
	l.field.Put(before+name, k.after)
	return l.changed()
}

// plain reports whether a name can stand behind a dot as it is.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// keyLines is how many lines the keys may take.
const keyLines = 2

// lines show the keys, the one taken marked.
func (k *keys) lines(w int, s *style.Styles) []text.Safe {
	if len(k.names) < 2 {
		return nil
	}
	var out []text.Safe
	var line text.Safe
	used := 0
	for i := k.at; i < len(k.names); i++ {
		t := text.Truncate(s.Data(text.Sanitize(k.names[i])), w-2)
		if used > 0 && used+2+text.Width(t) > w {
			if out = append(out, line); len(out) == keyLines {
				return out
			}
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"  ", used+2
		}
		look := s.Muted
		if i == k.at {
			look = s.Selected
		}
		line, used = line+look.Render(t), used+text.Width(t)
	}
	return append(out, line)
}
