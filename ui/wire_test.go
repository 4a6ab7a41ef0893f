package ui

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patchbay/client/sandbox"
	"patchbay/client/secret"
)

func TestWireIsReadWhole(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 80, 24)
	p.keys("esc", "[")
	p.wants("[Wire]", "POST http", "200 OK")
	if strings.Contains(p.screen(), "/execute") {
		t.Fatal("the address is not cut, so nothing shows that it can be wrapped")
	}
	p.keys("w")
	p.wants("/execute", "{\"limit\":20}}")
}

func TestArchiveOfAllPages(t *testing.T) {
	known := &secret.Redactor{}
	known.Add(secret.New("cus_HGwOErEiPt2c4U")) // as if the service echoed a secret
	p := play(t, Deps{Fresh: true, Version: "1.2.3", Redactor: known}, 120, 36)
	p.wants("cus_HGwOErEiPt2c4U")
	p.keys("esc", ".", "[", "E")
	p.typed("archive all")
	p.keys("enter", "enter", "ctrl+u")
	file := filepath.Join(t.TempDir(), "all.har")
	p.typed(file)
	p.keys("enter")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var har struct {
		Log struct {
			Creator struct{ Version string }
			Entries []struct {
				Response struct{ Content struct{ Text string } }
			}
		}
	}
	if err := json.Unmarshal(data, &har); err != nil {
		t.Fatal(err)
	}
	if har.Log.Creator.Version != "1.2.3" || len(har.Log.Entries) != 2 || !strings.Contains(har.Log.Entries[1].Response.Content.Text, `"result"`) {
		t.Errorf("%+v", har.Log.Creator)
	}
	for _, hidden := range []string{sandbox.Token, "cus_HGwOErEiPt2c4U"} {
		if strings.Contains(string(data), hidden) {
			t.Errorf("%s is written", hidden)
		}
	}
}
