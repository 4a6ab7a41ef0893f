// Package hostile holds texts that somebody may have put into data to harm whoever
// handles them: as ids, names, values. Everything that hands data on to a shell, a file
// system, a terminal or an address is tried with all of them. It must not be imported
// outside tests.
package hostile

import "strings"

// Texts are such texts, grouped by what they are aimed at.
var Texts = []string{
	// A shell, that of Windows too.
	"$(touch pwned)", "`touch pwned`", "; touch pwned;", "| touch pwned", "& touch pwned &", "a' ; touch pwned; '",
	`a" ; touch pwned; "`, "a'; touch pwned #", "''", `'\''`, `\`, "$HOME ${PATH} $((1+1))", "${IFS}x", "!history",
	"*?[a]~", "#c", "EOF\ntouch pwned\nEOF", "%PATH%", "%s %d %n", "^& touch pwned", "$(New-Item pwned)",
	"'; New-Item pwned; '", "@('x')", "--%", "\u2019; touch pwned; \u2018", `""; touch pwned`,
	// Options and files of programs.
	"-rf", "--output=pwned", "-", "--", "@/etc/passwd", "--data @file", "-o/etc/pwned", strings.Repeat("-", 301),
	// Paths.
	"../../../pwned", `..\..\pwned`, "..%2f..%2fpwned", "%2e%2e/%2e%2e", "....//", "..", ".", ". .", ".. ",
	"/etc/passwd",
	"//evil.test/x", "~/pwned", "C:pwned", `\\?\C:\pwned`, "a:b:$DATA", "file:///etc/passwd", ".hidden", "trailing. . ",
	// Names of devices.
	"CON", "nul", "NUL.txt", "aux .json", "COM1", "lpt9.csv", "COM¹", "CONIN$",
	// Nothing, and much.
	"", " ", "\t", "null", "true", "1e5", strings.Repeat("x", 300), strings.Repeat("é", 300) + ".csv",
	strings.Repeat("\u0301", 300),
	// Addresses and headers.
	"a?b=c&d#e", "a@evil.test", "http://evil.test/", "javascript:alert(1)", "%00", "%zz", "a%0d%0aX: y",
	"a\r\nX-Evil: 1\r\n\r\nGET / HTTP/1.1",
	// Terminals.
	"a\x1b]52;c;cHduZWQ=\x07b", "a\x1b]0;title\x07b", "a\x1b]8;;http://evil.test\x1b\\b\x1b]8;;\x1b\\", "a\x1b[2Jb",
	"a\x1bP+q544e\x1b\\b", "\x1b[?1049h", "\u009b31m", "\u009d0;x\u009c", "a\x00b", "a\x08\x08b", "a\rb",
	"a\nb\r\ntouch pwned\n", "a\tb", "\x7f", "\x01",
	// Readers of text.
	"a\u202egpj.exe", "\u2066a\u2069", "a\u200bb\ufeffc", "a\u2028b\u2029c", "\xff\xfe", "\xf0\x28", "\xed\xa0\x80",
	"日本語 🙂 é", "👩\u200d👩\u200d👧", "\U000e0041\U000e0042", "\u0430dmin",
	// Markup and programs.
	"<x>", "</script><script>alert(1)</script>", "{{.}}", "${PLATFORM_TOKEN}", "#x", "!x", "*", "?", "&a *a", "- x: y",
	"a: b", "=1+1", `'''"""`, `"}],"x":[{"`, `\u0022`, `\n`, `back\slash \n \\`, "__proto__", "a,b;c",
	"'; DROP TABLE calls; --",
}
