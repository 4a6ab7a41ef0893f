package repaint

import (
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
		if n := printable(b); n > 0 {
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

// printable counts the bytes before the first control byte.
func printable(b []byte) int {
	for i, c := range b {
		if c < 0x20 || c == 0x7f {
			return i
		}
	}
	return len(b)
}

func classify(seq []byte, p *ansi.Parser) token {
	switch {
	case len(seq) == 1:
		return control(seq)
	case ansi.HasCsiPrefix(seq):
		return csi(seq, p)
	case ansi.HasOscPrefix(seq):
		return osc(seq)
	case ansi.HasDcsPrefix(seq), ansi.HasApcPrefix(seq):
		return token{class: harmless, seq: seq}
	}
	return token{class: other, seq: seq}
}

func control(seq []byte) token {
	switch seq[0] {
	case '\r', '\n', '\b', '\t':
		return token{class: move, seq: seq, final: seq[0]}
	}
	return token{class: other, seq: seq}
}

// osc tells a hyperlink (8) from the commands that draw nothing.
func osc(seq []byte) token {
	if len(seq) > 3 && seq[2] == '8' && seq[3] == ';' {
		return token{class: link, seq: seq}
	}
	return token{class: harmless, seq: seq}
}

func csi(seq []byte, p *ansi.Parser) token {
	cmd := ansi.Cmd(p.Command())
	t := token{seq: seq, final: cmd.Final(), params: append(ansi.Params(nil), p.Params()...)}
	t.class = csiClass(cmd, t.params)
	return t
}

func csiClass(cmd ansi.Cmd, params ansi.Params) class {
	if cmd.Prefix() == '?' && (cmd.Final() == 'h' || cmd.Final() == 'l') {
		return modeClass(params)
	}
	if cmd.Prefix() != 0 || cmd.Intermediate() != 0 {
		return extensionClass(cmd)
	}
	first, _, _ := params.Param(0, 0)
	switch cmd.Final() {
	case 'm':
		return style
	case 'H', 'f', 'd', 'G', '`', 'A', 'B', 'C', 'D', 'E', 'F':
		return move
	case 'K':
		if first == 0 {
			return erase
		}
		return edit
	case 'X', '@', 'P', 'b':
		return edit
	case 'J', 'S', 'T':
		return rows
	case 'c', 'n':
		return harmless
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
