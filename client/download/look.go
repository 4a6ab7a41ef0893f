package download

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"

	"patchbay/client/transport"
)

// Kind is how the content of a file can be shown.
type Kind int

// The kinds of content.
const (
	Other Kind = iota
	Text
	Records
	Table
	Archive
	Image
)

// Content is what is in a file, as far as a screen can show it.
type Content struct {
	Kind Kind
	// Type is the media type, Told what the server said where its bytes say otherwise.
	Type, Told string
	// Sum is the SHA-256 of a file that is whole.
	Sum string
	// Lines are the beginning of a text; About says what is shown of the content and
	// what is not.
	Lines []string
	About string
	// Entries are what an archive holds.
	Entries []Entry
	// Picture is set for images that could be decoded.
	Picture *Picture
}

// sniffed is how much of the beginning says what a file is.
const sniffed = 4 << 10

// Look finds out what is in a spool.
func Look(ctx context.Context, s *Spool, h Head, whole bool) *Content {
	head := make([]byte, min(sniffed, s.Size()))
	n, _ := s.ReadAt(head, 0) // what cannot be read is told of by what shows it
	head = head[:n]
	c := &Content{}
	c.Type, c.Told = mediaType(h, head)
	if whole {
		c.Sum = sum(ctx, s.Reader())
	}
	switch c.Kind = kindOf(c.Type, h.Name, head); c.Kind {
	case Archive:
		c.list(ctx, s, head, h.Name)
	case Image:
		c.decode(ctx, s)
	case Text, Records, Table:
		c.read(s.Reader(), h, s.Size())
	case Other:
		c.About = "What is in it cannot be shown here: save it, or open it with another program."
		if s.Size() == 0 {
			c.About = "The file is empty."
		}
	}
	return c
}

// sum is the SHA-256 of a file; empty where its end was not reached in time.
func sum(ctx context.Context, r io.Reader) string {
	hash, piece := sha256.New(), make([]byte, 256<<10)
	for ctx.Err() == nil {
		n, err := r.Read(piece)
		hash.Write(piece[:n])
		if err == io.EOF {
			return hex.EncodeToString(hash.Sum(nil))
		}
		if err != nil {
			break
		}
	}
	return ""
}

// mediaType is what a file is: as the server says, unless that says nothing. Then its
// first bytes say it, and its name where they are a text like any other.
func mediaType(h Head, head []byte) (is, told string) {
	is, _, err := mime.ParseMediaType(h.ContentType)
	if err == nil && !generic[is] {
		return is, ""
	}
	told = h.ContentType
	is, _, _ = strings.Cut(http.DetectContentType(head), ";")
	if isTar(head) {
		is = "application/x-tar"
	}
	if named := byName[strings.ToLower(path.Ext(h.Name))]; named != "" && (is == "text/plain" || generic[is] ||
		is == "application/zip") {
		is = named
	}
	return is, told
}

// generic are types that say nothing.
var generic = map[string]bool{"": true, "application/octet-stream": true, "binary/octet-stream": true,
	"application/binary": true, "application/unknown": true, "application/x-download": true,
	"application/force-download": true, "application/download": true, "unknown/unknown": true, "*/*": true}

