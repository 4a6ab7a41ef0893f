package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// template makes a value for a record. A template of the catalog is JSON; its
// texts may hold placeholders, and a text that is nothing else gives a value of
// the placeholder's own type:
//
//	{low|high}            one of the words
//	{base62:14}           characters of an alphabet: base36, hex, digits, crockford, asin
//	{between:1-20}        a number; also {below:300}, {skewed:10}, {money:500-90000}, {chance:10},
//	                      {multiple:50:3:900} of 50, from 3 to 900 times
//	{name} {prose} {url}  drawn texts and what follows from the record: see placeholders
//	{n} {down} {cycle:a|b} {step:3} {nth:given} {release}   what follows from the record's number;
//	{nth:given~12} one of the first twelve
//	{created} {updated:LAYOUT} {later:unix}                 its moments
//	{@field} {@field:act_}   another field of the record, without a prefix
//	{part:amount} {part:amount/10} {rest:amount-fee}   less than it, than a tenth of it, what it leaves
//	{users.login~12}      a field of one of the first twelve records of an entity, {users.login:0} of
//	                      the first, {users.login:$owner} of the one with the number of a draw; the
//	                      same record for all such placeholders of one template
//	{$owner} {=prose}     a value of draws; a drawn text that is used again
//	{scope:repo} {id:contacts} {one} {object}               what the record belongs to, names
//	{now} {serial:1000} {names:fields} {types:fields}       for writes and expand
//
// Objects have three forms of their own: {pick: [...]}, with by: ... where a value
// says which, {below: n, of: ...} for a list, and {first: ..., rest: ...} for the
// first record and all others. The member "*": "{rest}" stands for the documented
// members that are not named.
type template func(c *making) any

// making is one evaluation of a template.
type making struct {
	*maker
	f *catalog.Field // the field that is made; nil for identifiers and writes
	// at and count are the number of the record and of all records.
	at, count int
	record    *rawjson.Map // the record, once it is there
	drawn     map[string]any
}

// evaluate runs a template. The evaluation lies in the maker, to save memory; one
// inside of another puts back what it found there.
func (m *maker) evaluate(t template, c making) any {
	outer := m.current
	m.current = c
	m.current.maker = m
	v := t(&m.current)
	m.current = outer
	return v
}

// fieldBy makes a field of the record by a template.
func (m *maker) fieldBy(t template, f *catalog.Field) any {
	return m.evaluate(t, making{f: f, at: m.n, count: m.d.count(m.e)})
}

// fill evaluates a template of the catalog that is used rarely.
func (m *maker) fill(raw json.RawMessage, record *rawjson.Map) any {
	return m.evaluate(compile(constant(raw)), making{at: m.n, count: m.d.count(m.e), record: record})
}

// compile turns a value of the catalog into a template.
func compile(v any) template {
	switch v := v.(type) {
	case string:
		return compileText(v)
	case []any:
		items := compileAll(v)
		return func(c *making) any {
			out := make([]any, len(items))
			for i := range items {
				out[i] = items[i](c)
			}
			return out
		}
	case *rawjson.Map:
		return compileObject(v)
	}
	return func(*making) any { return v }
}

func compileAll(list []any) []template {
	out := make([]template, len(list))
	for i := range list {
		out[i] = compile(list[i])
	}
	return out
}

func compileObject(o *rawjson.Map) template {
	if list, isList := o.Value("pick").([]any); isList {
		of, by := compileAll(list), compile(o.Value("by"))
		return func(c *making) any {
			n, chosen := data.Int(by(c))
			if !chosen {
				n = int64(c.r.Below(len(of)))
			}
			return of[n](c)
		}
	}
	if n, isInt := o.Value("below").(int64); isInt {
		of := compile(o.Value("of"))
		return func(c *making) any {
			out := []any{}
			for range c.r.Below(int(n)) {
				c.drawn = nil
				out = append(out, of(c))
			}
			return out
		}
	}
	if o.Has("first") && o.Has("rest") {
		first, rest := compile(o.Value("first")), compile(o.Value("rest"))
		return func(c *making) any {
			if c.at == 0 {
				return first(c)
			}
			return rest(c)
		}
	}
	vals, names := compileAll(o.Vals), make([]template, len(o.Keys))
	for i, k := range o.Keys {
		if strings.Contains(k, "{") {
			names[i] = compileText(k)
		}
	}
	return func(c *making) any {
		made := &rawjson.Map{Keys: make([]string, 0, len(vals)), Vals: make([]any, 0, len(vals))}
		for i, k := range o.Keys {
			switch {
			case names[i] != nil:
				made.Set(rawjson.TextOf(names[i](c)), vals[i](c))
				continue
			case k != "*":
				made.Set(k, vals[i](c))
				continue
			}
			for j := range c.f.Members { // the documented members that the template does not name
				if m := &c.f.Members[j]; !made.Has(m.Name) {
					made.Set(m.Name, c.value(m))
				}
			}
		}
		return made
	}
}

