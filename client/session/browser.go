package session

import (
	"context"
	"errors"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
	"patchbay/client/secret"
	"patchbay/client/signin"
)

// Visit lets a person sign in to the service with their browser; show shows them the
// address of its page, without waiting. The token that they bring is short-lived: Settle
// trades it for credentials that last.
func (o *Opener) Visit(ctx context.Context, in *SignIn, show func(address string)) error {
	wire, err := o.transport(in.Profile, nil)
	if err != nil {
		return err
	}
	flow := signin.Flow{Transport: wire, Show: show}
	if known := profile.PresetOf(in.Profile.BaseURL); known != nil {
		flow.Service = signin.AtRealm(known.Realm, known.Program)
	} else if flow.Service, err = signin.Discover(ctx, wire, in.Profile.BaseURL); err != nil {
		return err
	}
	in.Token, err = flow.Run(ctx)
	o.Redactor.Add(in.Token)
	return err
}

// Settle gets the client id and secret of the person who signed in, in the organization
// that the service now speaks for, and connects with them.
func (o *Opener) Settle(ctx context.Context, in *SignIn, service *hosted.Client) (*hosted.Client, error) {
	id, clientSecret, err := service.Application(ctx)
	if err != nil {
		return nil, err
	}
	in.Token, in.ClientID, in.ClientSecret = secret.Secret{}, id, clientSecret
	in.Profile.OrganizationID = service.Organization()
	return o.Connect(ctx, in)
}

// Arrive lets a person sign in with their browser for a login of which only the address
// and the profile's name are told, and lists the organizations that they belong to.
func (o *Opener) Arrive(ctx context.Context, l Login, show func(address string)) (Login, []client.Organization, error) {
	in, err := o.signInOf(l)
	if err == nil {
		err = o.Visit(ctx, in, show)
	}
	if err != nil {
		return l, nil, err
	}
	l.Token = in.Token
	service, err := o.Connect(ctx, in)
	if err != nil {
		return l, nil, err
	}
	list, err := service.Organizations(ctx)
	if errors.Is(err, hosted.ErrListingUnsupported) {
		err = nil
	}
	return l, list, err
}
