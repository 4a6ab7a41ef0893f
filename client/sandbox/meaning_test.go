package sandbox

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/rawjson"
	"patchbay/client/sandbox/data"
)

// Values mean what their names say: moments lie in the years of the records, a record
// is not changed before it is made, and nobody gives back more than was paid.
func TestValuesMeanWhatTheirNamesSay(t *testing.T) {
	cat := catalog.New()
	moments := 0
	for _, known := range cat.Kinds() {
		k, err := cat.Kind(known.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := newDataset(k, 5, 60, newRig(t, Options{Catalog: cat}).s.opts.Now)
		told := map[string]bool{}
		for i := range k.Entities {
			e := &k.Entities[i]
			if d.base(e.Name) != e {
				continue
			}
			for _, r := range d.table(e.Name).Rows {
				m := &meaning{T: t, d: d, e: e, told: told}
				m.object("", d.fields(e), r.Obj)
				m.order(r.Obj)
				moments += m.moments
			}
		}
	}
	if moments < 50_000 {
		t.Errorf("only %d moments were looked at", moments)
	}
}

// meaning looks at the values of one record.
type meaning struct {
	*testing.T
	d       *dataset
	e       *catalog.Entity
	told    map[string]bool
	moments int
	// made and changed are the first moments of these roles in the record.
	made, changed time.Time
}

func (m *meaning) wrong(path, text string, v any) {
	place := m.e.Name + path
	if !m.told[place] {
		m.told[place] = true
		m.Errorf("%s.%s: %s: %.100s", m.d.kind.Name, place, text, rawjson.Encode(v))
	}
}

func (m *meaning) object(path string, fields []catalog.Field, o *rawjson.Map) {
	for i, name := range o.Keys {
		f := catalog.FieldByName(fields, name)
		if f == nil {
			f = &catalog.Field{Name: name}
		}
		if name == "true" || name == "false" || name == "null" || name == "" || name == "expanded" {
			m.wrong(path+"."+name, "not a name", o.Vals[i])
		}
		m.value(path+"."+name, f, o.Vals[i])
	}
}

func (m *meaning) value(path string, f *catalog.Field, v any) {
	switch v := v.(type) {
	case *rawjson.Map:
		m.object(path, f.Members, v)
		return
	case []any:
		for _, one := range v {
			if o, isObject := one.(*rawjson.Map); isObject && f.Items != nil {
				m.object(path+"[]", f.Items.Members, o)
			}
		}
		return
	case nil:
		return
	}
	n := data.Normal(f.Name)
	if text, isText := v.(string); isText && (text == "true" || text == "false") && f.Type == "boolean" {
		m.wrong(path, "a text where true or false belongs", v)
	}
	x, isNumber := v.(int64)
	switch {
	case isTimeField(f, n):
		m.moment(path, f, n, v)
	case isNumber && strings.Contains(n, "hour") && strings.Contains(n, "diff") && (x < -12 || x > 14):
		m.wrong(path, "no time zone lies so far away", v)
	case isNumber && (strings.HasSuffix(n, "count") || strings.HasSuffix(n, "quantity")) && x < 0:
		m.wrong(path, "fewer than none", v)
	case strings.Contains(n, "percent") || strings.HasSuffix(n, "probability"):
		if share, isShare := data.Number(v); isShare && (share < 0 || share > 100) {
			m.wrong(path, "no share", v)
		}
	case n == "email" || n == "emailaddress":
		if text, _ := v.(string); text != "" && strings.Count(text, "@") != 1 {
			m.wrong(path, "no address", v)
		}
	}
}

// isTimeField reports fields that hold a moment: by their format, or by a name that
// nothing else has.
func isTimeField(f *catalog.Field, n string) bool {
	switch f.Format {
	case "date-time", "unix", "unix-ms", "date", "datetime":
		return true
	case "":
		return slices.Contains([]string{"createdat", "updatedat", "created", "updated", "datecreated", "createddate",
			"createdtime", "lastmodified", "lastmodifieddate", "datecreated", "dateupdated", "closedat", "startedat",
			"deletedat", "canceledat", "endedat", "publishedat", "occurredat"}, n)
	}
	return false
}

func (m *meaning) moment(path string, f *catalog.Field, n string, v any) {
	when, isMoment := data.Moment(v)
	if !isMoment {
		m.wrong(path, "no moment", v)
		return
	}
	m.moments++
	if when.Before(noon.AddDate(-3, 0, 0)) || when.After(noon.AddDate(1, 0, 0)) {
		m.wrong(path, "far from the years of the records", v)
	}
	if role := m.d.roleOf(f.Name); role != timeFuture && when.After(noon.AddDate(0, 0, 1)) {
		m.wrong(path, "ahead of now", v)
	}
	switch {
	case strings.Count(path, ".") > 1:
	case strings.HasPrefix(n, "created") && m.made.IsZero():
		m.made = when
	case strings.HasPrefix(n, "updated") && m.changed.IsZero():
		m.changed = when
	}
}

// order checks what has to come before or be less than something else.
func (m *meaning) order(o *rawjson.Map) {
	if !m.made.IsZero() && !m.changed.IsZero() && m.changed.Before(m.made.Truncate(24*time.Hour)) {
		m.wrong(".updated", "before it was created", o)
	}
	for _, pair := range [][2]string{{"amount_refunded", "amount"}, {"amount_captured", "amount"},
		{"amount_received", "amount"}, {"amount_capturable", "amount"}, {"fee", "amount"}, {"amount_paid", "total"},
		{"amount_remaining", "total"}, {"current_period_start", "current_period_end"}, {"created_at", "closed_at"},
		{"createdAt", "closedAt"}, {"createdAt", "mergedAt"}, {"created", "canceled_at"}, {"start_date", "end_date"},
		{"QuantityShipped", "QuantityOrdered"}, {"trial_start", "trial_end"}, {"period_start", "period_end"}} {
		a, b := o.Value(pair[0]), o.Value(pair[1])
		if a != nil && b != nil && data.CompareMoments(a, b) > 0 {
			m.wrong("."+pair[0], "more than "+pair[1], []any{a, b})
		}
	}
	if o.Value("refunded") == true && data.Compare(o.Value("amount_refunded"), o.Value("amount")) != 0 {
		m.wrong(".refunded", "not all is given back", o.Value("amount_refunded"))
	}
	if o.Value("captured") == false && data.Compare(o.Value("amount_captured"), int64(0)) != 0 {
		m.wrong(".captured", "an amount without a capture", o.Value("amount_captured"))
	}
	if net, has := o.Get("net"); has && o.Has("fee") {
		amount, _ := data.Int(o.Value("amount"))
		fee, _ := data.Int(o.Value("fee"))
		if data.Compare(net, amount-fee) != 0 {
			m.wrong(".net", "not the amount without the fee", []any{amount, fee, net})
		}
	}
}

// A page tells of the next one what the catalog says, and the next one is another.
func TestPagesTellOfTheNext(t *testing.T) {
	var paged atomic.Int64
	sweepKinds(t, Options{Records: 120}, func(s *sweep) {
		p := s.a.Page
		if s.a.Name != catalog.ActionList && s.a.Name != catalog.ActionAPISearch || p == nil || p.Style == "none" ||
			s.k.Name == "crm" {
			return
		}
		params := s.r.actionArguments(s.k, s.e, s.a)
		if p.Size != "" {
			params.Set(p.Size, int64(3))
		}
		if s.a.Name == catalog.ActionAPISearch && s.k.Name == "code_hosting" {
			params.Set("query", "is:open")
		}
		first, meta := s.r.good(s.k.Name, s.e.Name, s.a.Name, string(rawjson.Encode(params)))
		for _, name := range []string{p.Meta, strings.TrimPrefix(p.More, "!")} {
			if name != "" && catalog.FieldByName(s.a.Meta, name) != nil && !meta.Has(name) {
				s.wrong("meta."+name, "left out: %s", rawjson.Encode(meta))
			}
		}
		rows := listIn(first)
		if _, list := first.([]any); len(rows) < 3 || p.Size == "" ||
			list && p.Style == "cursor" && len(s.a.Meta) == 0 { // the way on lies in a body that nobody gets
			return
		}
		before := string(rawjson.Encode(rows))
		if !turn(s.a, params, rows, meta, first) {
			s.wrong("page", "nothing leads on from %d rows: %s", len(rows), rawjson.Encode(meta))
			return
		}
		paged.Add(1)
		second, _ := s.r.good(s.k.Name, s.e.Name, s.a.Name,
			string(s.a.WithoutReplaced(rawjson.Encode(params))))
		if next := listIn(second); len(next) == 0 || string(rawjson.Encode(next)) == before {
			s.wrong("page", "the second page is the first one or empty: %d rows", len(next))
		}
	})
	if n := paged.Load(); n < 80 {
		t.Errorf("only %d lists were turned", n)
	}
}
