package result

import (
	"patchbay/client/pages"
	"patchbay/ui/style"
	"patchbay/ui/text"
)

// oddPages are the pages that a verdict speaks of.
func oddPages(list []pages.Verdict) map[int]bool {
	odd := map[int]bool{}
	for _, v := range list {
		odd[v.Page] = true
	}
	return odd
}

// verdictLines tells what is odd about the paging, each name once.
func verdictLines(list []pages.Verdict, w int, s *style.Styles) []string {
	var out []string
	for _, told := range pages.Tell(list) {
		st := &s.Error
		if told.Note {
			st = &s.Warning
		}
		for i, l := range text.Wrap(text.Sanitize(told.Sentence()), max(w-4, 8)) {
			if i > 0 {
				out = append(out, "   "+s.Text.Render(l))
				continue
			}
			name := min(len(told.Name), len(l))
			out = append(out, " "+st.Render(l[:name])+s.Text.Render(l[name:]))
		}
	}
	return out
}
