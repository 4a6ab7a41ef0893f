package profile

import (
	"context"
	"errors"
	"fmt"

	"patchbay/client"
	"patchbay/client/secret"
)

// Resolved are a profile's credentials and where each came from.
type Resolved struct {
	Token, ClientID, ClientSecret secret.Found
}

// Resolve reads the credentials that the profile names. It goes on after a
// place that cannot be read; the error then names all of them.
func Resolve(ctx context.Context, p Profile, from secret.Sources) (Resolved, error) {
	var r Resolved
	var problems []error
	for _, one := range []struct {
		name string
		ref  secret.Ref
		into *secret.Found
	}{
		{"token", p.Credentials.Token, &r.Token},
		{"client id", p.Credentials.ClientID, &r.ClientID},
		{"client secret", p.Credentials.ClientSecret, &r.ClientSecret},
	} {
		if one.ref.Empty() {
			continue
		}
		found, err := from.Resolve(ctx, one.ref)
		if err != nil {
			problems = append(problems, fmt.Errorf("the %s of profile %s: %w", one.name, p.Name, err))
		}
		*one.into = found
	}
	if err := errors.Join(problems...); err != nil {
		return r, &client.Error{
			Class: client.ClassConfig, Layer: client.LayerProgram, Message: err.Error(), Err: err,
			Next: "Sign in again with patchbay login, or correct the place in the settings.",
		}
	}
	return r, nil
}

// SecretKey is the key under which a profile's credential is stored.
func SecretKey(profile, name string) string { return profile + "." + name }
