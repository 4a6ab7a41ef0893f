package action

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"patchbay/client/strictyaml"
)

// ParseKeys reads the person's own keys: a mapping of action ids to one key or
// a list of keys, in place of the built-in ones; an empty list takes the keys
// away. Problems name the file and the line; what is right is used.
func ParseKeys(file string, data []byte) (keys map[string][]string, problems []string) {
	f := strictyaml.Read(file, data)
	if root := f.Root(); root.Exists() {
		keys = map[string][]string{}
		root.Each(func(id string, value strictyaml.Node) {
			if list := keyList(value); id != "$schema" && list != nil {
				keys[id] = list
			}
		})
	}
	return keys, f.Problems().Lines()
}

// keyList is nil after a problem.
func keyList(n strictyaml.Node) []string {
	items := []strictyaml.Node{n}
	if n.IsList() {
		items = n.Items()
	}
	list := []string{}
	for _, item := range items {
		if !item.IsScalar() || strings.TrimSpace(item.Value()) == "" {
			n.Bad("write a key such as r, ctrl+r or f9, or a list of them")
			return nil
		}
		list = append(list, normalKey(item.Value()))
	}
	return list
}

// normalKey writes a key the way the terminal names it.
func normalKey(s string) string {
	parts := strings.Fields(s)
	for i, p := range parts {
		mods := strings.Split(p, "+")
		last := mods[len(mods)-1]
		if last == "" && len(mods) > 1 { // ctrl++ or + itself
			last = "+"
			mods = mods[:len(mods)-1]
		}
		for j := range mods[:len(mods)-1] {
			mods[j] = strings.ToLower(mods[j])
		}
		if len([]rune(last)) > 1 {
			last = strings.ToLower(last)
		}
		if name, ok := keyAliases[last]; ok {
			last = name
		}
		parts[i] = ordered(mods[:len(mods)-1], last)
	}
	return strings.Join(parts, " ")
}

// ordered joins a key and its modifiers in the terminal's own order, each once. A
// letter with shift alone is the capital letter.
func ordered(mods []string, key string) string {
	slices.SortStableFunc(mods, func(a, b string) int { return slices.Index(modOrder, a) - slices.Index(modOrder, b) })
	mods = slices.Compact(mods)
	if len(mods) > 0 && len([]rune(key)) == 1 {
		key = strings.ToLower(key)
		if len(mods) == 1 && mods[0] == "shift" {
			return strings.ToUpper(key)
		}
	}
	return strings.Join(append(mods, key), "+")
}

var modOrder = []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}

var keyAliases = map[string]string{
	"return": "enter", "escape": "esc", "pagedown": "pgdown", "pageup": "pgup", "del": "delete", "plus": "+",
}

// Press is the press of the key that a name stands for.
func Press(name string) (msg tea.KeyPressMsg, ok bool) {
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

var keyCodes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "up": tea.KeyUp,
	"down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4,
	"f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10,
	"f11": tea.KeyF11, "f12": tea.KeyF12}