// byName are types that first bytes do not tell.
var byName = map[string]string{".csv": "text/csv", ".tsv": "text/tab-separated-values", ".json": "application/json",
	".ndjson": "application/x-ndjson", ".jsonl": "application/x-ndjson", ".md": "text/markdown", ".yaml": "text/yaml",
	".yml": "text/yaml", ".html": "text/html", ".xml": "text/xml", ".js": "text/javascript", ".svg": "image/svg+xml",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation"}

// kindOf says how content can be shown. Bytes that say what they are win over names.
func kindOf(is, name string, head []byte) Kind {
	sniffed := http.DetectContentType(head)
	switch {
	case len(head) == 0:
		return Other
	case sniffed == "image/png", sniffed == "image/jpeg", sniffed == "image/gif":
		return Image
	case sniffed == "application/zip", sniffed == "application/x-gzip", isTar(head):
		return Archive
	case is == "text/csv", is == "text/tab-separated-values":
		return Table
	case is == "application/json", strings.HasSuffix(is, "+json"), strings.HasSuffix(is, "ndjson"),
		strings.HasSuffix(is, "jsonl"), is == "text/json":
		return Records
	case is == "text/plain" && byName[strings.ToLower(path.Ext(name))] == "text/csv":
		return Table
	case is == "text/plain" && looksJSON(head):
		return Records
	case strings.HasPrefix(is, "text/"), strings.HasSuffix(is, "+xml"), is == "application/xml",
		is == "application/javascript", is == "application/yaml", strings.HasPrefix(sniffed, "text/"):
		return Text
	}
	return Other
}

// looksJSON reports whether a text begins as JSON does, and not as an INI file or a log.
func looksJSON(head []byte) bool {
	plain := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(plain) < 2 {
		return false
	}
	next := bytes.TrimLeft(plain[1:], " \t\r\n")
	switch plain[0] {
	case '{':
		return len(next) == 0 || next[0] == '"' || next[0] == '}'
	case '[':
		return len(next) == 0 || bytes.IndexByte([]byte(`{["]`), next[0]) >= 0
	}
	return false
}

// Described is what a file is in words.
func Described(mediaType string) string {
	if words := described[mediaType]; words != "" {
		return words
	}
	switch family, _, _ := strings.Cut(mediaType, "/"); family {
	case "audio":
		return "sound"
	case "video":
		return "video"
	case "image":
		return "image"
	case "text":
		return "text"
	}
	return "file"
}

var described = map[string]string{"application/pdf": "PDF document", "application/json": "JSON",
	"application/x-ndjson": "lines of JSON", "text/csv": "CSV table", "text/tab-separated-values": "table with tabs",
	"application/zip": "ZIP archive", "application/x-tar": "tar archive", "application/gzip": "gzip",
	"application/x-gzip": "gzip", "image/png": "PNG image", "image/jpeg": "JPEG image", "image/gif": "GIF image",
	"image/svg+xml": "SVG image", "text/html": "web page", "text/markdown": "Markdown text"}

// Runs says why opening a file with the system's program could run what is in it; ""
// where it only shows it.
func Runs(name string, s *Spool) string {
	head := make([]byte, 4)
	n, _ := s.ReadAt(head, 0) // an empty file runs nothing
	extension := strings.ToLower(path.Ext(name))
	switch head := head[:n]; {
	case bytes.HasPrefix(head, []byte("#!")), bytes.HasPrefix(head, []byte("MZ")),
		bytes.HasPrefix(head, []byte("\x7fELF")), bytes.HasPrefix(head, []byte("\xcf\xfa\xed\xfe")),
		bytes.HasPrefix(head, []byte("\xca\xfe\xba\xbe")), runs[extension]:
		return "it is a program or a script, or may hold one"
	}
	return ""
}

var runs = func() map[string]bool {
	m := map[string]bool{}
	for _, extension := range strings.Fields(".exe .com .bat .cmd .msi .scr .pif .cpl .ps1 .psm1 .vbs .vbe .js .jse " +
		".wsf .wsh .hta .lnk .url .reg .jar .app .command .terminal .workflow .pkg .dmg .desktop .appimage .run .sh " +
		".bash .zsh .fish .csh .py .pyw .pl .rb .php .lua .docm .dotm .xlsm .xltm .xlam .pptm .html .htm .xhtml .svg " +
		".mht .chm .iso .img .deb .rpm .scpt .action .inf .gadget .application .ws .elf .bin .out") {
		m[extension] = true
	}
	return m
}()

// SafeName is what to call a file: what the server suggests, else words and an
// extension for its type.
func SafeName(h Head, otherwise, mediaType string) string {
	if h.Name != "" {
		return h.Name
	}
	header := http.Header{"Content-Disposition": {mime.FormatMediaType("attachment", map[string]string{
		"filename": otherwise + extensions[mediaType]})}}
	return transport.FileName(header)
}

var extensions = map[string]string{"text/plain": ".txt", "text/csv": ".csv", "application/json": ".json",
	"application/x-ndjson": ".ndjson", "application/pdf": ".pdf", "application/zip": ".zip", "image/png": ".png",
	"image/jpeg": ".jpg", "image/gif": ".gif", "audio/wav": ".wav", "audio/wave": ".wav", "audio/mpeg": ".mp3",
	"video/mp4": ".mp4", "text/html": ".html", "application/x-tar": ".tar", "application/gzip": ".gz",
	"application/x-gzip": ".gz"}
