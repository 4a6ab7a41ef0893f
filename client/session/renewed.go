package session

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"time"

	"patchbay/client/local"
	"patchbay/client/secret"
	"patchbay/client/wholefile"
)

// renewed is local.Renewed as it stands in the secrets file.
type renewed struct {
	RefreshToken string            `json:"refresh_token"`
	AccessToken  string            `json:"access_token"`
	Issued       time.Time         `json:"issued,omitzero"`
	Ends         time.Time         `json:"ends,omitzero"`
	Sets         map[string]string `json:"sets,omitempty"`
}

// renewedKey names what was given in place of a refresh token in the secrets file.
func renewedKey(origin string) string { return "renewed." + origin }

// keepRenewed implements local.Keeper over the secrets file, and a folder of each origin
// that programs lock against one another.
func (o *Opener) keepRenewed(ctx context.Context, origin string, renew func(local.Renewed) local.Renewed) (
	place string, err error,
) {
	file, key := secret.File{Path: o.Folders.Secrets()}, renewedKey(origin)
	return file.Path, wholefile.Alone(ctx, filepath.Join(o.Folders.State, "renewing", origin), func() error {
		before, err := o.renewed(ctx, &file, key)
		if err != nil {
			return err
		}
		after := renew(before)
		switch {
		case reflect.DeepEqual(before, after):
			return nil
		case after.RefreshToken.Empty():
			return file.Delete(ctx, key)
		}
		text, err := json.Marshal(renewed{after.RefreshToken.Reveal(), after.AccessToken.Reveal(), after.Issued,
			after.Ends, after.Sets})
		if err == nil {
			_, err = file.Set(ctx, key, secret.New(string(text)))
		}
		return err
	})
}

// renewed reads what is kept; nothing where that cannot be made out.
func (o *Opener) renewed(ctx context.Context, file *secret.File, key string) (out local.Renewed, err error) {
	found, err := file.Get(ctx, key)
	if errors.Is(err, secret.ErrNotFound) {
		return out, nil
	}
	var kept renewed
	if err != nil || json.Unmarshal([]byte(found.Value.Reveal()), &kept) != nil {
		return out, err
	}
	return local.Renewed{RefreshToken: secret.New(kept.RefreshToken), AccessToken: secret.New(kept.AccessToken),
		Issued: kept.Issued, Ends: kept.Ends, Sets: kept.Sets}, nil
}

// forgetRenewed removes what was given in place of a refresh token.
func (o *Opener) forgetRenewed(ctx context.Context, kind string, ref secret.Ref) {
	if found, err := o.Sources().Resolve(ctx, ref); err == nil {
		file := secret.File{Path: o.Folders.Secrets()}
		_ = file.Delete(ctx, renewedKey(local.Origin(kind, found.Value))) // the credential itself is forgotten next
	}
}
