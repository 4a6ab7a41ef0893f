package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/client/session"
)

// loginFlags say what needs not be asked.
type loginFlags struct {
	name, baseURL, organization string
	names                       *string
	token, browser              bool
	noOpen, noImport            bool
}

func (a *app) loginCommand(c *cobra.Command) {
	var f loginFlags
	fs := c.Flags()
	fs.StringVar(&f.name, "profile", "", "the `PROFILE` to make or to change")
	fs.StringVar(&f.baseURL, "base-url", "", "the `URL` of the service")
	fs.StringVar(&f.organization, "organization", "", "the `ID` or name of the organization")
	fs.BoolVar(&f.token, "token", false, "ask for a bearer token in place of client id and secret")
	fs.BoolVar(&f.browser, "browser", false, "sign in on a page of the service")
	fs.BoolVar(&f.noOpen, "no-open", false, "print the address of that page, and open no browser")
	fs.BoolVar(&f.noImport, "no-import", false, "leave the settings of the service's own program alone")
	fs.BoolVar(&a.Insecure, "insecure", false, "let credentials go to other machines over plain http, now and later")
	f.names = choose(c, "names", "", "the names that the service speaks", "neutral", "wire")
	completeFlag(c, "profile", a.settingsNames)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		switch {
		case a.FoldersErr != nil:
			return client.Misconfigured("there is no place to keep settings: %v", a.FoldersErr)
		case f.browser && f.token:
			return client.Invalid("--browser and --token are two ways to sign in").Advise("Leave one of them out.")
		case f.noOpen && !f.browser:
			return client.Invalid("--no-open says how --browser signs in").Advise("Add --browser, or leave it out.")
		}
		return a.login(ctx, f)
	})
}

// login signs in and keeps the profile once the credentials are proven.
func (a *app) login(ctx context.Context, f loginFlags) error {
	in, err := a.startLogin(ctx, f)
	if err != nil {
		return err
	}
	service, err := a.Connect(ctx, in)
	if err == nil {
		err = a.chooseOrganization(ctx, in, service, f.organization)
	}
	if err == nil && f.browser {
		service, err = a.Settle(ctx, in, service)
	}
	if err != nil {
		return err
	}
	// What the credentials reach proves that they work.
	list, err := service.Workspaces(ctx)
	switch {
	case errors.Is(err, hosted.ErrListingUnsupported):
		a.say("The token is accepted. The service does not list workspaces.")
	case err != nil:
		return err
	default:
		a.say("Workspaces: %s", profile.OrNone(session.WorkspaceNames(list)))
	}
	where, err := a.Keep(ctx, in)
	if err != nil {
		return err
	}
	settings, err := a.Settings()
	if err != nil {
		return err
	}
	a.say("Signed in. Profile %s is in %s; its credentials are in %s.", in.Profile.Name, settings.Path, where)
	if settings.Default != in.Profile.Name {
		a.say("Make it the usual one with: patchbay profiles use %s", in.Profile.Name)
	}
	return nil
}

// startLogin finds the profile to fill: an import, the one named, or a new one;
// and asks for its credentials.
func (a *app) startLogin(ctx context.Context, f loginFlags) (*session.SignIn, error) {
	in, err := a.NewSignIn(f.name)
	if err != nil {
		return nil, err
	}
	if !f.noImport && !f.token && !f.browser && f.baseURL == "" {
		found, err := a.FindImport()
		if err != nil {
			a.say("%v", err)
		}
		said := ""
		if found != nil {
			question := "Take the credentials of the service's own program from " + found.Path + "? (y/n)"
			if said, err = a.ask(ctx, question, "y"); err != nil {
				return nil, err
			}
		}
		if strings.HasPrefix(strings.ToLower(said), "y") {
			known := profile.Presets()[0]
			in.Profile.BaseURL, in.Profile.Names = known.BaseURL, known.Names
			in.Profile.OrganizationID = cmp.Or(found.OrganizationID, in.Profile.OrganizationID)
			in.Profile.Workspace = cmp.Or(found.Workspace, in.Profile.Workspace)
			in.ClientID, in.ClientSecret = secret.New(found.ClientID), found.ClientSecret
		}
	}
	address := cmp.Or(f.baseURL, in.Profile.BaseURL)
	if address == "" {
		if address, err = a.ask(ctx, "Address of the service", profile.Presets()[0].BaseURL); err != nil {
			return nil, err
		}
	}
	in.Profile.Names = client.Names(cmp.Or(*f.names, string(in.Profile.Names)))
	in.At(address)
	switch {
	case f.browser:
		err = a.Visit(ctx, in, a.showPage(f.noOpen))
	case f.token:
		in.Token, err = a.askSecret(ctx, "Bearer token")
	case in.ClientID.Empty():
		if in.ClientID, err = a.askSecret(ctx, "Client id"); err == nil {
			in.ClientSecret, err = a.askSecret(ctx, "Client secret")
		}
	}
	return in, err
}

