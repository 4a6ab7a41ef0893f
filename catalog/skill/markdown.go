package skill

import (
	"fmt"
	"strings"
)

// Markdown is the documents as read_skill_docs hands them to a model.
func (d *Docs) Markdown() string {
	var b strings.Builder
	m := d.Metadata
	fmt.Fprintf(&b, "# %s\n", oneLine(m.Title))
	for _, fact := range [][2]string{{"Skill ID", m.ID}, {"Kind", m.Kind}, {"Summary", m.Summary}} {
		if fact[1] != "" {
			fmt.Fprintf(&b, "\n%s: %s\n", fact[0], oneLine(fact[1]))
		}
	}
	if len(m.Warnings) > 0 {
		b.WriteString("\nWarnings:\n")
		writeList(&b, m.Warnings)
	}
	if d.Section != nil {
		d.writeOutline(&b)
		fmt.Fprintf(&b, "\n## Section %s\n", oneLine(*d.Section))
		writeBlocks(&b, d.Content)
		return b.String()
	}
	writeBlocks(&b, d.Content)
	d.writeOutline(&b)
	return b.String()
}

// writeOutline writes a line for each section, unless the content has done so.
func (d *Docs) writeOutline(b *strings.Builder) {
	for _, c := range d.Content {
		if c.Type == "heading" && strings.EqualFold(strings.TrimSpace(c.Text), "outline") {
			return
		}
	}
	if len(d.Outline) == 0 {
		return
	}
	b.WriteString("\n## Outline\n\n")
	for _, s := range d.Outline {
		fmt.Fprintf(b, "- `%s` %s", oneLine(s.ID), oneLine(s.Title))
		if s.Summary != "" {
			fmt.Fprintf(b, " - %s", oneLine(s.Summary))
		}
		if s.Available != nil && !*s.Available {
			b.WriteString(" (not available)")
		}
		b.WriteByte('\n')
	}
}

func writeBlocks(b *strings.Builder, blocks []Block) {
	for _, c := range blocks {
		b.WriteByte('\n')
		switch c.Type {
		case "heading":
			level := c.Level
			if level < 1 || level > 6 {
				level = 2
			}
			fmt.Fprintf(b, "%s %s\n", strings.Repeat("#", level), oneLine(c.Text))
		case "paragraph":
			b.WriteString(strings.TrimSpace(c.Text) + "\n")
		case "list":
			writeList(b, c.Items)
		case "code":
			fence := fenceOf(c.Code)
			fmt.Fprintf(b, "%s%s\n%s\n%s\n", fence, oneLine(c.Language), strings.TrimRight(c.Code, "\n"), fence)
		case "table":
			writeTable(b, c)
		default:
			fmt.Fprintf(b, "```json\n%s\n```\n", c.Raw)
		}
	}
}

func writeList(b *strings.Builder, items []string) {
	for _, item := range items {
		fmt.Fprintf(b, "- %s\n", oneLine(item))
	}
}

// writeTable writes a table as wide as its widest row: cells without a header are kept.
func writeTable(b *strings.Builder, c Block) {
	width := len(c.Headers)
	for _, row := range c.Rows {
		width = max(width, len(row))
	}
	if width == 0 {
		return
	}
	write := func(cells []string) {
		for i := range width {
			cell := ""
			if i < len(cells) {
				cell = cells[i]
			}
			cell = strings.ReplaceAll(strings.ReplaceAll(oneLine(cell), `\`, `\\`), "|", `\|`)
			fmt.Fprintf(b, "| %s ", cell)
		}
		b.WriteString("|\n")
	}
	write(c.Headers)
	b.WriteString(strings.Repeat("|---", width) + "|\n")
	for _, row := range c.Rows {
		write(row)
	}
}

// fenceOf is a fence that is longer than any row of backticks in the code.
func fenceOf(code string) string {
	longest, run := 2, 0
	for _, r := range code {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// oneLine puts spaces in place of line breaks.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, isBreak), " ") }

func isBreak(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }
