package session

import (
	"os"
	"strings"
	"sync"
	"testing"

	"patchbay/client/local"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// What stands in place of a refresh token is shared by programs, one at a time, in a
// file that nobody else can read, and goes when it is of no more use.
func TestRenewedTokensAreShared(t *testing.T) {
	folders := profile.Folders{Config: t.TempDir(), State: t.TempDir()}
	origin := local.Origin("crm", secret.New("given"))
	var wg sync.WaitGroup
	renewals := 0
	for range 10 {
		wg.Go(func() {
			o := &Opener{Folders: folders}
			place, err := o.keepRenewed(t.Context(), origin, func(r local.Renewed) local.Renewed {
				if r.RefreshToken.Empty() {
					renewals++
					r = local.Renewed{RefreshToken: secret.New("next"), AccessToken: secret.New("a"),
						Sets: map[string]string{"instance_url": "https://x.example"}}
				}
				return r
			})
			if err != nil || place != folders.Secrets() {
				t.Error(place, err)
			}
		})
	}
	wg.Wait()
	text, err := os.ReadFile(folders.Secrets())
	if err != nil || renewals != 1 || strings.Contains(string(text), "given") || !strings.Contains(string(text), "next") {
		t.Fatalf("%d renewals, %s, %v", renewals, text, err)
	}
	if info, err := os.Stat(folders.Secrets()); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Error(info.Mode(), err)
	}
	o := &Opener{Folders: folders}
	_, err = o.keepRenewed(t.Context(), origin, func(r local.Renewed) local.Renewed {
		if r.AccessToken.Reveal() != "a" || r.Sets["instance_url"] != "https://x.example" {
			t.Errorf("%+v", r)
		}
		return local.Renewed{}
	})
	if _, gone := os.Stat(folders.Secrets()); err != nil || gone == nil {
		t.Error("still kept", err)
	}
}
