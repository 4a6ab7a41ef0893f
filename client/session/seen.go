package session

import (
	"context"

	"patchbay/client"
	"patchbay/client/hosted"
	"patchbay/client/profile"
)

// keeps reports whether what is learned of connectors is kept for later runs.
func (s *Session) keeps() bool {
	return s.Sandbox == nil && s.opener.FoldersErr == nil && s.Profile.KeepsHistory()
}

// seen is what an earlier run learned of a connector.
func (s *Session) seen(id string) (client.Connector, bool) {
	if !s.keeps() {
		return client.Connector{}, false
	}
	c, ok := profile.LoadSeen(s.opener.Folders.Seen())[s.ServiceURL()][id]
	return c, ok
}

// keepSeen keeps what was learned of connectors. That it cannot be kept is no matter:
// it is asked for again.
func (s *Session) keepSeen(list ...client.Connector) {
	if len(list) > 0 && s.keeps() {
		_ = profile.KeepSeen(s.opener.Folders.Seen(), s.ServiceURL(), list)
	}
}

// Look begins to ask of which kind the connector of a target is, unless that is
// known. Calls on it neither wait for the answer nor fail without it.
func (s *Session) Look(ctx context.Context, t client.Target) {
	if !t.Local && t.Kind == "" {
		s.Hosted.Look(ctx, t.ConnectorID)
	}
}

// Learned is a target with what was learned of it since Look; it waits a little for
// what is under way.
func (s *Session) Learned(ctx context.Context, t client.Target) client.Target {
	if t.Local || t.Kind != "" {
		return t
	}
	if one, ok := s.Hosted.Learned(ctx, t.ConnectorID); ok {
		t.Kind = one.Kind
		s.keepSeen(one)
	}
	return t
}

// Describe tells of a connector and what it supports.
func (s *Session) Describe(ctx context.Context, id string) (*hosted.Detail, error) {
	d, err := s.Hosted.Connector(ctx, id)
	if err == nil {
		s.keepSeen(d.Connector)
	}
	return d, err
}
