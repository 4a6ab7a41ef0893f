// Package secret keeps credentials from being seen: a type that does not print
// its value, a redactor for text that may hold one, and the places that
// credentials come from and go to.
//
// It imports ownfile, nothing else of patchbay.
package secret

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
)

// Mark stands wherever a secret was.
const Mark = "[secret]"

// Secret is a text that no printing, logging or encoding shows. The zero
// value is "no secret".
type Secret struct{ value string }

// New wraps a value.
func New(value string) Secret { return Secret{value} }

// Reveal returns the value. Call it only where it leaves for its receiver.
func (s Secret) Reveal() string { return s.value }

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.value == "" }

// Hash returns the first 8 hexadecimal digits of the value's SHA-256: enough
// to see whether two places hold the same value, too little to find it.
// It is empty for the empty secret.
func (s Secret) Hash() string {
	if s.value == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s.value))
	return hex.EncodeToString(sum[:4])
}

// String implements fmt.Stringer.
func (s Secret) String() string { return s.shown() }

// GoString implements fmt.GoStringer.
func (s Secret) GoString() string { return s.shown() }

// Format implements fmt.Formatter, so that no verb reaches the value.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.shown()) }

// MarshalJSON implements json.Marshaler.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.shown() + `"`), nil }

// MarshalText implements encoding.TextMarshaler, which also covers YAML.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.shown()), nil }

// LogValue implements slog.LogValuer.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.shown()) }

func (s Secret) shown() string {
	if s.value == "" {
		return ""
	}
	return Mark
}
