package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// download answers with a small real file of the kind that the entity holds.
func (op *operation) download() (*result, error) {
	f, err := op.file()
	if err != nil {
		return nil, err
	}
	if op.params.text("_airbyte_response_type") == "json" {
		text := string(f.data)
		if op.params.text("_airbyte_response_format") != "text" {
			text = base64.StdEncoding.EncodeToString(f.data)
		}
		return &result{body: appendObject(nil, newObject("filename", f.name, "content_type", f.mime, "content", text))}, nil
	}
	a := &answer{status: http.StatusOK, body: f.data, header: [][2]string{{"Content-Type", f.mime},
		{"Content-Disposition", `attachment; filename="` + f.name + `"`}, {"Accept-Ranges", "bytes"}}}
	header := op.params.text("range_header")
	if header == "" {
		header = op.call.r.Header.Get("Range")
	}
	if header == "" {
		return &result{bare: a}, nil
	}
	from, to, fits := byteRange(header, len(f.data))
	if !fits {
		r := refuse(http.StatusRequestedRangeNotSatisfiable, "The range %s does not lie within the file of %d bytes.", header, len(f.data))
		r.header = [][2]string{{"Content-Range", "bytes */" + strconv.Itoa(len(f.data))}}
		return nil, r
	}
	a.status, a.body = http.StatusPartialContent, f.data[from:to]
	a.header = append(a.header, [2]string{"Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(f.data))})
	return &result{bare: a}, nil
}

type file struct {
	name, mime string
	data       []byte
}

// file makes the file of the record that the params name.
func (op *operation) file() (*file, error) {
	id := op.params.text("id")
	if filter, isObject := op.params.value("filter").(*object); isObject {
		if ids := asList(filter.value("callIds")); len(ids) > 0 {
			id = asText(ids[0])
		}
	}
	t := op.d.table(op.e.Name)
	r := t.rows[0]
	if id != "" {
		if r = t.find(id); r == nil {
			return nil, &refusal{status: http.StatusNotFound, field: "params.id", code: "not_found", message: "No record has the id " + strconv.Quote(id) + "; there is nothing to download."}
		}
	}
	if n, given := asInt(op.params.value("attachment_index")); given {
		if list, isList := r.obj.value("attachments").([]any); n < 0 || isList && len(list) > 0 && int(n) >= len(list) {
			return nil, &refusal{status: http.StatusNotFound, field: "params.attachment_index", code: "not_found", message: "The record has no attachment with index " + strconv.FormatInt(n, 10) + "."}
		}
	}
	return makeFile(op.e.Name, r.obj.text(t.key)), nil
}

// makeFile builds a valid file for an entity.
func makeFile(entity, id string) *file {
	switch {
	case strings.HasSuffix(entity, "audio"):
		return &file{"call-" + id + ".wav", "audio/wav", tone()}
	case strings.HasSuffix(entity, "video"):
		return &file{"call-" + id + ".mp4", "video/mp4", movie()}
	case strings.HasSuffix(entity, "attachment"):
		return &file{"resume-" + id + ".pdf", "application/pdf", page("Resume of candidate " + id)}
	case entity == "attachments":
		return &file{"attachment-" + id + ".png", "image/png", pixel()}
	}
	return &file{"file-" + id + ".txt", "text/plain; charset=utf-8", []byte("Content of " + entity + " " + id + ".\n" + strings.Repeat("A line of the sandbox.\n", 40))}
}

// tone is a quarter of a second of 440 Hz, 8 kHz, 8 bit, mono.
func tone() []byte {
	const rate, samples = 8000, 2000
	var b bytes.Buffer
	le := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	b.WriteString("RIFF")
	le(uint32(36 + samples))
	b.WriteString("WAVEfmt ")
	le(uint32(16))
	le([]uint16{1, 1})
	le([]uint32{rate, rate})
	le([]uint16{1, 8})
	b.WriteString("data")
	le(uint32(samples))
	for i := range samples {
		b.WriteByte(byte(128 + 100*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	return b.Bytes()
}

// movie is an MP4 container without tracks: file type, empty movie header, data.
func movie() []byte {
	var b bytes.Buffer
	box := func(kind string, payload []byte) []byte {
		out := binary.BigEndian.AppendUint32(nil, uint32(8+len(payload)))
		return append(append(out, kind...), payload...)
	}
	b.Write(box("ftyp", []byte("isom\x00\x00\x02\x00isomiso2mp41")))
	head := make([]byte, 100)
	binary.BigEndian.PutUint32(head[12:], 1000)
	binary.BigEndian.PutUint32(head[20:], 0x00010000)
	binary.BigEndian.PutUint16(head[24:], 0x0100)
	binary.BigEndian.PutUint32(head[96:], 1)
	b.Write(box("moov", box("mvhd", head)))
	b.Write(box("mdat", make([]byte, 2048)))
	return b.Bytes()
}

// page is a PDF of one page with a line of text.
func page(text string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	content := "BT /F1 18 Tf 72 720 Td (" + strings.NewReplacer("(", "", ")", "", `\`, "").Replace(text) + ") Tj ET"
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
	}
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// pixel is a PNG of one transparent pixel.
func pixel() []byte {
	data, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	return data
}

// byteRange reads "bytes=0-99", "bytes=100-" and "bytes=-50".
func byteRange(header string, size int) (from, to int, fits bool) {
	spec, found := strings.CutPrefix(strings.TrimSpace(header), "bytes=")
	first, last, dash := strings.Cut(spec, "-")
	if !found || !dash || strings.Contains(last, ",") {
		return 0, 0, false
	}
	if first == "" {
		n, err := strconv.Atoi(last)
		return max(size-n, 0), size, err == nil && n > 0
	}
	from, err := strconv.Atoi(first)
	if err != nil || from < 0 || from >= size {
		return 0, 0, false
	}
	to = size
	if last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < from {
			return 0, 0, false
		}
		to = min(n+1, size)
	}
	return from, to, true
}
