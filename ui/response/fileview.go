package response

import (
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"patchbay/client/answer"
	"patchbay/client/download"
	"patchbay/client/quantity"
	"patchbay/client/rawjson"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// fileView is the card of a file that was downloaded: what it is, where it came from,
// and what of its content a screen can show.
//
//	report.csv
//	type    CSV table  text/csv
//	size    12 kB  12,040 bytes
//	from    demo · reports download · id 0685g0
//	...
//	────────── content ──────────
type fileView struct {
	base
	sheet
	// content are the lines of the content, plain, as made for a card and a room.
	content []text.Safe
	of      cardKey
	// picture are those of an image, placed the cells where the terminal draws it by
	// itself as image.
	picture, placed []text.Safe
	image           *Image
	images          uint32
}

// Image is an image that the terminal is to draw at its placeholders.
type Image struct {
	// Number is that of the placeholders, W and H how many cells they take.
	Number  uint32
	W, H    int
	Picture *download.Picture
}

// firstImage is the number before that of the first image. A terminal's numbers are
// for all programs in it: this one is unlikely to be another's.
const firstImage = 0x5042c0

// cardKey says what lines of content were made for.
type cardKey struct {
	content *download.Content
	w, h    int
	wrap    bool
}

func (v *fileView) fits(in Input) bool { return in.HasAnswer() && in.Page().File != nil }
func (v *fileView) reset(Input)        { v.sheet, v.of, v.image = sheet{}, cardKey{}, nil }

func (v *fileView) fit(in Input, w, h int) {
	page := in.Page()
	facts := len(cardLines(page, w, plain))
	if key := (cardKey{page.File.Content, w, h, in.wrap}); key != v.of {
		v.of, v.content, v.picture = key, contentLines(page.File.Content, w, in.wrap), nil
		if p := page.File.Content.Picture; !p.Drawable() {
			v.image = nil
		} else {
			v.draw(p, min(w-2, pictureWidth), min(max(h-facts-1, h/2), pictureHeight))
		}
	}
	v.keep(facts+max(len(v.content), len(v.picture)), h)
}

// pictureWidth and pictureHeight are the most cells that an image takes: each has
// colours of its own, and a screen full of them takes long to write.
const pictureWidth, pictureHeight = 96, 32

// draw makes the lines of an image in at most w x h cells, in both ways.
func (v *fileView) draw(p *download.Picture, w, h int) {
	if w < 2 || h < 1 {
		return
	}
	w, h = p.Fit(w, 2*h)
	if i := v.image; i == nil || i.Picture != p || i.W != w || i.H != (h+1)/2 {
		v.images++
		v.image = &Image{Number: firstImage + v.images, W: w, H: (h + 1) / 2, Picture: p}
	}
	v.picture = style.HalfBlocks(p.Scaled(w, h))
	v.placed = style.Placeholders(v.image.Number, v.image.W, v.image.H)
	for i := range v.picture {
		v.picture[i], v.placed[i] = " "+v.picture[i], " "+v.placed[i]
	}
}

// Image is the one that the terminal is to draw by itself; nil where none is shown.
func (p *Pane) Image() *Image {
	if v, ok := p.current().(*fileView); ok && v.fits(p.Input) {
		return v.image
	}
	return nil
}

func (v *fileView) lines(in Input, w, h int, s *style.Styles, _ bool) []text.Safe {
	out := cardLines(in.Page(), w, s)
	if c := in.Page().File.Content; c.Picture.Drawable() && s.Images() {
		return v.window(append(out, v.placed...), h)
	} else if c.Picture.Drawable() && s.Pictures() {
		return v.window(append(out, v.picture...), h)
	} else if c.Picture.Drawable() {
		why := text.Truncate("It is not drawn: that takes a terminal with 256 colours or more.", w-2)
		return v.window(append(out, " "+s.Muted.Render(why)), h)
	}
	facts := len(out)
	for i, line := range v.content {
		if n := facts + i; n >= v.scroll.Top && n < v.scroll.Top+h {
			line = s.Text.Render(s.Data(line))
		}
		out = append(out, line)
	}
	return v.window(out, h)
}

func (v *fileView) where(Input) text.Safe {
	if v.n <= v.scroll.Height {
		return ""
	}
	return text.Sprintf("line %s of %s", quantity.Digits(v.scroll.Top+1), quantity.Digits(v.n))
}

// cardLines tell of the file, above its content.
func cardLines(page *answer.Page, w int, s *style.Styles) []text.Safe {
	f := page.File
	out := []text.Safe{" " + s.Strong.Render(text.Truncate(text.Sanitize(f.Name), w-2))}
	put := func(label text.Safe, look style.Style, t string) {
		if t == "" {
			return
		}
		for i, l := range text.WrapTo(text.Sanitize(t), max(w-11, 10), 3) {
			if i > 0 {
				label = ""
			}
			out = append(out, " "+s.Muted.Render(text.Pad(label, 9))+look.Render(l))
		}
	}
	put("type", s.Text, typeWords(f.Content))
	put("size", s.Text, sizeWords(f))
	put("from", s.Text, fromWords(page))
	look, how := s.Success, "whole, in "+quantity.Duration(page.Took())
	if !f.Whole() {
		look, how = s.Warning, stoppedWords(f)
	}
	put("came", look, how)
	put("", s.Warning, strings.Join(append(f.Notes[:len(f.Notes):len(f.Notes)], warning(page)...), "; "))
	if at := f.ChangedAt(); !at.IsZero() {
		put("changed", s.Muted, at.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	if f.Content.Sum != "" {
		put("SHA-256", s.Muted, f.Content.Sum)
	}
	bar := text.Safe("─")
	if s.ASCII {
		bar = "-"
	}
	about := text.Truncate(text.Sanitize(contentWords(page)), max(w-6, 1))
	rest := text.Repeat(bar, max(w-text.Width(about)-6, 0))
	return append(out, " "+s.Border.Render(bar+bar)+" "+s.Accent.Render(about)+" "+s.Border.Render(rest))
}

func warning(page *answer.Page) []string {
	if page.Env.Warning == "" {
		return nil
	}
	return []string{page.Env.Warning}
}

func typeWords(c *download.Content) string {
	t := download.Described(c.Type) + "  " + c.Type
	if c.Told != "" {
		t += ", by its content; the server says " + c.Told
	}
	return t
}

func sizeWords(f *download.Result) string {
	n := f.Spool.Size()
	if n < 1000 {
		return quantity.Count(int(n), "byte", "bytes")
	}
	return quantity.Size(n) + "  " + quantity.Digits(int(n)) + " bytes"
}

// fromWords say where the file came from: connector, operation and what named it.
func fromWords(page *answer.Page) string {
	t := cmp.Or(page.Target.Name, page.Target.Kind) + " · " + page.Op.Entity + " " + page.Op.Action
	if params := rawjson.Parse(page.Op.Params); params.Len() > 0 {
		raw, _ := params.AppendCompact(nil, 300)
		t += " · " + string(raw)
	}
	if page.Target.Local {
		t += " · directly"
	}
	return t
}

// stoppedWords say how much came, and why not all.
func stoppedWords(f *download.Result) string {
	have, total := f.Spool.Size(), f.Total()
	t := "as far as " + quantity.Size(have)
	if total > 0 {
		t += " of " + quantity.Size(total) + ", " + strconv.FormatInt(have*100/total, 10) + "%"
	}
	if why := f.Stopped; why != nil && why.Class != "canceled" {
		return t + ": " + why.Error() + ". c fetches the rest"
	}
	return t + ", then it was stopped. c fetches the rest"
}

// contentWords say what is shown of the content.
func contentWords(page *answer.Page) string {
	c := page.File.Content
	if page.Len() > 0 {
		return c.About + "; " + answer.Rows(page.Len()) + " in the views Table and JSON"
	}
	return c.About
}

// contentLines are the content of a file as plain lines.
func contentLines(c *download.Content, w int, wrap bool) []text.Safe {
	var out []text.Safe
	put := func(t text.Safe) {
		if wrap {
			for _, l := range text.Wrap(t, max(w-2, 8)) {
				out = append(out, " "+l)
			}
			return
		}
		out = append(out, " "+text.Truncate(t, max(w-2, 0)))
	}
	for _, e := range c.Entries {
		put(entryLine(e))
	}
	for _, l := range c.Lines {
		put(text.Sanitize(strings.ReplaceAll(l, "\t", "    ")))
	}
	return out
}

func entryLine(e download.Entry) text.Safe {
	size, at := quantity.Size(e.Size), ""
	if e.Folder {
		size = "folder"
	}
	if e.Modified.Unix() > 0 {
		at = e.Modified.UTC().Format("2006-01-02 15:04")
	}
	t := text.PadLeft(text.Sanitize(size), 10) + text.Sprintf("  %16s  %s", at, e.Name)
	if e.Link != "" {
		t += text.Sanitize(" -> " + e.Link)
	}
	return t
}

func (v *fileView) copies(in Input) []CopyOption {
	f := in.Page().File
	out := []CopyOption{fixed("Name of the file", "name", f.Name)}
	if f.Content.Sum != "" {
		out = append(out, fixed("SHA-256", "SHA-256", f.Content.Sum))
	}
	if len(f.Content.Lines) > 0 {
		out = append(out, bodyCopies(in)...)
	}
	return out
}

// fileExport writes the file as it came.
func fileExport(f *download.Result) Export {
	e := Export{Title: "The file as received, " + quantity.Size(f.Spool.Size()), What: f.Name, File: f.Name,
		Write: func(ctx context.Context, w io.Writer) error {
			_, err := io.Copy(contextWriter{ctx, w}, f.Spool.Reader())
			return err
		}}
	if !f.Whole() {
		e.Title, e.What = e.Title+", not all of it", "what came of "+f.Name
	}
	return e
}

// FileExport writes the file of the card; ok is false where none is shown.
func (p *Pane) FileExport() (e Export, ok bool) {
	if f := p.File(); f != nil {
		return fileExport(f), true
	}
	return Export{}, false
}

// File is the file of the card; nil where none is shown.
func (p *Pane) File() *download.Result {
	if !p.HasAnswer() {
		return nil
	}
	return p.Page().File
}
