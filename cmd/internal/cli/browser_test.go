package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/sandbox"
)

// withBrowser runs login --browser and lets somebody press a button on the page that it
// tells of. It returns the exit code, what was printed, and the folder of the settings.
func withBrowser(t *testing.T, button string, args ...string) (int, string, string) {
	t.Helper()
	server := httptest.NewServer(sandbox.New(sandbox.Options{Catalog: catalog.New()}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	config := t.TempDir()
	read, write := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- Run(ctx, append([]string{"login", "--browser", "--no-open", "--base-url", server.URL}, args...),
			[]string{"XDG_CONFIG_HOME=" + config, "HOME=" + config, "PATCHBAY_NO_KEYRING=1"}, strings.NewReader("2\n"),
			io.Discard, write)
		_ = write.Close()
	}()
	var said bytes.Buffer
	for lines := bufio.NewScanner(read); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if !strings.HasPrefix(lines.Text(), server.URL) {
			continue
		}
		if button == "" {
			cancel()
			continue
		}
		go decide(t, server.URL, lines.Text(), button)
	}
	return <-ended, said.String(), filepath.Join(config, "patchbay")
}

var ticket = regexp.MustCompile(`name="ticket" value="([^"]+)"`)

// decide opens a page and presses a button; the browser then goes where it is sent.
func decide(t *testing.T, service, address, button string) {
	res, err := http.Get(address)
	if err != nil {
		t.Error(err)
		return
	}
	defer res.Body.Close()
	page, _ := io.ReadAll(res.Body)
	found := ticket.FindSubmatch(page)
	if found == nil {
		t.Errorf("%s asks nothing: %s", address, page)
		return
	}
	// A page of somebody else that knows the port, but not the state.
	asked, _ := url.Parse(address)
	if forged, err := http.Get(asked.Query().Get("redirect_uri") + "?code=forged&state=guessed"); err != nil || forged.StatusCode != 403 {
		t.Errorf("a forged answer: %v %v", forged, err)
	}
	after, err := http.PostForm(service+"/decide", url.Values{"ticket": {string(found[1])}, "decision": {button}})
	if err != nil {
		t.Error(err)
		return
	}
	defer after.Body.Close()
	if last, _ := io.ReadAll(after.Body); after.StatusCode != 200 || !strings.Contains(string(last), "patchbay") {
		t.Errorf("the browser ends at %s: %d %s", after.Request.URL, after.StatusCode, last)
	}
}

func TestLoginByBrowser(t *testing.T) {
	code, said, folder := withBrowser(t, "agree", "--profile", "mine")
	if code != 0 || !strings.Contains(said, "Organization: Southwind") || !strings.Contains(said, "Workspaces: sales") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
	if strings.Contains(said, sandbox.ClientSecret) || strings.Contains(said, "eyJ") {
		t.Errorf("a secret is shown:\n%s", said)
	}
	settings, err := os.ReadFile(filepath.Join(folder, "settings.yaml"))
	if err != nil || !bytes.Contains(settings, []byte("client_id")) || bytes.Contains(settings, []byte("token:")) ||
		!bytes.Contains(settings, []byte(sandbox.SecondOrganizationID)) {
		t.Errorf("kept: %s %v", settings, err)
	}
}

func TestLoginByBrowserIsRefusedAndStopped(t *testing.T) {
	if code, said, folder := withBrowser(t, "refuse"); code != 2 || !strings.Contains(said, "refused in the browser") {
		t.Errorf("refused: exit code %d:\n%s", code, said)
	} else if _, err := os.Stat(filepath.Join(folder, "settings.yaml")); err == nil {
		t.Error("something was kept")
	}
	if code, said, _ := withBrowser(t, ""); code != 130 || !strings.Contains(said, "stopped") {
		t.Errorf("stopped: exit code %d:\n%s", code, said)
	}
	for _, args := range [][]string{{"login", "--browser", "--token"}, {"login", "--no-open"}} {
		var out bytes.Buffer
		if code := Run(t.Context(), args, []string{"HOME=" + t.TempDir()}, strings.NewReader(""), &out, &out); code != 4 {
			t.Errorf("%v: exit code %d: %s", args, code, &out)
		}
	}
}