// compileText cuts a text into words and placeholders.
func compileText(s string) template {
	var parts []template
	for s != "" {
		before, rest, found := strings.Cut(s, "{")
		if before != "" {
			word := any(before)
			parts = append(parts, func(*making) any { return word })
		}
		if !found {
			break
		}
		inner, after, _ := strings.Cut(rest, "}")
		parts = append(parts, placeholder(inner))
		s = after
	}
	switch len(parts) {
	case 0:
		return func(*making) any { return "" }
	case 1:
		return parts[0]
	}
	return func(c *making) any {
		var room [64]byte
		text := room[:0]
		for _, p := range parts {
			switch v := p(c).(type) {
			case string:
				text = append(text, v...)
			default:
				text = append(text, rawjson.TextOf(v)...)
			}
		}
		return string(text)
	}
}

// placeholder finds what stands between braces.
func placeholder(text string) template {
	name, arg, _ := strings.Cut(text, ":")
	entity, field, isReference := strings.Cut(name, ".")
	switch {
	case name == "cycle":
		list := strings.Split(arg, "|")
		return func(c *making) any { return list[max(c.at, -c.at)%len(list)] }
	case strings.Contains(text, "|"):
		list := strings.Split(text, "|")
		return func(c *making) any { return c.r.Pick(list) }
	case text[0] == '@':
		return func(c *making) any { return c.own(name[1:], arg) }
	case text[0] == '$':
		return func(c *making) any { return c.drawing(text[1:]) }
	case text[0] == '=':
		once := placeholder(text[1:])
		return func(c *making) any { return c.once(text, func() any { return once(c) }) }
	case isReference:
		return otherField(entity, field, arg)
	case alphabets[name] != "":
		n, _ := strconv.Atoi(arg)
		return func(c *making) any { return c.r.Chars(alphabets[name], n) }
	case data.Words(name) != nil:
		list := data.Words(name)
		return func(c *making) any { return c.r.Pick(list) }
	}
	if make := makers[name]; make != nil {
		low, high, _ := strings.Cut(arg, "-")
		with := detail{text: arg}
		with.n, _ = strconv.Atoi(low)
		with.m, _ = strconv.Atoi(high)
		return func(c *making) any { return make(c, with) }
	}
	return func(*making) any { return "{" + name + "}" }
}

// alphabets of random characters.
var alphabets = map[string]string{
	"base62": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "base36": data.Base36,
	"hex": data.Hexadecimals, "digits": "0123456789", "crockford": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
	"asin": "0123456789BCDFGHJKLMNPQRSTVWXZ", "HEX": "0123456789ABCDEF", "LETTERS": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
}

// once draws a value for all placeholders of that name in one template.
func (c *making) once(name string, draw func() any) any {
	v, known := c.drawn[name]
	if !known {
		if c.drawn == nil {
			c.drawn = map[string]any{}
		}
		v = draw()
		c.drawn[name] = v
	}
	return v
}

// own is another field of the record, its key where no name is given.
func (c *making) own(name, prefix string) any {
	if name == "" {
		name = c.e.Key
	}
	if c.record != nil {
		v, _ := data.At(c.record, name)
		return v
	}
	v := c.d.peek(c.e, c.at, name)
	if prefix != "" {
		return strings.TrimPrefix(rawjson.TextOf(v), prefix)
	}
	return v
}

// drawing is a value that the kind draws once per record, from a stream of its own.
func (m *maker) drawing(name string) any {
	inner := *m
	inner.r = data.Random{State: data.Hash(m.seed, name)}
	return inner.fieldBy(m.d.draws.of(name, func() template { return compile(constant(m.d.facts.Draws[name])) }), nil)
}

