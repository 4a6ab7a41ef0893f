package ui

import (
	"strings"
	"testing"
)

// words is a screen without frames and line breaks.
func words(screen string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╮", " ", "╯", " ").Replace(screen)), " ")
}

func TestMessagesAreToldInFull(t *testing.T) {
	long := "there is no next page: the answer says that there is more and gives no cursor, so that only a filter on created can go on from here"
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}} {
		p := play(t, Deps{Fresh: true}, size[0], size[1])
		p.run(p.m.say(long, true))
		if got := words(p.screen()); !strings.Contains(got, "! "+long) {
			t.Errorf("%v: the message is cut:\n%s", size, p.screen())
		}
		if lines := strings.Split(p.screen(), "\n"); !strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "? keys") {
			t.Errorf("%v: the message hides the keys:\n%s", size, p.screen())
		}
		p.keys("esc")
		if strings.Contains(p.screen(), "! there is no next page") {
			t.Error("the message stays after the next key")
		}
	}
}

func TestMessagesStandAboveLists(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "?")
	p.typed("show the page before")
	p.keys("enter")
	p.wants("! this is the first page")
	if strings.Contains(p.m.View().Content, string(p.m.look.Styles.Behind(" ! "))) {
		t.Error("the message is drawn as part of the screen behind")
	}
}

func TestStatusKeepsItsReason(t *testing.T) {
	body := `{"data":[{"id":"cus_1"},{"id":"cus_2"}],"meta":{"has_more":true}}`
	for _, w := range []int{60, 80, 120} {
		p := play(t, Deps{Session: answers(t, "application/json", body)}, w, 24)
		p.keys("enter")
		p.open("payments", "customers", "api_search")
		p.m.req.SetParams([]byte(`{"query":"email:'a'"}`))
		p.keys("ctrl+r")
		why := p.m.res.Page().Next.Text()
		if !strings.Contains(why, "unknown: ") {
			t.Fatalf("the next page is known: %s", why)
		}
		if got := words(p.screen()); !strings.Contains(got, why[:min(len(why), 2*w-20)]) {
			t.Errorf("at %d columns the status cuts %q:\n%s", w, why, p.screen())
		}
		p.wants("? keys")
	}
}

// Where no action is open the line does not send the reader to r, which would refuse.
func TestStatusLeadsToAnAction(t *testing.T) {
	p := play(t, Deps{Session: clientSession()}, 80, 24)
	p.keys("enter", "1")
	p.send(toastMsg{p.m.toast.id})
	p.wants("enter opens the row")
	p.keys("3")
	p.wants("1 goes to the tree")
	p.lacks("r runs the request")
}
