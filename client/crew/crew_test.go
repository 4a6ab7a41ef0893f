package crew

import (
	"strings"
	"testing"
)

// explode is what the stack of the panic must name.
func explode() { panic("in one of them") }

func TestAPanicReachesWhoWaits(t *testing.T) {
	var outer Crew
	ended := make(chan bool, 1)
	outer.Go(func() {
		var inner Crew
		inner.Go(explode)
		inner.Go(func() { ended <- true })
		inner.Wait()
	})
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Error() != "in one of them" || !strings.Contains(string(p.Stack), "explode") {
			t.Errorf("it brings %v", p)
		}
		if !<-ended {
			t.Error("the others did not end")
		}
	}()
	outer.Wait()
	t.Error("the panic is lost")
}

func TestNothingPanicsWithoutAPanic(t *testing.T) {
	var c Crew
	n := 0
	c.Go(func() { n++ })
	if c.Wait(); n != 1 {
		t.Errorf("%d ran", n)
	}
}

// Who looks before the end gets the panic, once.
func TestAPanicIsSeenBeforeTheEnd(t *testing.T) {
	var c Crew
	goOn := make(chan bool)
	c.Go(explode)
	c.Go(func() { <-goOn })
	var p *Panic
	for p == nil {
		p = c.Fallen()
	}
	if p.Error() != "in one of them" || c.Fallen() != nil {
		t.Errorf("it brings %v, and again", p)
	}
	close(goOn)
	c.Wait()
}
