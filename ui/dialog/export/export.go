// Package export is the feature that writes records, the body, findings or the
// exchange to a file, the clipboard or a command, also every page of a run. How
// things are written is client/export, and for the response to say what there is. It
// imports no other dialog and not the root.
package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patchbay/client/export"
	"patchbay/client/quantity"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/response"
)

// Feature is the exports.
type Feature struct {
	dialog.Host
	// unfinished is the export of every page that stopped last.
	unfinished *pageExport
}

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{{ID: "response.export", After: "page.together", In: action.InResponse, Keys: []string{"E"},
		Label: "export", Footer: 8, Disabled: func() string { return f.Response().NoAnswer() }, Do: f.open,
		Help: "Write records, the body, findings or the exchange to a file, the clipboard or a command"},
		{ID: "file.save", In: action.InFile, Keys: []string{"s"}, Label: "save", Footer: 1,
			Help: "Save the file that was downloaded, as far as it came", Disabled: f.noFile, Do: f.save}}
}

func (f *Feature) noFile() string {
	return action.Reason(f.Response().File() == nil, "there is no file here: a download brings one")
}

// save asks where the file of the card is to go.
func (f *Feature) save() intent.Intent {
	e, _ := f.Response().FileExport() // there is one, or the action is disabled
	return askFile(e)
}

// open chooses what is written, then where.
func (f *Feature) open() intent.Intent {
	var all []response.Export
	if e := f.unfinished; e != nil {
		all = append(all, response.Export{What: "every page", File: e.path,
			Title:  "Go on with " + e.name() + " after " + quantity.Count(e.have, "record", "records"),
			Detail: "The export was stopped or failed; it continues where it was.",
			ToFile: func(string) intent.Intent { return f.start(e) }})
	}
	all = slices.Concat(all, f.Response().Exports(), f.everyPage())
	if len(all) == 0 {
		return intent.Say{Text: "there is nothing to export here", Bad: true}
	}
	return f.Choose(all)
}

// Choose offers exports, and then where each can go.
func (f *Feature) Choose(all []response.Export) intent.Intent {
	items := make([]overlay.Item, len(all))
	for i, e := range all {
		items[i] = overlay.Item{Title: e.Title, Detail: e.Detail, Value: e}
	}
	return intent.Push{Overlay: &overlay.List{Heading: "Export", Prompt: "csv, marked, body …",
		Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
			e := it.Value.(response.Export)
			if e.Write == nil { // it knows where it goes
				return e.ToFile(e.File)
			}
			return destination(e)
		}}}
}

func destination(e response.Export) intent.Intent {
	copied := func(ctx context.Context) (func() intent.Intent, error) {
		var b limited
		if err := e.Write(ctx, &b); err != nil {
			return nil, err
		}
		return func() intent.Intent { return intent.Copy{Text: b.String(), What: e.What} }, nil
	}
	items := []overlay.Item{
		{Title: "To a file…", Detail: "The file has its name only when it is whole.", Value: askFile(e)},
		{Title: "To the clipboard", Detail: "At most 8 MB.",
			Value: intent.Task{Lane: intent.Writing, What: "copying", Do: copied}},
		{Title: "To a command…", Detail: "The command gets it on its stdin; what it prints is shown.",
			Value: askCommand(e)},
	}
	return intent.Push{Overlay: &overlay.List{Heading: e.Title, Source: overlay.Static(items)}}
}

// clipboardMax is the largest export that is put on a clipboard.
const clipboardMax = 8 << 20

var errTooLarge = errors.New("this is more than 8 MB, too much for a clipboard: write it to a file")

// limited is a buffer that refuses to grow beyond a clipboard.
type limited struct{ bytes.Buffer }

// Write implements io.Writer.
func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > clipboardMax {
		return 0, errTooLarge
	}
	return l.Buffer.Write(b)
}

// askFile asks for the path of a new file; an existing one is replaced only after asking.
func askFile(e response.Export) intent.Intent {
	p := overlay.NewPrompt("Write to the file", "A path; ~ is the home folder.", e.File, func(v string) intent.Intent {
		path := expandHome(strings.TrimSpace(v))
		write := toFile(e, path)
		if e.ToFile != nil {
			write = e.ToFile(path)
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			return write
		}
		return intent.Push{Overlay: &overlay.Confirm{Heading: "Replace the file?", Yes: "Replace it", No: "Keep it",
			Text: []string{path + " exists."}, Danger: true, Do: write}}
	})
	p.Check = func(v string) string {
		return action.Reason(strings.TrimSpace(v) == "", "type a path, or esc to leave")
	}
	p.Complete = completePath
	return intent.Push{Overlay: p}
}

func toFile(e response.Export, path string) intent.Intent {
	write := func(ctx context.Context) (func() intent.Intent, error) {
		var n int64
		err := export.ToFile(path, func(w io.Writer) error {
			c := &counter{w: w}
			defer func() { n = c.n }()
			return e.Write(ctx, c)
		})
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s was not written: %w", path, err)
		}
		return func() intent.Intent {
			return intent.Say{Text: e.What + " written to " + path + ", " + quantity.Size(n), Log: intent.LogFile}
		}, ctx.Err()
	}
	return intent.Task{Lane: intent.Writing, What: "writing " + filepath.Base(path), Do: write}
}

// counter counts the bytes that pass.
type counter struct {
	w io.Writer
	n int64
}

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// expandHome puts the home folder in place of ~.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// completePath lists the paths that begin as stem does.
func completePath(stem string) []string {
	dir, base := filepath.Split(stem)
	look := expandHome(dir)
	if look == "" {
		look = "."
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), base) || (base == "" && strings.HasPrefix(e.Name(), ".")) {
			continue
		}
		name := dir + e.Name()
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
