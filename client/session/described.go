package session

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"patchbay/catalog"
	"patchbay/client"
	"patchbay/client/described"
	"patchbay/client/doctor"
	"patchbay/client/hosted"
	"patchbay/client/profile"
)

// Descriptions is where the descriptions of a person's services are kept.
func Descriptions(f profile.Folders) described.Store {
	return described.Store{Dir: filepath.Join(f.State, "described")}
}

// descriptions is where this session keeps them; nowhere where it keeps nothing.
func (s *Session) descriptions() described.Store {
	if !s.keeps() {
		return described.Store{}
	}
	return Descriptions(s.opener.Folders)
}

// asked are the kinds that this service described since the program began.
type asked struct {
	mu    sync.Mutex
	kinds map[string]*catalog.Kind // by connector type in lower case
}

func (a *asked) get(connectorType string) *catalog.Kind {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.kinds[strings.ToLower(connectorType)]
}

func (a *asked) set(connectorType string, k *catalog.Kind) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kinds == nil {
		a.kinds = map[string]*catalog.Kind{}
	}
	a.kinds[strings.ToLower(connectorType)] = k
}

// KindOf finds the kind of a connector, and returns the connector with it: the one that
// the catalog has, else what the service described earlier, else what it describes now;
// anew asks it in any case. notes say what of a description was left out.
func (s *Session) KindOf(ctx context.Context, c client.Connector, anew bool) (
	of client.Connector, k *catalog.Kind, notes []string, err error,
) {
	name := cmp.Or(c.Kind, c.Type)
	k, err = s.Catalog.Kind(name)
	if c.Local || s.Hosted == nil || err == nil && k.Source != catalog.Live {
		if err == nil {
			c.Kind = k.Name
		}
		return c, k, nil, err
	}
	if k = s.asked.get(c.Type); k != nil && !anew {
		s.Catalog.Put(k) // another service may have described its own since
		c.Kind = k.Name
		return c, k, nil, nil
	}
	if k = nil; !anew && c.Type != "" {
		k = s.descriptions().Load(s.ServiceURL(), c.Type)
	}
	if k == nil {
		told, err := s.Hosted.Told(ctx, c)
		k, notes = described.Kind(told)
		switch {
		case err != nil && (anew || len(k.Entities) == 0): // what was known before says more
			return c, nil, nil, err
		case err != nil:
			notes = append(notes, "it could not be described in full: "+err.Error())
		default: // that it cannot be kept is no matter: it is asked for again
			_ = s.descriptions().Keep(s.ServiceURL(), described.Version(told), s.opener.Now(), k)
		}
	}
	k = s.take(k)
	c.Kind, c.Type = k.Name, cmp.Or(c.Type, k.ConnectorType)
	s.asked.set(c.Type, k)
	s.Hosted.Learn(c)
	s.keepSeen(c)
	return c, k, notes, nil
}

// take puts a described kind, which nobody else has yet, into the catalog: beside one of
// its name that is of another type, and with what answers showed.
func (s *Session) take(k *catalog.Kind) *catalog.Kind {
	if there := s.kind(k.Name); there != nil && there.Source != catalog.Live {
		k.Name += "_described"
	}
	s.learned.apply(k, s.lessons())
	s.Catalog.Put(k)
	return k
}

// StepDescription is the step of findings on what service and catalog say differently.
const StepDescription = "description"

// mostDifferences is how many of them are told one by one.
const mostDifferences = 100

// compare tells what the service describes of a connector and the catalog does not, and
// the other way round. A service that describes none, or tells the same, is no finding.
func (s *Session) compare(ctx context.Context, c client.Connector, emit func(doctor.Finding)) {
	k := s.kind(c.Kind)
	if c.Local || s.Hosted == nil || k == nil || k.Source == catalog.Live || ctx.Err() != nil {
		return
	}
	d, err := s.Describe(client.WithObserver(ctx, func(client.Event) {}), c.ID)
	if err != nil {
		return
	}
	all := hosted.Differences(k, d)
	for _, one := range all[:min(len(all), mostDifferences)] {
		emit(doctor.Finding{Step: StepDescription, Subject: one.Subject(), Status: doctor.Info,
			Detail: string(one.Only) + " names it"})
	}
	if more := len(all) - mostDifferences; more > 0 {
		emit(doctor.Finding{Step: StepDescription, Status: doctor.Info,
			Detail: fmt.Sprintf("%d more: patchbay connectors describe --diff lists all", more)})
	}
}
