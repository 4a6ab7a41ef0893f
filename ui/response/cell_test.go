package response

import (
	"context"
	"strings"
	"testing"

	"patchbay/client/rawjson"
	"patchbay/client/records"
)

func TestCellTexts(t *testing.T) {
	for _, c := range []struct{ body, shown, text string }{
		{`"a\nb"`, "a\nb", "a\nb"},
		{`{"a":[1]}`, "{\n  \"a\": [\n    1\n  ]\n}", `{"a":[1]}`},
		{`12345678901234567890`, "12345678901234567890", "12345678901234567890"},
		{`null`, "null", "null"},
	} {
		cell := Cell{"p", records.Cell{State: records.Value, Node: rawjson.Root(rawjson.Bytes(c.body))}}
		if got, more := cell.Shown(); got != c.shown || more {
			t.Errorf("%s is shown as %q (%v), want %q", c.body, got, more, c.shown)
		}
		if got, more := cell.Text(); got != c.text || more {
			t.Errorf("%s is the text %q (%v), want %q", c.body, got, more, c.text)
		}
	}
}

func TestAValueTooLargeForTheClipboardIsNotCopiedInPart(t *testing.T) {
	body := `["` + strings.Repeat("x", copyLimit) + `"]`
	cell := Cell{"p", records.Cell{State: records.Value, Node: rawjson.Root(rawjson.Bytes(body))}}
	for _, o := range cell.copies()[:2] {
		if got, err := o.Text(context.Background()); err == nil || got != "" {
			t.Errorf("%s copied %d bytes, error %v", o.Title, len(got), err)
		}
	}
	if _, more := cell.Shown(); !more {
		t.Error("nothing says that the value goes on")
	}
}

func TestAClippingTakesNoMoreThanFits(t *testing.T) {
	var c clipping
	if n, err := c.Write(make([]byte, copyLimit)); n != copyLimit || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := c.Write([]byte("x")); err == nil || c.Len() != copyLimit {
		t.Errorf("%d bytes, %v", c.Len(), err)
	}
}
