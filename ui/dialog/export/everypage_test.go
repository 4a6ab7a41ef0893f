package export

import (
	"testing"

	"patchbay/client/export"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
)

// What another program writes at the moment is not started over.
func TestAnExportThatIsBeingWrittenIsLeft(t *testing.T) {
	in, ok := new(Feature).askUnfinished(&pageExport{path: "/tmp/all.json"}, nil, export.ErrBusy).(intent.Push)
	if !ok {
		t.Fatal("nothing is asked")
	}
	for _, it := range in.Overlay.(*overlay.List).Source("") {
		if it.Title == "Start over" {
			t.Error("starting over is offered")
		}
	}
}