// otherField is a field of another record: field~12 of the first twelve, field~ of
// all, field with the argument 0 of the first, with $name of that with a drawn number.
func otherField(entity, field, arg string) template {
	field, limit, drawn := strings.Cut(field, "~")
	n, _ := strconv.Atoi(limit + arg)
	return func(c *making) any {
		e, i := c.d.entity(entity), n
		if e == nil {
			return nil
		}
		if draw, isDraw := strings.CutPrefix(arg, "$"); isDraw {
			number, _ := data.Int(c.drawing(draw))
			i = int(number) % c.d.count(e)
		}
		if drawn {
			i = c.once(entity, func() any {
				if limit == "" {
					return c.r.Skewed(c.d.count(e))
				}
				return c.r.Skewed(min(n, c.d.count(e)))
			}).(int)
		}
		return c.d.peek(e, i, field)
	}
}

// written is a moment of the record in a layout, Unix seconds for "unix".
func (c *making) written(role timeRole, layout string) any {
	when := c.moment(role)
	switch layout {
	case "":
		return c.d.writeTime(c.f, when)
	case "stamp":
		return c.d.stamp(when)
	case "unix":
		return when.Unix()
	}
	return when.UTC().Format(layout)
}

// wrapped puts each entry of a list into objects at a path.
func wrapped(list []any, path string) []any {
	steps := strings.FieldsFunc(path, func(c rune) bool { return c == '.' })
	for _, step := range slices.Backward(steps) {
		for i := range list {
			list[i] = rawjson.NewMap(step, list[i])
		}
	}
	return list
}

// described names the members of an object, or tells their types.
func described(v any, types bool) any {
	out := &rawjson.Map{}
	if o, isObject := v.(*rawjson.Map); isObject {
		for _, k := range o.Keys {
			if types {
				out.Set(k, rawjson.NewMap("type", "any", "system", k))
			} else {
				out.Set(k, strings.ToUpper(k[:1])+k[1:])
			}
		}
	}
	return out
}

// detail is what stands behind the colon of a placeholder: a text, and the
// numbers in it.
type detail struct {
	text string
	n, m int
}

// makers are the placeholders, which may lead to others and so cannot name themselves.
var makers map[string]func(*making, detail) any

func init() { makers = placeholders }

