package catalog

import (
	"strings"
	"testing"
)

func TestSourcesAreToldOnceForABlock(t *testing.T) {
	var got []string
	for _, l := range Footnoted([]DocLine{
		{Role: DocTitle, Name: "payments", Text: "Payments"},
		{Role: DocSection, Name: "Params", Source: Upstream},
		{Role: DocField, Name: "limit", Source: Upstream},
		{Role: DocField, Name: "after", Text: "Where to begin.", Source: Upstream},
		{Role: DocSection, Name: "Rules"},
		{Role: DocText, Text: "One of two."},
		{Role: DocText, Text: "Not both.", Source: Upstream},
		{Role: DocField, Name: "id", Type: "string", Marks: []string{"required"}, Source: Derived},
	}) {
		got = append(got, strings.TrimSpace(l.String()))
	}
	want := `payments Payments
Params
limit
after Where to begin.
from the vendor's documentation
Rules
One of two.
Not both. *
id (string, required **)
* from the vendor's documentation
** concluded from the names and from what is documented`
	if strings.Join(got, "\n") != want {
		t.Errorf("it reads\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
