package copying

import (
	"context"
	"errors"
	"io"

	"patchbay/client/download"
	"patchbay/ui/action"
	"patchbay/ui/intent"
	"patchbay/ui/text"
)

// noPager says why nothing can be read in a pager; "" where it can.
func (f *Feature) noPager() string {
	return action.Reason(len(f.Pager) == 0, "there is no pager: set PAGER, or install less")
}

// page opens what the response shows in the pager.
func (f *Feature) page() intent.Intent { return f.paged(f.Response().Paged()) }

// paged writes a text to a file without a name, which the pager then reads: nothing of
// it is left behind or seen by other programs. What came from elsewhere is made harmless
// first, as a pager may hand all of it to the terminal, and known secrets are masked.
func (f *Feature) paged(what string, write func(context.Context, io.Writer) error) intent.Intent {
	return intent.Work("writing the "+what+" for the pager", func(ctx context.Context) (intent.Intent, error) {
		file, err := download.Temporary()
		if err != nil {
			return nil, err
		}
		clean := text.NewCleaner(file, f.Redactor.Known)
		err = errors.Join(write(ctx, clean), clean.Flush())
		if err == nil {
			_, err = file.Seek(0, io.SeekStart)
		}
		if err != nil {
			_ = file.Close() // the text is of no use
			return nil, err
		}
		return intent.Page{Text: file}, nil
	}, func(in intent.Intent) intent.Intent { return in })
}
