package doctor_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"patchbay/catalog"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/sandbox"
	"patchbay/client/secret"
	"patchbay/client/transport"
)

func examine(in doctor.Input) (doctor.Status, []doctor.Finding) {
	var all []doctor.Finding
	worst := doctor.OK
	doctor.Run(context.Background(), in, func(f doctor.Finding) {
		if all = append(all, f); f.Status == doctor.Fail || f.Status == doctor.Warn && worst == doctor.OK {
			worst = f.Status
		}
	})
	return worst, all
}

func told(all []doctor.Finding, step, text string) bool {
	for _, f := range all {
		if f.Step == step && strings.Contains(f.Subject+" "+f.Detail+" "+f.Next, text) {
			return true
		}
	}
	return false
}

func service(cat *catalog.Catalog, change func(*hosted.Config)) *hosted.Client {
	return serviceWith(cat, nil, change)
}

func serviceWith(cat *catalog.Catalog, faults []sandbox.Fault, changes ...func(*hosted.Config)) *hosted.Client {
	s := sandbox.New(sandbox.Options{Catalog: cat, Records: 5, Faults: faults})
	cfg := hosted.Config{
		Profile: "p", BaseURL: sandbox.BaseURL, Token: secret.New(sandbox.Token), OrganizationID: sandbox.OrganizationID, Catalog: cat,
		Transport: transport.New(transport.Options{Base: s.RoundTripper(), Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}),
	}
	for _, change := range changes {
		change(&cfg)
	}
	return hosted.New(cfg)
}

func TestNothingConfigured(t *testing.T) {
	worst, all := examine(doctor.Input{SettingsPath: "/s.yaml"})
	if worst != doctor.Warn || !told(all, "settings", "patchbay login") {
		t.Errorf("%s %+v", worst, all)
	}
	if !told(all, "credentials", "PLATFORM_CLIENT_ID") || !told(all, "network", profile.Presets()[0].BaseURL) {
		t.Errorf("%+v", all)
	}
	_, all = examine(doctor.Input{Import: &profile.Import{Path: "/home/settings.json", ClientID: "client-1", ClientSecret: secret.New("hush-hush")}})
	if !told(all, "credentials", "/home/settings.json") || !told(all, "credentials", "patchbay login") || told(all, "credentials", "client-1") {
		t.Errorf("%+v", all)
	}
	worst, all = examine(doctor.Input{ProfileErr: errors.New("line 3 is wrong")})
	if worst != doctor.Fail || !told(all, "settings", "line 3") {
		t.Errorf("%s %+v", worst, all)
	}
}

func TestSandboxIsHealthy(t *testing.T) {
	cat := catalog.New()
	c := service(cat, func(*hosted.Config) {})
	found := secret.Found{Value: secret.New(sandbox.Token), Place: "environment variable PLATFORM_TOKEN"}
	worst, all := examine(doctor.Input{
		Profile: &profile.Profile{Name: "p", BaseURL: sandbox.BaseURL}, Found: profile.Resolved{"token": found},
		Client: c, Catalog: cat, Workspace: "demo", Connector: "payments",
	})
	if worst != doctor.OK || !told(all, "credentials", found.Value.Hash()) || !told(all, "workspaces", "demo") || !told(all, "entity", "customers") {
		t.Errorf("%s %+v", worst, all)
	}
	for _, f := range all {
		if strings.Contains(f.Detail+f.Subject+f.Next, sandbox.Token) {
			t.Errorf("the token is told: %+v", f)
		}
	}
}

func TestWrongCredentialsEndTheWalk(t *testing.T) {
	c := service(catalog.New(), func(cfg *hosted.Config) {
		cfg.Token, cfg.ClientID, cfg.ClientSecret = secret.Secret{}, secret.New("nobody"), secret.New("nothing-known")
	})
	worst, all := examine(doctor.Input{Profile: &profile.Profile{Name: "p"}, Client: c})
	if worst != doctor.Fail || !told(all, "token", "not accepted") || told(all, "workspaces", "") {
		t.Errorf("%s %+v", worst, all)
	}
}

func TestOrganizationIsToBeChosen(t *testing.T) {
	c := service(catalog.New(), func(cfg *hosted.Config) {
		cfg.Token, cfg.ClientID, cfg.ClientSecret, cfg.OrganizationID = secret.Secret{}, secret.New(sandbox.ClientID), secret.New(sandbox.ClientSecret), ""
	})
	_, all := examine(doctor.Input{Profile: &profile.Profile{Name: "p"}, Client: c})
	if !told(all, "organization", "none is chosen") || !told(all, "organization", sandbox.SecondOrganizationID) {
		t.Errorf("%+v", all)
	}
	if _, err := c.Workspaces(context.Background()); !errors.Is(err, hosted.ErrChooseOrganization) {
		t.Error(err)
	}
}

func TestNetworkStepsAreToldApart(t *testing.T) {
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	here := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, secure.Listener.Addr().String())
	}
	found := func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	trusting := secure.Client().Transport.(*http.Transport).TLSClientConfig
	tests := []struct {
		name   string
		way    doctor.Network
		status doctor.Status
		step   string
	}{
		{"name", doctor.Network{Lookup: func(_ context.Context, host string) ([]string, error) {
			return nil, &net.DNSError{Name: host, IsNotFound: true}
		}}, doctor.Fail, "DNS"},
		{"connection", doctor.Network{Lookup: found, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no way") }}, doctor.Fail, "TCP"},
		{"certificate", doctor.Network{Lookup: found, Dial: here}, doctor.Fail, "TLS"},
		{"all is well", doctor.Network{Lookup: found, Dial: here, TLS: trusting}, doctor.OK, "TLS"},
	}
	for _, tt := range tests {
		c := hosted.New(hosted.Config{BaseURL: "https://example.com"})
		_, all := examine(doctor.Input{Profile: &profile.Profile{Name: "p"}, Client: c, Network: &tt.way})
		ok := false
		for _, f := range all {
			ok = ok || f.Step == "network" && f.Subject == tt.step && f.Status == tt.status
		}
		if !ok {
			t.Errorf("%s: %+v", tt.name, all)
		}
	}
}
