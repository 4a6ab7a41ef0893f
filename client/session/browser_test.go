package session

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
)

var ticket = regexp.MustCompile(`name="ticket" value="([^"]+)"`)

// agree is somebody who signs in on the page of the service.
func agree(t *testing.T, service string) func(address string) {
	return func(address string) {
		go func() {
			res, err := http.Get(address)
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			page, _ := io.ReadAll(res.Body)
			found := ticket.FindSubmatch(page)
			if found == nil {
				t.Errorf("%s asks nothing", address)
				return
			}
			if res, err := http.PostForm(service+"/decide", url.Values{"ticket": {string(found[1])}, "decision": {"agree"}}); err != nil {
				t.Error(err)
			} else {
				res.Body.Close()
			}
		}()
	}
}

// TestPeopleArriveByBrowser: what is kept of a sign-in by browser are the client id and
// secret of the person, in the organization that they choose.
func TestPeopleArriveByBrowser(t *testing.T) {
	at := serve(t, false)
	o := newOpener(t, nil)
	l, list, err := o.Arrive(t.Context(), Login{Profile: "mine", BaseURL: at + "/"}, agree(t, at))
	if err != nil || len(list) != 2 || l.Token.Empty() {
		t.Fatalf("%+v %v", list, err)
	}
	l.Organization = sandbox.SecondOrganizationID
	if _, err := o.KeepLogin(t.Context(), l); err != nil {
		t.Fatal(err)
	}
	o.Profile = "mine"
	s := must(o.Service(t.Context()))
	if got := WorkspaceNames(must(s.Workspaces(t.Context()))); len(got) != 1 || got[0] != "sales" {
		t.Errorf("workspaces %v", got)
	}
	if p := s.Profile.Credentials; !p.Token.Empty() || p.ClientID.Empty() || p.ClientSecret.Empty() {
		t.Errorf("kept %+v", p)
	}
}

// TestServicesWithoutASignIn: one that tells no page, and one that then gives no credentials.
func TestServicesWithoutASignIn(t *testing.T) {
	o := newOpener(t, nil)
	never := func(string) { t.Error("a page is shown") }
	if _, _, err := o.Arrive(t.Context(), Login{Profile: "mine", BaseURL: serve(t, true)}, never); err == nil ||
		!strings.Contains(err.Error(), "no sign-in by browser") {
		t.Errorf("nothing told: %v", err)
	}
	nothing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nothing.Close)
	in := &SignIn{Token: secret.New("a-token-of-a-person")}
	in.At(nothing.URL)
	service := must(o.Connect(t.Context(), in))
	if _, err := o.Settle(t.Context(), in, service); !errors.Is(client.AsError(err), hosted.ErrListingUnsupported) {
		t.Errorf("no credentials: %v", err)
	}
}
