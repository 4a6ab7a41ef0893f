package appearance

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"patchbay/client/profile"
	"patchbay/ui/dialog"
	"patchbay/ui/intent"
	"patchbay/ui/overlay"
	"patchbay/ui/style"
)

// desk is the program as the feature sees it.
type desk struct {
	dialog.Host
	settings profile.State
}

func (d *desk) Settings() *profile.State { return &d.settings }

func newLook(t *testing.T, d *desk) *Feature {
	t.Helper()
	f := New(d, style.Options{}, t.TempDir(), false)
	if err := f.Use(d.settings.Theme); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestThemeFollowsTheTerminalUntilOneIsChosen(t *testing.T) {
	d := &desk{}
	f := newLook(t, d)
	f.SetDark(false)
	if got := f.Styles.Theme.Name; got != "patchbay-light" {
		t.Errorf("light draws with %s", got)
	}
	if why := f.noTheme("nord"); why != "" {
		t.Fatal(why)
	}
	if _, ok := f.choose("nord").(intent.SaveSettings); !ok || d.settings.Theme != "nord" {
		t.Errorf("kept %+v", d.settings)
	}
	f.SetDark(true)
	if got := f.Styles.Theme.Name; got != "nord" || !f.Chosen {
		t.Errorf("the chosen theme gave way to %s", got)
	}
}

func TestPreviewIsTakenBack(t *testing.T) {
	f := newLook(t, &desk{})
	l := f.open().(intent.Push).Overlay.(*overlay.List)
	l.Moved(overlay.Item{Value: "nord"})
	if got := f.Styles.Theme.Name; got != "nord" {
		t.Fatalf("the preview draws with %s", got)
	}
	l.Cancel.(intent.Then).F()
	if got := f.Styles.Theme.Name; got != "patchbay-dark" || f.Chosen {
		t.Errorf("esc leaves %s, chosen %v", got, f.Chosen)
	}
}

func TestBrokenThemeLeavesTheDefault(t *testing.T) {
	f := newLook(t, &desk{})
	if err := f.Use("no-such"); err == nil || f.Styles.Theme.Name != "patchbay-dark" {
		t.Errorf("drawn with %s, %v", f.Styles.Theme.Name, err)
	}
	if f.noTheme("no-such") == "" {
		t.Error("a theme that is not there can be chosen")
	}
}

func TestSwitchesAreKeptAndDrawn(t *testing.T) {
	d := &desk{}
	f := newLook(t, d)
	rows := f.Actions()
	for _, r := range rows[1:] {
		r.Do()
	}
	if s := d.settings; !s.ASCII || !s.Still || !s.Quiet {
		t.Errorf("kept %+v", s)
	}
	if !f.Styles.ASCII || !f.Styles.Still {
		t.Error("the styles do not follow")
	}
	if notify := rows[3]; notify.ID != "screen.notify" || notify.Why() == "" {
		t.Error("a terminal without notifications offers them")
	}
	f.SetColors(colorprofile.NoTTY)
	if again := newLook(t, d); !f.Styles.NoColor || !again.Styles.ASCII {
		t.Error("colours or the next start are not as kept")
	}
}
