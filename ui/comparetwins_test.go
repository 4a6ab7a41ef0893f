package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"patchbay/client"
)

const (
	hostedOne = `{"data":{"id":"cus_1","name":"Ada","phone":"1"},"meta":{}}`
	directOne = `{"data":{"id":"cus_1","name":"Ada L.","phone":"1"},"meta":{}}`
)

// twin is another connector of payments that is called directly.
func twin(name string) client.Connector {
	return client.Connector{ID: "mine-" + name, Name: name, Type: "payments", Kind: "payments", Local: true}
}

// openOn opens an action on a connector, and sends its params.
func (p *player) openOn(c client.Connector, entity, action, params string) {
	p.t.Helper()
	p.run(p.m.perform(p.m.places.Open(placeOf(c, entity, action))))
	p.send(tea.WindowSizeMsg{Width: p.m.width, Height: p.m.height})
	if err := p.m.req.SetParams([]byte(params)); err != nil {
		p.t.Fatal(err)
	}
	p.keys("r")
}

// From the record of a hosted connector, one key shows how the third party has it.
func TestARecordIsComparedWithItsTwin(t *testing.T) {
	p := play(t, Deps{Session: sides("", hostedOne, directOne)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "get", `{"id":"cus_1"}`)
	p.keys("C")
	p.wants("get → local", "differs", `"Ada" → "Ada L."`, "The whole record in get")
	p.lacks(".phone")
	p.keys("esc")
	p.wants("Sides", "get", "local", "Differing: 1 record")
}

// From that of a local connector the key leads the other way.
func TestALocalRecordIsComparedWithTheHostedOne(t *testing.T) {
	session := sides("", hostedOne, directOne)
	p := play(t, Deps{Session: session}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "get", `{"id":"cus_1"}`) // so that the tree holds the hosted connector
	p.openOn(session.Local[0], "customers", "get", `{"id":"cus_1"}`)
	p.wants("Ada L.")
	p.keys("C")
	p.wants("get → local", `"Ada" → "Ada L."`)
}

func TestTheSameRecordIsSaidToBe(t *testing.T) {
	p := play(t, Deps{Session: sides("", hostedOne, hostedOne)}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "get", `{"id":"cus_1"}`)
	p.keys("C")
	p.wants("1 record the same on every side")
}

// Where several connectors could be meant, a list asks.
func TestTheTwinIsChosen(t *testing.T) {
	session := sides(searched, listed, direct)
	session.Local = append(session.Local, twin("second"))
	p := play(t, Deps{Session: session}, 120, 36)
	p.keys("enter")
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("Compare with which connector?", "mine", "second", "called directly")
	p.keys("down", "enter")
	p.wants("Sides", "Not in search: 1 record")
	p.typed("local")
	p.keys("enter")
	p.wants("customers list on second")
}

// Where there is none, it is said how to set one up.
func TestHowATwinIsSetUp(t *testing.T) {
	p := play(t, Deps{}, 200, 60)
	p.call("payments", "customers", "list", `{}`)
	p.keys("C")
	p.wants("Sides", "not here", "none of payments is called directly: a in the tree adds one, or set PATCHBAY_PAYMENTS_API_KEY")
	p.keys("esc")
	p.open("payments", "balance", "get")
	p.keys("3", "C")
	p.wants("a in the tree adds one, or set PATCHBAY_PAYMENTS_API_KEY")
}
