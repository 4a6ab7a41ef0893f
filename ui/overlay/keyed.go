package overlay

import (
	tea "charm.land/bubbletea/v2"

	"patchbay/ui/intent"
)

// KeyedList is a List whose items can be acted on in further ways.
type KeyedList struct {
	List
	// Extra are the keys and what they do with the item under the cursor.
	Extra map[string]func(Item) intent.Intent
}

// Key implements Overlay.
func (l *KeyedList) Key(msg tea.KeyPressMsg) intent.Intent {
	l.refresh()
	if f, ok := l.Extra[msg.String()]; ok && l.scroll.Cursor < len(l.items) {
		return f(l.items[l.scroll.Cursor])
	}
	return l.List.Key(msg)
}
