package sandbox

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"time"

	"patchbay/client/sandbox/data"
)

// file is what a download answers with.
type file struct {
	name, mime string
	data       []byte
	// markdown is the text of a document; empty for other files.
	markdown string
}

// written is when all files were last changed.
var written = time.Date(2026, 1, 5, 9, 30, 0, 0, time.UTC)

// tag is the file's ETag.
func (f *file) tag() string {
	sum := sha256.Sum256(f.data)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// token tells the file from others.
func (f *file) token() string { return strings.Trim(f.tag(), `"`) }

var (
	// tone is a quarter of a second of 440 Hz, 8 kHz, 8 bit, mono.
	//
	//go:embed files/call.wav
	tone []byte
	// movie is an MP4 container without tracks: file type, empty movie header, data.
	//
	//go:embed files/call.mp4
	movie []byte
	// resume is a PDF of one page with a line of text.
	//
	//go:embed files/resume.pdf
	resume []byte
)

// makeFile builds a valid file for an entity; extension is what its record says of
// the file, if it says anything.
func makeFile(entity, id, extension string) *file {
	switch {
	case strings.HasSuffix(entity, "audio"):
		return &file{"call-" + id + ".wav", "audio/wav", tone, ""}
	case strings.HasSuffix(entity, "video"):
		return &file{"call-" + id + ".mp4", "video/mp4", movie, ""}
	case strings.HasSuffix(entity, "attachment"):
		return &file{"resume-" + id + ".pdf", "application/pdf", resume, "# Resume of a candidate\n"}
	case entity == "attachments":
		return &file{"attachment-" + id + ".png", "image/png", picture(id), ""}
	}
	name := "file-" + id + "." + extension
	switch extension {
	case "json":
		return &file{name, "application/json", jsonFile(id), ""}
	case "csv":
		return &file{name, "text/csv; charset=utf-8", csvFile(id), ""}
	case "png":
		return &file{name, "application/octet-stream", picture(id), ""} // what it is shows only in its bytes
	case "zip":
		return &file{name, "application/zip", zipFile(id), ""}
	case "tgz":
		return &file{name, "application/gzip", tarFile(id), ""}
	case "log":
		return &file{name, "text/plain; charset=iso-8859-1", logFile(id), ""}
	case "pdf":
		return &file{name, "application/pdf", resume, "# Resume of a candidate\n"}
	}
	return &file{"file-" + id + ".txt", "text/plain; charset=utf-8", []byte("Content of " + entity + " " + id + ".\n" +
		strings.Repeat("A line of the sandbox.\n", 40)), ""}
}

func jsonFile(id string) []byte {
	var b strings.Builder
	b.WriteString("[")
	for i := range 40 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  {\"file\": %q, \"line\": %d, \"amount\": %d.50, \"open\": %t}", id, i+1, 10*i, i%3 == 0)
	}
	return []byte(b.String() + "\n]\n")
}

func csvFile(id string) []byte {
	var b strings.Builder
	b.WriteString("line,file,amount,open\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,%s,%d.50,%t\n", i+1, id, 10*i, i%3 == 0)
	}
	return []byte(b.String())
}

// logFile is a text of 300 kB in Latin 1, so that it comes in several pieces.
func logFile(id string) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 300<<10; i++ {
		fmt.Fprintf(&b, "2026-01-05T09:%02d:%02dZ request %d of file %s: d\xe9j\xe0 vu\n", i/60%60, i%60, i+1, id)
	}
	return b.Bytes()
}

// zipFile and tarFile hold the other files.
func zipFile(id string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range packed(id) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: written})
		if err == nil {
			_, _ = w.Write(f.data) // into memory
		}
	}
	_ = z.Close()
	return b.Bytes()
}

func tarFile(id string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	t := tar.NewWriter(z)
	for _, f := range packed(id) {
		if t.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data)), ModTime: written}) == nil {
			_, _ = t.Write(f.data) // into memory
		}
	}
	_ = t.Close()
	_ = z.Close()
	return b.Bytes()
}

func packed(id string) []*file {
	return []*file{{name: "README.txt", data: []byte("Files of " + id + ".\n")},
		{name: "data/lines.csv", data: csvFile(id)}, {name: "data/lines.json", data: jsonFile(id)},
		{name: "pictures/sunset.png", data: picture(id)},
		{name: "logs/requests.log", data: logFile(id)}}
}

// picture is a PNG of a sun over hills, in colours of its own for each id.
func picture(id string) []byte {
	const w, h = 240, 150
	hue := uint8(data.Hash(1, id) % 120)
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(200 - y), uint8(90 + y/2), hue + uint8(y/2), 255})
			if dx, dy := x-w*2/3, y-h/3; dx*dx+dy*dy < 24*24 {
				m.SetRGBA(x, y, color.RGBA{255, 220, 90, 255})
			}
			if y > h*3/4-(x*(w-x))/400 {
				m.SetRGBA(x, y, color.RGBA{30, uint8(110 - y/3), hue / 2, 255})
			}
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m) // into memory
	return b.Bytes()
}