// placeholders are those that make a value by name.
var placeholders = map[string]func(c *making, with detail) any{
	// The person of the record, and drawn texts.
	"person":   func(c *making, _ detail) any { return c.p.Name() },
	"email":    func(c *making, _ detail) any { return c.p.Email(c.n) },
	"first":    func(c *making, _ detail) any { return c.p.First },
	"last":     func(c *making, _ detail) any { return c.p.Last },
	"initials": func(c *making, _ detail) any { return c.p.First[:1] + c.p.Last[:1] },
	"login":    func(c *making, _ detail) any { return strings.ToLower(c.p.First) + strconv.Itoa(c.n) },
	"company":  func(c *making, _ detail) any { return c.p.Company },
	"city":     func(c *making, _ detail) any { return c.p.City },
	"country":  func(c *making, _ detail) any { return c.p.Country },
	"uuid":     func(c *making, _ detail) any { return c.r.UUID() },
	"slug": func(c *making, _ detail) any {
		return c.r.Pick(data.Words("adjective")) + "-" + c.r.Pick(data.Words("noun"))
	},
	"label":   func(c *making, _ detail) any { return c.r.Label() },
	"title":   func(c *making, _ detail) any { return c.heading() },
	"prose":   func(c *making, _ detail) any { return c.r.Prose() },
	"name":    func(c *making, _ detail) any { return c.name() },
	"address": func(c *making, _ detail) any { return c.ruled("objects", &catalog.Field{Name: "address"}) },
	"tags":    func(c *making, with detail) any { return wrapped(c.r.Tags(), with.text) },
	// The number of the record, its entity and its field.
	"n":    func(c *making, _ detail) any { return int64(c.at) },
	"code": func(c *making, _ detail) any { return data.Code(c.at) },
	// Counts down; with a base and a width, as a text of that many digits.
	"down": func(c *making, with detail) any {
		base, width, wide := strings.Cut(with.text, "/")
		if !wide {
			return int64(c.count - c.at)
		}
		n, _ := strconv.Atoi(base)
		return fmt.Sprintf("%0"+width+"d", n+c.count-c.at)
	},
	"step": func(c *making, with detail) any { return int64(1 + c.at%with.n) },
	// A word by the record's number, or one of the first words after a tilde.
	"nth": func(c *making, with detail) any {
		list, limit, drawn := strings.Cut(with.text, "~")
		if !drawn {
			return data.Nth(list, c.at)
		}
		n, _ := strconv.Atoi(limit)
		return data.Nth(list, c.r.Skewed(n))
	},
	"one":   func(c *making, _ detail) any { return data.Singular(c.e.Name) },
	"id":    func(c *making, with detail) any { return c.id(with.text, 0, 0) },
	"scope": func(c *making, with detail) any { return c.hidden().Value(with.text) },
	"url":   func(c *making, with detail) any { return c.url(with.text + c.of()) },
	"three": func(c *making, _ detail) any { return c.of()[:min(len(c.of()), 3)] },
	"release": func(c *making, _ detail) any {
		n := c.count - c.at
		return fmt.Sprintf("v%d.%d.%d", n/100, n/10%10, n%10)
	},
	"object": func(c *making, _ detail) any { return c.d.object(c.e) },
	// An identifier that stands in other records under the singular name of theirs.
	"pointed": func(c *making, _ detail) any { return c.id(c.of()+"s", c.r.Below(200), 200) },
	"other": func(c *making, _ detail) any {
		return c.id(strings.TrimSuffix(c.of(), "id")+"s", c.r.Below(c.count), c.count)
	},
	// Numbers.
	"below":   func(c *making, with detail) any { return int64(c.r.Below(with.n)) },
	"between": func(c *making, with detail) any { return int64(c.r.Between(with.n, with.m)) },
	"skewed":  func(c *making, with detail) any { return int64(c.r.Skewed(with.n)) },
	"chance":  func(c *making, with detail) any { return c.r.Chance(with.n) },
	"serial":  func(c *making, with detail) any { return int64(with.n + c.d.serial) },
	"two":     func(c *making, with detail) any { return fmt.Sprintf("%02d", c.r.Between(with.n, with.m)) },
	"money":   func(c *making, with detail) any { return float64(c.r.Between(with.n, with.m)) / 100 },
	"price": func(c *making, with detail) any {
		return fmt.Sprintf("%.2f", float64(c.r.Between(with.n, with.m))/100)
	},
	// A unit, and how many of it there are at least and at most.
	"multiple": func(c *making, with detail) any {
		unit, bounds, _ := strings.Cut(with.text, ":")
		low, high, _ := strings.Cut(bounds, ":")
		of, _ := data.Int(unit)
		from, _ := data.Int(low)
		to, _ := data.Int(high)
		return of * int64(c.r.Between(int(from), int(to)))
	},
	"amount": func(c *making, with detail) any {
		if c.d.facts.Cents {
			return int64(c.r.Between(3, 900)) * 50
		}
		return float64(c.r.Between(with.n, with.m)) / 100
	},
	"credit": func(c *making, _ detail) any {
		return rawjson.NewMap(c.r.Pick(data.Words("currency")), int64(c.r.Between(0, 60))*100)
	},
	// Less than another field of the record, or a fraction of it.
	"part": func(c *making, with detail) any {
		name, fraction, _ := strings.Cut(with.text, "/")
		n, _ := data.Int(c.own(name, ""))
		of, _ := strconv.ParseInt(cmp.Or(fraction, "1"), 10, 64)
		return int64(c.r.Below(int(max(n/of, 1))))
	},
	"rest": func(c *making, with detail) any {
		whole, part, _ := strings.Cut(with.text, "-")
		n, _ := data.Int(c.own(whole, ""))
		less, _ := data.Int(c.own(part, ""))
		return n - less
	},
	// Moments, and what an expansion says of the record.
	"created": func(c *making, with detail) any { return c.written(timeCreated, with.text) },
	"updated": func(c *making, with detail) any { return c.written(timeUpdated, with.text) },
	"future":  func(c *making, with detail) any { return c.written(timeFuture, with.text) },
	"later":   func(c *making, with detail) any { return c.written(timeLater, with.text) },
	"now":     func(c *making, _ detail) any { return c.d.now().Unix() },
	"names":   func(c *making, with detail) any { return described(c.record.Value(with.text), false) },
	"types":   func(c *making, with detail) any { return described(c.record.Value(with.text), true) },
}

// of is the normalised name of the field that is made.
func (c *making) of() string {
	if c.f == nil {
		return ""
	}
	return c.word(c.f.Name).normal
}
