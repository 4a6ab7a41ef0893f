package ui

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

	tea "charm.land/bubbletea/v2"

	"patchbay/client/export"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/result"
	"patchbay/ui/text"
)

// openExport chooses what is written, then where.
func (m *Model) openExport() tea.Cmd {
	all := slices.Concat(m.unfinishedExport(), m.res.Exports(), m.everyPageExports())
	if len(all) == 0 {
		return m.say("there is nothing to export here", true)
	}
	return m.openExports(all)
}

func (m *Model) openExports(all []result.Export) tea.Cmd {
	items := make([]overlay.Item, len(all))
	for i, e := range all {
		items[i] = overlay.Item{Title: text.Sanitize(e.Title), Detail: text.Sanitize(e.Detail), Value: e}
	}
	return m.push(&overlay.List{Heading: "Export", Prompt: "csv, marked, body …", Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		e := it.Value.(result.Export)
		if e.Write == nil { // it knows where it goes
			return e.ToFile(e.File)
		}
		return then(func() tea.Cmd { return m.openDestination(e) })
	}})
}

func (m *Model) openDestination(e result.Export) tea.Cmd {
	items := []overlay.Item{
		{Title: "To a file…", Detail: "The file has its name only when it is whole.", Value: m.askFile},
		{Title: "To the clipboard", Detail: "At most 8 MB.", Value: m.exportClipboard},
		{Title: "To a command…", Detail: "The command gets it on its stdin; what it prints is shown.", Value: m.askCommand},
	}
	return m.push(&overlay.List{Heading: text.Sanitize(e.Title), Source: overlay.Static(items), Choose: func(it overlay.Item) intent.Intent {
		return then(func() tea.Cmd { return it.Value.(func(result.Export) tea.Cmd)(e) })
	}})
}

// askFile asks for the path of a new file; an existing one is replaced only after asking.
func (m *Model) askFile(e result.Export) tea.Cmd {
	p := overlay.NewPrompt("Write to the file", "A path; ~ is the home folder.", e.File, func(v string) intent.Intent {
		path := expandHome(strings.TrimSpace(v))
		write := m.exportFile(e, path)
		if e.ToFile != nil {
			write = e.ToFile(path)
		}
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			return write
		}
		return then(func() tea.Cmd {
			return m.push(&overlay.Confirm{Heading: "Replace the file?", Text: []string{text.Sanitize(path) + " exists."}, Yes: "Replace it", No: "Keep it", Danger: true, Do: write})
		})
	})
	p.Check = func(v string) string { return reason(strings.TrimSpace(v) == "", "type a path, or esc to leave") }
	p.Complete = completePath
	return m.push(p)
}

func (m *Model) exportFile(e result.Export, path string) intent.Intent {
	return intent.Work{Keep: true, What: "writing " + text.Sanitize(filepath.Base(path)), Do: func(ctx context.Context) (func() intent.Intent, error) {
		var n int64
		err := export.ToFile(path, func(w io.Writer) error {
			c := &counter{w: w}
			defer func() { n = c.n }()
			return e.Write(ctx, c)
		})
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s was not written: %w", text.Sanitize(path), err)
		}
		return func() intent.Intent {
			return intent.Say{Text: e.What + " written to " + path + ", " + text.Size(n), Log: intent.LogFile}
		}, ctx.Err()
	}}
}

// counter counts the bytes that pass.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// clipboardMax is the largest export that is put on a clipboard.
const clipboardMax = 8 << 20

var errTooLarge = errors.New("this is more than 8 MB, too much for a clipboard: write it to a file")

// limited is a buffer that refuses to grow beyond a clipboard.
type limited struct{ bytes.Buffer }

func (l *limited) Write(b []byte) (int, error) {
	if l.Len()+len(b) > clipboardMax {
		return 0, errTooLarge
	}
	return l.Buffer.Write(b)
}

func (m *Model) exportClipboard(e result.Export) tea.Cmd {
	return m.perform(intent.Work{Keep: true, What: "copying", Do: func(ctx context.Context) (func() intent.Intent, error) {
		var b limited
		if err := e.Write(ctx, &b); err != nil {
			return nil, err
		}
		return func() intent.Intent { return intent.Copy{Text: b.String(), What: e.What} }, nil
	}})
}

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

// openSummary tells what a column holds; choosing a value keeps its rows.
func (m *Model) openSummary() tea.Cmd {
	return m.perform(m.res.Summarize(func(s result.Summary) intent.Intent {
		return then(func() tea.Cmd { return m.push(m.summaryList(s)) })
	}))
}

func (m *Model) summaryList(s result.Summary) overlay.Overlay {
	items := make([]overlay.Item, 0, len(s.Values))
	for _, v := range s.Values {
		items = append(items, overlay.Item{Title: v.Text, Note: v.Note, Detail: strings.Join(s.Facts, " · "), Disabled: v.Disabled, Value: v})
	}
	if len(items) == 0 {
		items = append(items, overlay.Item{Title: strings.Join(s.Facts, " · "), Disabled: "no row has a value here", Value: result.SummaryValue{}})
	}
	return &overlay.List{Heading: text.Sanitize(s.Column), Wide: true, Source: overlay.Static(items), Help: "most common first · enter keeps the rows with the value · esc closes",
		Choose: func(it overlay.Item) intent.Intent {
			return m.res.FilterColumn(s.Column, it.Value.(result.SummaryValue))
		}}
}
