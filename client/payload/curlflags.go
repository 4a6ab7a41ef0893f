package payload

import (
	"fmt"
	"strings"

	"patchbay/client"
)

// valueFlags are the short options of curl that take a value; those in long
// form are in longValues. Options that are in neither are switches.
const valueFlags = "ACDEFHKMPQTUXYbcdehmortuwxyz"

func takesValue(long string) bool {
	switch long {
	case "request", "header", "data", "data-raw", "data-binary", "data-ascii", "data-urlencode", "json", "url", "user",
		"user-agent", "output", "max-time", "connect-timeout", "retry", "retry-delay", "retry-max-time", "cookie", "cookie-jar",
		"referer", "proxy", "cacert", "cert", "key", "resolve", "form", "form-string", "write-out", "config", "interface",
		"upload-file", "oauth2-bearer", "limit-rate", "max-redirs", "dump-header", "range", "unix-socket", "connect-to":
		return true
	}
	return false
}

// read takes the words behind curl apart.
func (c *command) read(words []string) error {
	for i := 0; i < len(words); i++ {
		name, value, has := words[i], "", false
		switch {
		case strings.HasPrefix(name, "--") && len(name) > 2:
			name, value, has = strings.Cut(name[2:], "=")
			if !takesValue(name) {
				continue
			}
		case strings.HasPrefix(name, "-") && len(name) > 1:
			if name, value, has = shortFlag(name[1:]); name == "" {
				continue
			}
		default:
			c.url = firstOf(c.url, name)
			continue
		}
		if !has {
			if i++; i >= len(words) {
				return fmt.Errorf("the option %s of curl stands without a value", words[i-1])
			}
			value = words[i]
		}
		if err := c.option(name, value); err != nil {
			return err
		}
	}
	return nil
}

// shortFlag finds the option with a value in a word like sSLX or XPOST;
// the name is empty when there is none.
func shortFlag(word string) (name, value string, has bool) {
	for i := range len(word) {
		if strings.IndexByte(valueFlags, word[i]) >= 0 {
			return word[i : i+1], word[i+1:], i+1 < len(word)
		}
	}
	return "", "", false
}

func (c *command) option(name, value string) error {
	switch name {
	case "X", "request":
		c.method = value
	case "url":
		c.url = value
	case "H", "header":
		return c.header(value)
	case "d", "data", "data-ascii", "data-binary", "json":
		if strings.HasPrefix(value, "@") {
			return fmt.Errorf("the body comes from %s, a file that is not part of the text: paste its content instead", shorten(value[1:]))
		}
		c.data(value, name == "json")
	case "data-raw":
		c.data(value, false)
	case "data-urlencode", "F", "form", "form-string":
		return fmt.Errorf("curl's %s sends a form; the service takes JSON: use --data-raw", name)
	case "K", "config":
		return fmt.Errorf("the command reads %s, a file that is not part of the text: paste the whole command instead", shorten(value))
	}
	return nil
}

func (c *command) header(value string) error {
	if strings.HasPrefix(value, "@") {
		return fmt.Errorf("headers come from %s, a file that is not part of the text: write them out", shorten(value[1:]))
	}
	name, v, ok := strings.Cut(value, ":")
	if ok {
		c.headers = append(c.headers, client.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(v)})
	}
	return nil
}

// data adds a piece of the body the way curl joins them.
func (c *command) data(value string, joined bool) {
	if c.hasBody && !joined {
		c.body += "&"
	}
	c.body += value
	c.hasBody = true
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
