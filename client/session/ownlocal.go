package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"patchbay/client"
	"patchbay/client/profile"
	"patchbay/client/secret"
)

// LocalSetup is a connector to add that is called without the service.
type LocalSetup struct {
	Name, Kind, Method string
	// BaseURL is where calls go in place of the catalog's address; may be empty.
	BaseURL string
	// Config and Credentials are by field name.
	Config      map[string]string
	Credentials map[string]secret.Secret
}

// localSecret names a credential of a local connector among the secrets of its profile.
func localSecret(connector, field string) string { return "local." + connector + "." + field }

// KeepLocal stores a local connector in a profile, or beside the profiles where that one
// is in no file; its credentials go to the secret store.
func (o *Opener) KeepLocal(ctx context.Context, name string, l LocalSetup) (client.Connector, error) {
	if o.FoldersErr != nil {
		return client.Connector{}, o.FoldersErr
	}
	made := profile.LocalConnector{Name: l.Name, Kind: l.Kind, Method: l.Method, BaseURL: l.BaseURL, Config: l.Config,
		Credentials: map[string]secret.Ref{}}
	for field, value := range l.Credentials {
		o.Redactor.Add(value)
		ref, err := o.keepSecret(ctx, name, localSecret(l.Name, field), value)
		if err != nil {
			return client.Connector{}, client.Misconfigured("the credential %s cannot be kept: %v", field, err)
		}
		made.Credentials[field] = ref
	}
	settings, err := o.Settings()
	if err == nil {
		same := func(have profile.LocalConnector) bool { return have.Name == l.Name }
		err = settings.Change(func(now *profile.Settings) error {
			if p, ok := now.Profile(name); ok {
				p.Local = put(p.Local, made, same)
				now.Put(p)
			} else {
				now.Local = put(now.Local, made, same)
			}
			return nil
		})
	}
	return client.Connector{ID: "local:" + l.Name, Name: l.Name, Type: l.Kind, Kind: l.Kind, Local: true}, err
}

// ForgetLocal removes a local connector from where KeepLocal put it, and the credentials
// that are kept for it.
func (o *Opener) ForgetLocal(ctx context.Context, name string, c client.Connector) error {
	settings, err := o.Settings()
	if err != nil {
		return err
	}
	is := func(l profile.LocalConnector) bool { return l.Name == c.Name }
	p, own := settings.Profile(name)
	if own = own && slices.ContainsFunc(p.Local, is); !own {
		p = profile.Profile{Name: name, Local: settings.Local}
	}
	at := slices.IndexFunc(p.Local, is)
	if at < 0 {
		return client.Misconfigured("%s is in no file, so there is nothing to forget", c.Name).
			Advise("Variables of the environment whose names begin with %s make it.", client.EnvName(c.Kind, ""))
	}
	for field, ref := range p.Local[at].Credentials {
		o.forgetRenewed(ctx, c.Kind, ref)
		key := cmp.Or(ref.Keyring, ref.File)
		if !strings.HasSuffix(key, profile.SecretKey("", localSecret(c.Name, field))) {
			continue // a person's own entry, which others may use
		}
		if err := o.store().Delete(ctx, key); err != nil {
			return client.Misconfigured("the credential %s cannot be forgotten: %v", field, err)
		}
	}
	return settings.Change(func(now *profile.Settings) error {
		if p, ok := now.Profile(name); ok && own {
			p.Local = slices.DeleteFunc(p.Local, is)
			now.Put(p)
		} else {
			now.Local = slices.DeleteFunc(now.Local, is)
		}
		return nil
	})
}
