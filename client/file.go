package client

import "io"

// FileWriter is a writer that Download tells of the file before its first byte.
// It may ask for what is missing of a file that came in part.
type FileWriter interface {
	io.Writer
	// Missing is the part to ask for; its zero value is the whole file.
	Missing() FilePart
	// Begin takes what the answer says of the bytes that follow. An error ends the
	// download before the first of them.
	Begin(FileHead) error
}

// FilePart is the end of a file, from an offset on.
type FilePart struct {
	From int64
	// Validator is the ETag or time of the file that the bytes before belong to: the
	// server is to send all of another one. It may be empty.
	Validator string
}

// FileHead is what an answer says of the file that it brings. Its texts are untrusted.
type FileHead struct {
	Status int `json:"status"`
	// ContentType is what the server calls the file, Name what it suggests to save it as.
	ContentType string `json:"content_type,omitempty"`
	Name        string `json:"name,omitempty"`
	ETag        string `json:"etag,omitempty"`
	Modified    string `json:"modified,omitempty"`
	// From is the place of the first byte in the file, Total the size of the whole; -1
	// when that is not told.
	From  int64 `json:"-"`
	Total int64 `json:"total"`
	// Ranges is set where the server says that it sends parts.
	Ranges bool `json:"ranges,omitempty"`
}

// Validator is what If-Range takes: a strong ETag, else the time of the last change.
func (h FileHead) Validator() string {
	if len(h.ETag) > 1 && h.ETag[0] == '"' {
		return h.ETag
	}
	return h.Modified
}

// Same reports whether nothing says that the other head is that of another file.
func (h FileHead) Same(o FileHead) bool {
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	return !differ(h.ETag, o.ETag) && !differ(h.Modified, o.Modified) &&
		(h.Total < 0 || o.Total < 0 || h.Total == o.Total)
}
