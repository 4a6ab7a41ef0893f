package intent

// EditText asks for a text of several lines. Done gets it; what was typed is
// never lost before that.
type EditText struct {
	Title string
	// Note says in a line what becomes of the text.
	Note string
	Text string
	Done func(text string) Intent
}
