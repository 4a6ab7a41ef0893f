package records

import (
	"fmt"
	"strings"
	"testing"

	"patchbay/catalog"
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
	fields := []catalog.Field{{Name: "last"}, {Name: "key_100"}}
	for _, c := range Columns(set, ColumnOptions{Fields: fields}) {
		if c.Name == "last" && c.Seen > 0 {
			t.Error("all of the map was read")
		}
		if c.Name == "key_100" && c.Seen == 0 {
			t.Error("too little of the map was read")
		}
	}
}
