package repaint

import (
	"bytes"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// class says what a piece of output does to a terminal, as far as dropping
// rows has to know.
type class int

const (
	other    class = iota // may change anything: all that is known of the screen is forgotten
	harmless              // neither draws nor moves: titles, queries, modes
	text                  // printable characters
	style                 // a change of the pen
	link                  // the begin or end of a hyperlink
	wrap                  // autowrap on or off
	erase                 // erases from the cursor to the end of its row
	edit                  // changes cells of the cursor's row only
	rows                  // changes any row and leaves the cursor where it is
	move                  // moves the cursor and does nothing else
)

// token is one run of text or one control sequence, with its parameters where
// it has some.
type token struct {
	class  class
	seq    []byte
	final  byte
	params ansi.Params
}

// split cuts b into tokens. Ok is false when it ends within a sequence.
func split(b []byte, p *ansi.Parser, into []token) (tokens []token, ok bool) {
	for len(b) > 0 {
		n := bytes.IndexFunc(b, func(r rune) bool { return r < 0x20 || r == 0x7f }) // a control byte
		if n < 0 {
			n = len(b)
		}
		if n > 0 {
			into = append(into, token{class: text, seq: b[:n]})
			b = b[n:]
			continue
		}
		seq, _, n, state := ansi.DecodeSequence(b, ansi.NormalState, p)
		if state != ansi.NormalState || n == 0 {
			return into, false
		}
		into = append(into, classify(seq, p))
		b = b[n:]
	}
	return into, true
}

func classify(seq []byte, p *ansi.Parser) token {
	t := token{seq: seq}
	switch {
	case len(seq) == 1 && strings.IndexByte("\r\n\b\t", seq[0]) >= 0:
		t.class, t.final = move, seq[0]
	case ansi.HasCsiPrefix(seq) && len(seq) > 1:
		cmd := ansi.Cmd(p.Command())
		t.final, t.params = cmd.Final(), append(ansi.Params(nil), p.Params()...)
		t.class = csiClass(cmd, t.params)
	case ansi.HasOscPrefix(seq) && len(seq) > 3 && seq[2] == '8' && seq[3] == ';': // a hyperlink
		t.class = link
	case len(seq) > 1 && (ansi.HasOscPrefix(seq) || ansi.HasDcsPrefix(seq) || ansi.HasApcPrefix(seq)):
		t.class = harmless
	}
	return t
}

func csiClass(cmd ansi.Cmd, params ansi.Params) class {
	if cmd.Prefix() == '?' && (cmd.Final() == 'h' || cmd.Final() == 'l') {
		return modeClass(params)
	}
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return extensionClass(cmd)
	}
	if first, _, _ := params.Param(0, 0); cmd.Final() == 'K' && first == 0 {
		return erase
	}
	for _, c := range []struct {
		finals string
		class  class
	}{{"m", style}, {"HfdG`ABCDEF", move}, {"KX@Pb", edit}, {"JST", rows}, {"cn", harmless}} {
		if strings.IndexByte(c.finals, cmd.Final()) >= 0 {
			return c.class
		}
	}
	return other
}

// extensionClass knows the keyboard protocols, the shape of the cursor and the
// queries among the sequences with a prefix or an intermediate byte.
func extensionClass(cmd ansi.Cmd) class {
	switch {
	case cmd.Prefix() == 0 && cmd.Intermediate() == ' ' && cmd.Final() == 'q',
		cmd.Intermediate() == '$' && cmd.Final() == 'p',
		cmd.Final() == 'u',
		cmd.Prefix() == '>' && (cmd.Final() == 'm' || cmd.Final() == 'q' || cmd.Final() == 'c'),
		cmd.Prefix() == '?' && cmd.Final() == 'n':
		return harmless
	}
	return other
}

// modeClass sorts the private modes. Those that do not touch what is drawn are
// named; every other mode may.
func modeClass(params ansi.Params) class {
	for i := range params {
		mode, _, _ := params.Param(i, 0)
		switch mode {
		case 7:
			if len(params) == 1 {
				return wrap
			}
			return other
		case 1, 12, 25, 1000, 1002, 1003, 1004, 1006, 2004, 2026, 2031:
		default:
			return other
		}
	}
	return harmless
}

// move follows the cursor. A coordinate that a move makes relative to an unknown
// one stays unknown.
func (s *state) move(t token) {
	n, _, _ := t.params.Param(0, 1)
	n = max(n, 1)
	switch t.final {
	case 'H', 'f':
		col, _, _ := t.params.Param(1, 1)
		s.y, s.x = n-1, max(col, 1)-1
	case 'd':
		s.y = n - 1
	case 'G', '`':
		s.x = n - 1
	case 'A':
		s.y = up(s.y, n)
	case 'B':
		s.y = down(s.y, n)
	case 'C':
		s.x = down(s.x, n)
	case 'D':
		s.x = up(s.x, n)
	case 'E':
		s.x, s.y = 0, down(s.y, n)
	case 'F':
		s.x, s.y = 0, up(s.y, n)
	default:
		s.control(t.final)
	}
}

func (s *state) control(c byte) {
	switch c {
	case '\r':
		s.x = 0
	case '\n':
		// Where the terminal also returns the carriage, only the first column
		// is sure to stay.
		s.y = down(s.y, 1)
		if s.x != 0 {
			s.x = unknown
		}
	case '\b':
		s.x = up(s.x, 1)
	default:
		s.x = unknown
	}
}

func up(at, n int) int {
	if at == unknown {
		return unknown
	}
	return max(at-n, 0)
}

func down(at, n int) int {
	if at == unknown {
		return unknown
	}
	return at + n
}
