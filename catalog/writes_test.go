package catalog

import "testing"

// Whatever is not known to read is taken for a write.
func TestOnlyWhatIsKnownToReadReads(t *testing.T) {
	yes, no := true, false
	for _, name := range []string{"list", "get", "api_search", "context_store_search", "semantic_search", "download"} {
		if Writes(name, nil) || (&Action{Name: name}).Writes() {
			t.Errorf("%s is taken for a write", name)
		}
		for _, a := range []Action{{Name: name, Reads: &no}, {Name: name, Destructive: true}, {Name: name, SentAs: "archive"}} {
			if !Writes(name, &a) {
				t.Errorf("%+v is taken for a read", a)
			}
		}
	}
	for _, name := range []string{"create", "update", "delete", "Delete", "List", "GET", " get", "archive", "send", "search", ""} {
		if !Writes(name, nil) || !(&Action{Name: name}).Writes() {
			t.Errorf("%q is taken for a read", name)
		}
	}
	if (&Action{Name: "count", Reads: &yes}).Writes() || Writes("count", &Action{Name: "count", Reads: &yes}) {
		t.Error("a catalog cannot say that an action reads")
	}
	e := Entity{Actions: []Action{{Name: "list", Reads: &no}, {Name: "count", Reads: &yes}}}
	if e.Reading("list") != nil || e.Reading("count") == nil || e.Reading("nothing") != nil {
		t.Error("reads are not told from writes")
	}
}
