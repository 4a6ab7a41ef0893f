package ui

import (
	"strings"
)

// KeyTable lists every action as [where, keys, help, id], in the order of the
// help: for the command line and the README. own replaces keys by action id;
// problems tell what is wrong with them.
func KeyTable(own map[string][]string) (rows [][4]string, problems []string) {
	table := actionTable()
	k := newKeymap(table, own)
	rows = make([][4]string, 0, len(table))
	for i := range table {
		a := &table[i]
		rows = append(rows, [4]string{string(a.In), strings.Join(k.keys[a.ID], ", "), a.Help, a.ID})
	}
	return rows, k.problems
}

// KeyMarkdown is the key list as the README shows it.
func KeyMarkdown() string {
	var b strings.Builder
	b.WriteString("| Where | Keys | What it does |\n|---|---|---|\n")
	rows, _ := KeyTable(nil)
	for _, r := range rows {
		keys := "`" + strings.ReplaceAll(strings.ReplaceAll(r[1], ", ", "` `"), "|", "\\|") + "`"
		if r[1] == "" {
			keys = "palette only"
		}
		b.WriteString("| " + r[0] + " | " + keys + " | " + r[2] + " |\n")
	}
	return b.String()
}
