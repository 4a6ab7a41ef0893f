// Package ptytest runs programs in a virtual terminal of their own, for tests:
// it types, waits for what the screen shows, and looks whether the terminal is
// left as it was. It must not import anything of ours.
package ptytest
