package download

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"patchbay/client/quantity"
)

// textMax and linesMax bound what is shown of a text.
const (
	textMax  = 256 << 10
	linesMax = 4_000
)

// read takes the beginning of a text of size bytes.
func (c *Content) read(r io.Reader, h Head, size int64) {
	raw, err := io.ReadAll(io.LimitReader(r, textMax))
	if bytes.IndexByte(raw, 0) >= 0 && !wide(raw) {
		c.Kind, c.About = Other, "It is called a text and is none: save it, or open it with another program."
		return
	}
	cut := int64(len(raw)) < size || size < 0
	text, charset := decoded(raw, h.ContentType, cut)
	c.Lines = strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	c.About = "text, " + charset + ", " + quantity.Count(len(c.Lines), "line", "lines")
	switch {
	case err != nil:
		c.About = "text, " + charset + "; it could not be read to its end: " + err.Error()
	case cut || len(c.Lines) > linesMax:
		c.Lines = c.Lines[:min(len(c.Lines), linesMax)]
		c.About = fmt.Sprintf("text, %s, the first %s lines of it", charset, quantity.Digits(len(c.Lines)))
		c.Lines = append(c.Lines, "", "… cut here: the Raw view shows all of it")
	}
}

// wide reports whether bytes begin as UTF-16 does.
func wide(raw []byte) bool {
	return bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff"))
}

// decoded is a text in UTF-8, and the name of the encoding that it had.
func decoded(raw []byte, contentType string, cut bool) (text, charset string) {
	_, params, _ := mime.ParseMediaType(contentType) // without one nothing is declared
	if wide(raw) {
		return through(unicode.UTF16(unicode.BigEndian, unicode.UseBOM), raw), "UTF-16"
	}
	if declared := params["charset"]; declared != "" {
		if e, err := htmlindex.Get(declared); err == nil {
			return strings.TrimPrefix(through(e, raw), "\ufeff"), strings.ToUpper(declared)
		}
	}
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if cut { // within a character
		for i := 0; i < utf8.UTFMax && len(raw) > 0 && !utf8.Valid(raw[len(raw)-min(len(raw), utf8.UTFMax):]); i++ {
			raw = raw[:len(raw)-1]
		}
	}
	if !utf8.Valid(raw) {
		return string(raw), "with bytes that are no UTF-8"
	}
	return string(raw), "UTF-8"
}

func through(e encoding.Encoding, raw []byte) string {
	out, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return string(raw)
	}
	return string(out)
}