// showPage tells the address of a page, and opens it where there is a browser.
func (a *app) showPage(noOpen bool) func(address string) {
	open := pageOpener(a.Env)
	return func(address string) {
		if noOpen || open == nil {
			a.say("Sign in on this page:")
			a.say("%s", address)
			return
		}
		a.say("Sign in on the page that opens in your browser. If none does, open this one:")
		a.say("%s", address)
		go func() { // a browser may take its time
			if err := open(address); err != nil {
				a.say("%v", err)
			}
		}()
	}
}

// browse lets a person sign in from the screen, which shows them the address.
func (a *app) browse(ctx context.Context, l session.Login, show func(address string)) (
	session.Login, []client.Organization, error,
) {
	open := pageOpener(a.Env)
	return a.Arrive(ctx, l, func(address string) {
		show(address)
		if open != nil {
			go func() { _ = open(address) }() // the address is on the screen
		}
	})
}

// chooseOrganization settles which organization the profile works in.
func (a *app) chooseOrganization(ctx context.Context, in *session.SignIn, service *hosted.Client, wanted string) error {
	list, err := service.Organizations(ctx)
	chosen, unlisted := client.Organization{ID: wanted}, errors.Is(err, hosted.ErrListingUnsupported)
	switch {
	case unlisted:
	case err != nil:
		return err
	case wanted != "":
		if chosen, err = session.Organization(list, wanted); err != nil {
			return err
		}
	case len(list) == 1:
		chosen = list[0]
	case len(list) > 1:
		for i, o := range list {
			a.say("  %d  %s  %s", i+1, o.Name, o.ID)
		}
		answer, err := a.ask(ctx, "Organization", "1")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(answer)
		if err != nil || n < 1 || n > len(list) {
			return client.Invalid("%q is not a number from 1 to %d", answer, len(list))
		}
		chosen = list[n-1]
	}
	if chosen.ID == "" {
		return nil
	}
	in.Profile.OrganizationID = chosen.ID
	service.SetOrganization(chosen.ID)
	if !unlisted {
		a.say("Organization: %s (%s)", chosen.Name, chosen.ID)
	}
	return nil
}

func (a *app) logoutCommand(c *cobra.Command) {
	a.bindCommand(c)
	c.RunE = runs(func(ctx context.Context, _ []string) error {
		name, err := a.SignOut(ctx)
		if err == nil {
			a.say("Signed out: the credentials of the profile %s are forgotten. Its other settings stay in %s.", name,
				a.Folders.Settings())
		}
		return err
	})
}

// ask prompts on stderr and reads a line from stdin; empty gives the preset.
func (a *app) ask(ctx context.Context, question, preset string) (string, error) {
	fmt.Fprintf(a.stderr, "%s: ", shown(question+" ["+preset+"]"))
	line, err := a.await(ctx, a.readLine)
	return cmp.Or(line, preset), err
}

// askSecret prompts and reads a line that a terminal does not show.
func (a *app) askSecret(ctx context.Context, question string) (secret.Secret, error) {
	fmt.Fprintf(a.stderr, "%s (not shown): ", shown(question))
	read := a.readLine
	if f, ok := a.stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		state, err := term.GetState(int(f.Fd()))
		if err != nil {
			return secret.Secret{}, fmt.Errorf("the terminal cannot hide what is typed: %w", err)
		}
		// A read that ctrl+c leaves behind would leave the terminal without echo.
		defer func() { _ = term.Restore(int(f.Fd()), state) }()
		defer fmt.Fprintln(a.stderr)
		read = func() (string, error) {
			line, err := term.ReadPassword(int(f.Fd()))
			return string(line), err
		}
	}
	line, err := a.await(ctx, read)
	if err == nil && strings.TrimSpace(line) == "" {
		err = client.Invalid("nothing was typed for the %s", strings.ToLower(question))
	}
	value := secret.New(strings.TrimSpace(line))
	a.Redactor.Add(value)
	return value, err
}

func (a *app) readLine() (string, error) {
	line, err := a.prompts().ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	if errors.Is(err, io.EOF) {
		err = client.Invalid("stdin ended before the question was answered").
			Advise("Run it in a terminal, or write one answer per line to stdin.")
	}
	return strings.TrimSpace(line), err
}

// await runs a read that cannot be interrupted; it is left behind when the context
// ends. It ends the line of the question where no terminal shows the enter that did.
func (a *app) await(ctx context.Context, read func() (string, error)) (string, error) {
	line, err := secret.Await(ctx, read)
	if !isTerminal(a.stdin) {
		fmt.Fprintln(a.stderr)
	}
	if err != nil && ctx.Err() != nil {
		err = canceled("sign in")
	}
	return line, err
}
