package download

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/gif"  // the formats that can be drawn
	_ "image/jpeg" // the same
	"image/png"

	"patchbay/client/quantity"
)

// Picture is an image, small enough to be drawn in cells.
type Picture struct {
	// Format and size are those of the file.
	Format        string
	Width, Height int
	thumb         *image.RGBA
}

// decodedMax bounds the memory that decoding takes, thumbMax the sides of what is kept.
const (
	decodedMax = 256 << 20
	thumbMax   = 768
)

// decode makes a small picture of an image. Its size is looked at first.
func (c *Content) decode(ctx context.Context, s *Spool) {
	size, format, err := image.DecodeConfig(bufio.NewReader(s.Reader()))
	if err != nil {
		c.Kind, c.About = Other, "It looks like an image and cannot be read: "+err.Error()
		return
	}
	c.Picture = &Picture{Format: format, Width: size.Width, Height: size.Height}
	c.About = fmt.Sprintf("%d x %d pixels", size.Width, size.Height)
	pixels := int64(size.Width) * int64(size.Height)
	if pixels < 1 || pixels > decodedMax/pixelBytes(format, size.ColorModel) {
		c.About += "; drawing it would take more than " + quantity.Size(decodedMax) + ": open it with another program"
		return
	}
	whole, _, err := image.Decode(bufio.NewReader(&contextReader{ctx, s.Reader()}))
	if err != nil {
		c.About += "; it could not be drawn: " + err.Error()
		return
	}
	w, h := within(size.Width, size.Height, thumbMax, thumbMax)
	c.Picture.thumb = scaled(whole, w, h)
}

// pixelBytes is how much memory a pixel takes while it is decoded, at most.
func pixelBytes(format string, m color.Model) int64 {
	switch {
	case format == "jpeg":
		return 15 // a progressive one keeps its coefficients
	case m == color.RGBA64Model, m == color.NRGBA64Model:
		return 8
	case m == color.GrayModel:
		return 1
	}
	return 4
}

// Drawable reports whether there is something to draw.
func (p *Picture) Drawable() bool { return p != nil && p.thumb != nil }

// Fit is the largest size within w x h pixels that keeps the picture's shape; a
// picture is not enlarged.
func (p *Picture) Fit(w, h int) (int, int) {
	return within(p.Width, p.Height, min(w, p.Width), min(h, p.Height))
}

// Scaled is the picture in w x h pixels.
func (p *Picture) Scaled(w, h int) *image.RGBA { return scaled(p.thumb, w, h) }

// PNG is the picture as a PNG file of at most w x h pixels, made of what was decoded:
// no byte of the file that came is in it.
func (p *Picture) PNG(w, h int) ([]byte, error) {
	var out bytes.Buffer
	size := p.thumb.Bounds()
	w, h = within(size.Dx(), size.Dy(), w, h)
	err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, p.Scaled(w, h))
	return out.Bytes(), err
}

// within is the largest size of the shape of w x h that fits into most.
func within(w, h, mostW, mostH int) (int, int) {
	if w <= mostW && h <= mostH {
		return w, h
	}
	if w*mostH > h*mostW {
		return mostW, max(h*mostW/w, 1)
	}
	return max(w*mostH/h, 1), mostH
}

// samples is how many pixels, in each direction, make one.
const samples = 5

// scaled is an image in w x h pixels, each the mean of those it stands for.
func scaled(from image.Image, w, h int) *image.RGBA {
	out, b := image.NewRGBA(image.Rect(0, 0, w, h)), from.Bounds()
	for y := range h {
		for x := range w {
			x0, x1 := b.Min.X+x*b.Dx()/w, b.Min.X+max((x+1)*b.Dx()/w, x*b.Dx()/w+1)
			y0, y1 := b.Min.Y+y*b.Dy()/h, b.Min.Y+max((y+1)*b.Dy()/h, y*b.Dy()/h+1)
			out.SetRGBA(x, y, mean(from, image.Rect(x0, y0, x1, y1)))
		}
	}
	return out
}

// mean is the mean colour of a part of an image.
func mean(from image.Image, r image.Rectangle) color.RGBA {
	var red, green, blue, alpha, n uint32
	for y := r.Min.Y; y < r.Max.Y; y += max(r.Dy()/samples, 1) {
		for x := r.Min.X; x < r.Max.X; x += max(r.Dx()/samples, 1) {
			cr, cg, cb, ca := from.At(x, y).RGBA()
			red, green, blue, alpha, n = red+cr>>8, green+cg>>8, blue+cb>>8, alpha+ca>>8, n+1
		}
	}
	return color.RGBA{uint8(red / n), uint8(green / n), uint8(blue / n), uint8(alpha / n)}
}
