package ui

import (
	"time"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/profile"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/dialog/account"
	"patchbay/ui/dialog/appearance"
	"patchbay/ui/dialog/call"
	"patchbay/ui/dialog/columns"
	"patchbay/ui/dialog/commandline"
	"patchbay/ui/dialog/compare"
	"patchbay/ui/dialog/connect"
	"patchbay/ui/dialog/copying"
	"patchbay/ui/dialog/docs"
	"patchbay/ui/dialog/doctor"
	"patchbay/ui/dialog/explain"
	"patchbay/ui/dialog/export"
	"patchbay/ui/dialog/fetch"
	"patchbay/ui/dialog/history"
	"patchbay/ui/dialog/logbook"
	"patchbay/ui/dialog/meaning"
	"patchbay/ui/dialog/openfile"
	"patchbay/ui/dialog/palette"
	"patchbay/ui/dialog/places"
	"patchbay/ui/dialog/query"
	"patchbay/ui/dialog/readas"
	"patchbay/ui/dialog/relate"
	"patchbay/ui/dialog/run"
	"patchbay/ui/dialog/saved"
	"patchbay/ui/intent"
	"patchbay/ui/request"
	"patchbay/ui/response"
	"patchbay/ui/style"
	"patchbay/ui/tree"
)

// host is the root as features see it.
type host struct{ m *Model }

func (h host) Session() Session           { return h.m.deps.Session }
func (h host) Catalog() *catalog.Catalog  { return h.m.deps.Catalog }
func (h host) Document() *answer.Document { return h.m.deps.Document }
func (h host) Tree() *tree.Pane           { return h.m.tree }
func (h host) Request() *request.Pane     { return h.m.req }
func (h host) Response() *response.Pane   { return h.m.res }
func (h host) Focus() intent.Pane         { return h.m.arr.focus }
func (h host) Top() intent.Overlay        { return h.m.stack.Top() }
func (h host) Scopes() []action.Scope     { return h.m.scopes() }
func (h host) Table() *action.Table       { return h.m.actions }
func (h host) Settings() *profile.State   { return &h.m.deps.Settings }
func (h host) Size() (w, height int)      { return h.m.width, h.m.height }
func (h host) Now() time.Time             { return h.m.deps.Now() }

// features are the parts of the explorer that the root calls by name.
type features struct {
	call    *call.Feature
	docs    *docs.Feature
	history *history.Feature
	log     *logbook.Feature
	places  *places.Feature
	look    *appearance.Feature
	query   *query.Feature
	run     *run.Feature
	saved   *saved.Feature
}

// newFeatures makes all features; their order is that of their actions in the help.
func newFeatures(h dialog.Host, d Deps) (features, []dialog.Feature) {
	doctor, export := &doctor.Feature{Host: h}, &export.Feature{Host: h}
	f := features{
		call:    &call.Feature{Host: h, Listen: d.Listen},
		docs:    &docs.Feature{Host: h},
		history: &history.Feature{Host: h, Store: d.History},
		log:     &logbook.Feature{Host: h, History: d.History != nil},
		look: appearance.New(h, style.Options{ASCII: d.ASCII, Still: d.Still, NoColor: d.NoColor, Images: d.Images},
			d.ThemeDir, d.Notification != nil),
		query: query.New(h),
	}
	f.places = &places.Feature{Host: h, Docs: f.docs.Of}
	f.run = &run.Feature{Host: h, Save: f.places.Save, Answered: f.answered,
		Leaving: func() { f.places.Remember(); f.docs.Rewind() }}
	f.places.Leaving = func() { f.docs.Rewind(); f.run.Forget() }
	f.saved = &saved.Feature{Host: h, Store: d.Saved, Seek: f.places.Seek}
	all := []dialog.Feature{
		f.call,
		columns.New(h),
		&copying.Feature{Host: h, Pager: d.Pager, Redactor: d.Redactor},
		&fetch.Feature{Host: h},
		&palette.Feature{Host: h, Saved: f.saved.Items, Recent: f.places.Recent},
		f.docs,
		export,
		f.places,
		f.query,
		&compare.Feature{Host: h, Export: export.Choose, More: f.history.DiffItem},
		f.history,
		f.saved,
		&readas.Feature{Host: h},
		&meaning.Feature{Host: h},
		openfile.New(h, openfile.Hooks{Open: d.OpenFile, Resume: f.run.Resume, NoResume: f.run.NoResume}),
		&relate.Feature{Host: h},
		f.log,
		f.look,
		&connect.Feature{Host: h, Copy: f.call.Copy, Accounts: d.Accounts, Try: doctor.Try},
		doctor,
		&account.Feature{Host: h, Accounts: d.Accounts, Profiles: d.Profiles},
		&explain.Feature{Host: h},
	}
	return f, append(all, commandline.New(h, all))
}

// noticer is a service that learns from answers what nobody documented of records.
type noticer interface {
	Notice(p *answer.Page) error
}

// answered keeps an answer in the history, and what it shows.
func (f *features) answered(p *answer.Page) intent.Intent {
	h := f.history.Host
	learns, can := h.Session().Service.(noticer)
	if !can || p.Err != nil {
		return f.history.Keep(p)
	}
	return intent.All{f.history.Keep(p), dialog.Quiet(func() (func() intent.Intent, error) {
		return func() intent.Intent { return nil }, learns.Notice(p)
	})}
}
