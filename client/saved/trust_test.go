package saved

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"patchbay/catalog"
)

func TestWhatNeedsALook(t *testing.T) {
	cat := catalog.New()
	kind, first := cat.First()
	head := "kind: " + kind + "\nentity: " + first.Entity + "\n"
	for text, doubtful := range map[string]bool{
		head + "action: list\n": false, head + "action: list\nparams: {a: [b, {c: '${d}'}]}\n": false,
		head + "action: get\nparams: {id: x}\n": false, "entity: e\naction: list\n": false,
		head + "action: create\n": true, head + "action: delete\n": true, head + "action: nobody_knows\n": true,
		"entity: e\naction: send\n": true, "kind: unknown\nentity: e\naction: update\n": true,
		head + "local: true\naction: list\n": true, head + "action: list\nparams: {a: [{b: 'https://elsewhere.example'}]}\n": true,
		head + "action: list\nparams: {a: //elsewhere.example}\n": true, head + "action: list\nparams: {a: '\\\\elsewhere\\x'}\n": true,
		head + "action: list\nparams: {a: '${b}'}\nvariables: {b: {default: 'http://elsewhere.example'}}\n": true,
	} {
		c, err := Parse("patchbay.d/a.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if why := c.Doubtful(cat); (why != "") != doubtful {
			t.Errorf("%s: %q", text, why)
		}
	}
	// A file names nothing that would lead a call to another host or run a command.
	for _, key := range []string{"base_url", "profile", "command", "editor", "url", "next_url", "credentials", "id", "force", "yes"} {
		if _, err := Parse("a.yaml", []byte(head+"action: list\n"+key+": x\n")); err == nil {
			t.Errorf("%s is taken", key)
		}
	}
}

func TestTrustIsByPlaceAndContent(t *testing.T) {
	t.Chdir(t.TempDir())
	trust := Trust{Path: filepath.Join(t.TempDir(), "state", "trusted.json"), Now: time.Now}
	put := func(path, text string) *Call {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const text = "entity: e\naction: create\n"
	c := put("patchbay.d/a.yaml", text)
	if !c.Foreign() || trust.Has(c) {
		t.Error("it is trusted from the start")
	}
	if err := trust.Add(c); err != nil || !trust.Has(c) {
		t.Errorf("it is not trusted: %v", err)
	}
	for _, other := range []*Call{put("patchbay.d/b.yaml", text), put("other/patchbay.d/a.yaml", text),
		put("patchbay.d/a.yaml", text+"# changed\n"), {Path: "patchbay.d/a.yaml"}} {
		if trust.Has(other) {
			t.Errorf("%s is trusted as %q", other.Path, other.Content)
		}
	}
	if err := trust.Add(put("patchbay.d/a.yaml", text+"# 2\n")); err != nil || trust.Has(c) {
		t.Errorf("the old content stays trusted: %v", err)
	}
	if err := os.WriteFile(trust.Path, []byte("{cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	if trust.Has(c) || trust.Add(c) == nil {
		t.Error("a damaged file trusts, or is written over")
	}
	if (Trust{}).Has(c) || (Trust{}).Add(c) == nil {
		t.Error("nothing is remembered nowhere")
	}
}
