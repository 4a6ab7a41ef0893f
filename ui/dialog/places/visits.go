package places

import (
	"bytes"
	"slices"
	"strings"

	"patchbay/client/profile"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/request"
	"patchbay/ui/response"
	"patchbay/ui/text"
)

const (
	// mostVisits is how many places that were left are kept.
	mostVisits = 50
	// mostAnswers is how many bytes of their answers are kept. Beyond it those left
	// longest ago come back with their params only.
	mostAnswers = 64_000_000
)

// visit is a place as it was left.
type visit struct {
	place profile.Place
	form  *request.Kept
	// answer is what the response showed; nil once it was too much to keep.
	answer *response.Kept
	told   string // what answer that was; empty where there was no answer
	focus  intent.Pane
}

// trail is the way through places that were left.
type trail struct {
	// back and forward end with the nearest.
	back, forward []*visit
	// all are those kept, the one left last at the end.
	all []*visit
	// now is the visit that the open place was restored from; nil for a new one.
	now *visit
}

// Remember keeps the present place on the way back, before another one is opened.
func (f *Feature) Remember() {
	if v := f.leave(); v != nil {
		f.trail.back = append(f.trail.back, v)
		f.trail.forward = nil
	}
	f.trail.bound()
}

// leave keeps the place that is open as it stands; nil where none is. The same call
// is one visit.
func (f *Feature) leave() *visit {
	if !f.Request().HasAction() {
		return nil
	}
	t, v := &f.trail, f.trail.now
	left := visit{place: f.here(), form: f.Request().Keep(), answer: f.Response().Keep(), focus: f.Focus()}
	left.place.Params = bytes.Clone(f.Request().Draft())
	left.told = left.answer.Told()
	if n := len(t.all); v == nil && n > 0 && t.all[n-1].place.Same(left.place) &&
		bytes.Equal(t.all[n-1].place.Params, left.place.Params) {
		v = t.all[n-1]
	}
	if v == nil {
		v = &visit{}
	}
	*v = left
	t.offWay(v)
	t.all = append(slices.DeleteFunc(t.all, func(o *visit) bool { return o == v }), v)
	t.now = nil
	return v
}

// offWay takes a visit off the way back and forward: it is where the person is.
func (t *trail) offWay(v *visit) {
	is := func(o *visit) bool { return o == v }
	t.back, t.forward = slices.DeleteFunc(t.back, is), slices.DeleteFunc(t.forward, is)
}

// bound forgets what is too much, beginning with what was left longest ago.
func (t *trail) bound() {
	if extra := len(t.all) - mostVisits; extra > 0 {
		gone := t.all[:extra]
		isGone := func(v *visit) bool { return slices.Contains(gone, v) }
		t.back, t.forward = slices.DeleteFunc(t.back, isGone), slices.DeleteFunc(t.forward, isGone)
		t.all = slices.Clone(t.all[extra:])
	}
	kept := 0
	for _, v := range slices.Backward(t.all) {
		if v.answer == nil {
			continue
		}
		if kept += v.answer.Size(); kept > mostAnswers {
			v.answer = nil
		}
	}
}

func (f *Feature) goBack() intent.Intent {
	return f.along(&f.trail.back, &f.trail.forward)
}

func (f *Feature) goForward() intent.Intent {
	return f.along(&f.trail.forward, &f.trail.back)
}

// along goes to the nearest place of one way, and puts the present one on the other.
func (f *Feature) along(from, to *[]*visit) intent.Intent {
	return f.instead(func() *visit {
		n := len(*from)
		if n == 0 {
			return nil
		}
		v := (*from)[n-1]
		*from = (*from)[:n-1]
		if left := f.leave(); left != nil && left != v {
			*to = append(*to, left)
		}
		return v
	})
}

// revisit goes to any place that was left; the present one is then the last one.
func (f *Feature) revisit(v *visit) intent.Intent {
	return f.instead(func() *visit {
		f.Remember()
		return v
	})
}

// instead shows the visit that next returns once nothing runs for the present place.
func (f *Feature) instead(next func() *visit) intent.Intent {
	return intent.All{intent.Stop{Lane: intent.Running}, intent.Then{F: func() intent.Intent {
		f.Leaving()
		v := next()
		if v == nil {
			return nil
		}
		return f.restore(v)
	}}}
}

// restore shows a place as it was left. Nothing is sent.
func (f *Feature) restore(v *visit) intent.Intent {
	f.Request().Restore(v.form)
	var said intent.Intent
	if v.answer != nil {
		f.Response().Restore(v.answer)
	} else {
		f.Response().Clear(f.Request().Kind(), f.Request().Entity(), f.Request().Action())
		if v.told != "" {
			said = intent.Say{Text: "The answer was too much to keep; r asks for it again"}
		}
	}
	f.trail.now = v
	f.trail.offWay(v)
	v.answer = nil // the pane has it
	f.trail.bound()
	focus := v.focus
	if focus == intent.Tree {
		focus = intent.Request
		if f.Response().HasAnswer() {
			focus = intent.Response
		}
	}
	p := v.place
	return intent.All{intent.Reveal{Connector: p.Connector, Entity: p.Entity, Action: p.Action},
		intent.Focus{Pane: focus}, f.Save(), said}
}

// Recent are the places that were left, the last one first, as items of a list.
func (f *Feature) Recent() []overlay.Item {
	var items []overlay.Item
	for _, v := range slices.Backward(f.trail.all) {
		if v == f.trail.now {
			continue
		}
		p := v.place
		note := v.told
		switch {
		case note == "":
			note = "not run"
		case v.answer == nil:
			note += ", to be run again"
		}
		if params := string(p.Params); params != "" && params != "{}" {
			note += "  " + text.Short(params, 200)
		}
		items = append(items, overlay.Item{Title: p.Connector.Name + " " + p.Entity + " " + p.Action,
			Note: strings.TrimSpace(note), Value: intent.Then{F: func() intent.Intent { return f.revisit(v) }}})
	}
	return items
}

// visitActions are those on the way through places.
func (f *Feature) visitActions() []action.Row {
	row := func(id string, keys []string, label, help string, none func() string, do func() intent.Intent) action.Row {
		return action.Row{ID: id, In: action.InAny, Keys: keys, Label: label, Help: help, Disabled: none, Do: do}
	}
	rows := []action.Row{
		row("back", []string{"-", "alt+left"}, "back", "Go back to the last place, as it was left",
			func() string { return action.Reason(len(f.trail.back) == 0, "there is no earlier place yet") }, f.goBack),
		row("forward", []string{"+", "alt+right"}, "forward", "Go forward again after going back",
			func() string {
				return action.Reason(len(f.trail.forward) == 0, "nothing was gone back from; - goes back")
			}, f.goForward),
		row("places", []string{"_"}, "places", "List the last 50 places, with their answers",
			func() string { return action.Reason(len(f.trail.all) == 0, "there is no earlier place yet") }, f.list),
	}
	rows[0].After = "docs"
	return rows
}

// list shows the places that were left.
func (f *Feature) list() intent.Intent {
	return intent.Push{Overlay: &overlay.List{Heading: "The last places", Wide: true,
		Prompt: "a connector, an entity, an action, a param", Source: overlay.Static(f.Recent()),
		Help: "enter goes there, as it was left; nothing is sent · esc closes"}}
}
