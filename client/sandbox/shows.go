package sandbox

import (
	"slices"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
	"patchbay/client/sandbox/lang"
)

// showsHandler changes the form of answers as the value of a param says.
func showsHandler(p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		show, told := p.Shows[rawjson.TextOf(v)]
		if !told {
			show = p.Shows["*"]
		}
		q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
			known := rawjson.NewMap("value", v, "record", o)
			for path, raw := range show.Sets {
				setPath(o, path, q.d.maker(q.d.base(q.e.Name), 0).fill(raw, known))
			}
			for _, path := range show.Drops {
				excludeField(o, path)
			}
			return o
		})
	}
}

// stretchHandler makes every record last as many days as the param counts.
func stretchHandler(first, last string) handler {
	return func(q *query, v any) {
		days, counts := data.Int(v)
		if !counts || days < 1 {
			return
		}
		q.shapes = append(q.shapes, func(o *rawjson.Map) *rawjson.Map {
			if from, err := time.Parse(time.DateOnly, o.Text(first)); err == nil && o.Has(last) {
				o.Set(last, from.AddDate(0, 0, int(days)-1).Format(time.DateOnly))
			}
			return o
		})
	}
}

// matchHandler keeps records with any, all or none of the values.
func matchHandler(p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		at, wanted := data.NewPath(p.Path), data.List(v)
		how := strings.ToLower(q.params.Text(p.Match))
		q.where(func(r *data.Record) bool {
			has := func(w any) bool { return data.Equal(at.Of(r), w) }
			switch how {
			case "all":
				return !slices.ContainsFunc(wanted, func(w any) bool { return !has(w) })
			case "none":
				return !slices.ContainsFunc(wanted, has)
			}
			return slices.ContainsFunc(wanted, has)
		})
	}
}

// phraseHandler keeps records that hold the words; in a row, where another param says so.
func phraseHandler(p catalog.SandboxParam) handler {
	return func(q *query, v any) {
		if !q.asks(p.Phrase) {
			textHandler(q, v)
			return
		}
		phrase := strings.ToLower(strings.Join(strings.Fields(rawjson.TextOf(v)), " "))
		q.where(func(r *data.Record) bool { return lang.ContainsWords(r, []string{phrase}) })
	}
}

// asks reports whether a param has the value that is told of it.
func (q *query) asks(values map[string]string) bool {
	for name, value := range values {
		if q.params.Text(name) == value {
			return true
		}
	}
	return false
}

// onlyHandler finds nothing where another param has a value for which the sandbox has nothing.
func onlyHandler(p catalog.SandboxParam, find handler) handler {
	return func(q *query, v any) {
		for name := range p.Only {
			if q.params.Has(name) && !q.asks(p.Only) {
				q.where(func(*data.Record) bool { return false })
			}
		}
		find(q, v)
	}
}
