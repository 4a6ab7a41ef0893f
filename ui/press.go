package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// pressed does what a key does whose name was clicked, such as "ctrl+p" or
// "ctrl+w h"; texts that name no key do nothing.
func (m *Model) pressed(name string) tea.Cmd {
	var keys []tea.KeyPressMsg
	for _, part := range strings.Fields(name) {
		k, ok := keyPress(part)
		if !ok {
			return nil
		}
		keys = append(keys, k)
	}
	var cmds []tea.Cmd
	for _, k := range keys {
		cmds = append(cmds, m.key(k))
	}
	return tea.Batch(cmds...)
}

// keyPress is the press of the key that a name stands for.
func keyPress(name string) (msg tea.KeyPressMsg, ok bool) {
	rest := name
	for {
		mod, after, found := strings.Cut(rest, "+")
		m, known := keyMods[mod]
		if !found || !known || after == "" {
			break
		}
		msg.Mod |= m
		rest = after
	}
	if code, named := keyCodes[rest]; named {
		msg.Code = code
	} else if r, n := utf8.DecodeRuneInString(rest); n == len(rest) && n > 0 {
		msg.Code = r
		if msg.Mod == 0 {
			msg.Text = rest
		}
	}
	if msg.Code == tea.KeySpace {
		msg.Text = " "
	}
	return msg, msg.Code != 0
}

var keyMods = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "meta": tea.ModMeta}

var keyCodes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"delete": tea.KeyDelete, "insert": tea.KeyInsert, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12}
