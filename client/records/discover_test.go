package records

import (
	"fmt"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/rawjson"
)

func TestAMapOfManyMembersEndsTheLookForColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"id":1`)
	for i := range membersMax {
		fmt.Fprintf(&b, `,"key_%d":{"n":%d}`, i, i)
	}
	b.WriteString(`,"last":true}`)
	body := b.String()
	set := &Set{}
	set.Add(Page{Index: rawjson.IndexSpan(rawjson.Bytes(body), 0, len(body), nil), Names: client.Neutral})
	columns := Columns(set, ColumnOptions{Max: 10 * membersMax})
	if len(columns) < membersMax {
		t.Errorf("%d columns were found", len(columns))
	}
	for _, c := range columns {
		if c.Name == "last" {
			t.Error("all of the map was read")
		}
	}
}
