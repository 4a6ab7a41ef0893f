// Package openfile is the feature that opens a file that was downloaded with the
// program that the system has for it, and fetches what is missing of one. It imports no other dialog and not the root.
package openfile

import (
	"context"
	"errors"

	"patchbay/client/download"
	"patchbay/ui/action"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// Feature is opening files. Use New.
type Feature struct {
	dialog.Host
	hooks Hooks
}

// Hooks are what others do for it.
type Hooks struct {
	// Open starts the system's program for a file; nil where there is none.
	Open func(path string) error
	// Resume fetches what is missing of the file shown; NoResume says why it cannot.
	Resume   func() intent.Intent
	NoResume func() string
}

// New returns the feature.
func New(h dialog.Host, hooks Hooks) *Feature { return &Feature{h, hooks} }

// Actions implements dialog.Feature.
func (f *Feature) Actions() []action.Row {
	return []action.Row{
		{ID: "file.open", After: "file.save", In: action.InFile, Keys: []string{"o"}, Label: "open",
			Footer: 2, Help: "Open the file with the program that the system has for it", Disabled: f.missing,
			Do: f.ask},
		{ID: "file.resume", In: action.InFile, Keys: []string{"c"}, Label: "fetch the rest", Footer: 3,
			Help:     "Fetch what is missing of a file that was stopped or broke off",
			Disabled: f.hooks.NoResume, Do: f.hooks.Resume},
	}
}

func (f *Feature) missing() string {
	switch file := f.Response().File(); {
	case file == nil:
		return "there is no file here: a download brings one"
	case !file.Whole():
		return "only a part of the file came: c fetches the rest"
	case f.hooks.Open == nil:
		return "this system has nothing to open files with: s saves it"
	}
	return ""
}

// ask opens the file; one that could run something is asked about before.
func (f *Feature) ask() intent.Intent {
	file := f.Response().File()
	do := f.task(file)
	why := download.Runs(file.Name, file.Spool)
	if why == "" {
		return do
	}
	return intent.Push{Overlay: &overlay.Confirm{Heading: "Open this file?", Yes: "Open it", No: "Leave it",
		Danger: true, Strict: true, Do: do, Text: []string{
			"The system may run " + file.Name + " where it only shows others: " + why + ".",
			"Open it only if you trust where it came from."}}}
}

// task writes a copy that only the person can read, and opens that.
func (f *Feature) task(file *download.Result) intent.Intent {
	return intent.Task{Lane: intent.Writing, What: "opening " + file.Name,
		Do: func(context.Context) (func() intent.Intent, error) {
			path, err := file.Spool.WriteCopy(file.Name)
			if err != nil {
				return nil, errors.Join(errors.New("a copy to open could not be written"), err)
			}
			if err := f.hooks.Open(path); err != nil {
				return nil, err
			}
			return func() intent.Intent {
				t := "Opened a copy of " + file.Name + ", which goes when patchbay ends: s saves the file"
				return intent.Say{Text: t, Log: intent.LogFile}
			}, nil
		}}
}
