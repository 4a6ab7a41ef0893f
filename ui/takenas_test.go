package ui

import (
	"strings"
	"testing"

	"patchbay/catalog"
	"patchbay/client/answer"
	"patchbay/client/rawjson"
)

const twoCustomers = `{"data":[{"id":"cus_1","object":"customer","balance":"12","created":1700000000,"email":"a@b.example","surprise":1},{"id":"cus_2","object":"customer","balance":5,"created":1700000001,"email":null}],"meta":{"has_more":false}}`

func TestFileIsReadAsAnEntity(t *testing.T) {
	p := openText(t, twoCustomers, 120, 36)
	p.wants("A says of which entity")
	p.keys("A")
	p.wants("The records are", "payments  customers", "5 of 6 fields")
	p.keys("enter")
	p.wants("The records are read as payments customers", "read as payments customers")
	p.keys("]", "]", "]", "]")
	p.wants("[Schema", "surprise", "not in the catalog", "integer")
	p.keys("[", "[", "[")
	p.wants("[Record]", "2023-11-14T22:13:20Z")
	p.keys("F")
	p.wants("this is a file")
	p.keys("d")
	p.wants("Payments / customers")
}

func TestFileIsOpenedAsAnEntity(t *testing.T) {
	k, e, a, err := testCatalog.Resolve("payments", "customers", "list")
	if err != nil {
		t.Fatal(err)
	}
	src := rawjson.Bytes(twoCustomers)
	d := answer.OpenDocument(t.Context(), src, answer.Reading{Name: "x.json", Size: int64(len(twoCustomers)), As: answer.Question{Kind: k, Entity: e, Action: a}})
	d.WaitWhole(t.Context())
	p := play(t, Deps{Document: d}, 120, 36)
	p.send(tickMsg{})
	p.wants("read as payments customers", "2023-11-14 22:13:20")
}

func TestAnswersAreNotReadAsOthers(t *testing.T) {
	p := play(t, Deps{Fresh: true}, 120, 36)
	p.keys("esc", "A")
	p.wants("only the records of a file")
}

func TestFlawsOfFiles(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"empty":   {"", "empty: there is nothing in it"},
		"blank":   {" \n\t ", "empty: there is nothing in it"},
		"html":    {"<!DOCTYPE html><p>", "not JSON, but HTML or XML"},
		"binary":  {"\x89PNG\x00\x01", "not JSON, but binary data"},
		"utf16":   {"\xff\xfe[\x00", "not JSON, but UTF-16 text"},
		"text":    {"hello\nworld\n", "not JSON, but text"},
		"inside":  {`[{"id":1},{"id":oops},{"id":3}]`, "broken at line 1, column 17"},
		"lines":   {"{\"id\":1}\n{\"id\":2}\nnot json\n{\"id\":3}\n", "line 3"},
		"many":    {"{\"id\":1}\n{\"id\":2\n{\"id\":3}\nnot json\n{\"id\":4}\n", "broken: 2 of 5 lines are no JSON, lines 2 and 4. The first: a comma or } expected, the end of the line found"},
		"cutline": {"{\"id\":1}\n{\"id\":2}\n{\"id\":", "cut off at line 3, after 24 bytes"},
		"cut":     {`[{"id":1},{"id":2`, "cut off at line 1, after 17 bytes"},
		"trailer": {`[{"id":1}] x`, "broken at line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			p := openText(t, c.data, 160, 36)
			if s := strings.Join(strings.Fields(p.screen()), " "); !strings.Contains(s, c.want) {
				t.Errorf("the screen lacks %q:\n%s", c.want, p.screen())
			}
			p.keys("]", "j", "]", "j", "g", "G")
		})
	}
	p := openText(t, `[{"id":1}]`, 120, 36)
	if strings.Contains(p.screen(), "broken") {
		t.Error("a sound file is called broken")
	}
}

// A line that is no JSON must not take those behind it along.
func TestBadLinesAreRowsThatSaySo(t *testing.T) {
	p := openText(t, "{\"a\":1}\n{\"a\":2\n{\"a\":3}\nnot json\n{\"a\":44}", 120, 36)
	p.wants("5 lines of JSON", "2 of 5 lines are no JSON, lines 2 and 4", "with bad lines", "not json", "44")
	p.keys("j")
	p.wants(".[1]", "no JSON: a comma or } expected")
	p.keys("j", "j")
	p.wants(".[3]", "no JSON: null expected")
}

func TestAFirstLineThatIsNoJSONLeavesTheTree(t *testing.T) {
	p := openText(t, "Starting\n{\"a\":1}\n{\"a\":22}\n", 120, 36)
	p.wants("JSON", "1 of 3 lines of JSON is no JSON")
	p.keys("]", "]", "G")
	p.wants("[JSON]", "Starting", "a: 22")
}

func TestMixedRecordsShowTheirValues(t *testing.T) {
	p := openText(t, `[1,"two",[3],{"id":"x"},null]`, 120, 36)
	p.wants("value", "two", "[3]", ".[0]")
	p.keys("j", "i")
	p.wants(".[1]", "two")
}

// What a person does while a file is read neither stops the reading nor is
// stopped by its end.
func TestWorkGoesOnWhileAFileIsRead(t *testing.T) {
	buffer := &rawjson.Buffer{}
	_, _ = buffer.Write([]byte(strings.Repeat("{\"id\":7,\"a\":{\"b\":1}}\n", 300)))
	d := answer.OpenDocument(t.Context(), buffer, answer.Reading{Name: "slow", Size: -1})
	p := play(t, Deps{Document: d}, 120, 36)
	p.send(tickMsg{})
	p.wants("reading")
	p.keys("|", "backspace")
	p.typed("{id}")
	p.keys("enter")
	p.wants("300 results")
	_, _ = buffer.Write([]byte("{\"id\":8,\"late\":true}\n"))
	buffer.Close(nil)
	d.WaitWhole(t.Context())
	p.send(tickMsg{})
	p.wants("300 results")
	p.keys("q")
	p.wants("301 rows")
	if strings.Contains(p.screen(), "reading") {
		t.Error("the file is still said to be read")
	}
	p.onColumn("late")
}

// A real service names its fields in its own words: they are the catalog's fields.
func TestFieldsOfARealServiceAreTheCatalogs(t *testing.T) {
	k, e, a, err := catalog.New().Resolve("marketplace_seller", "orders", "list")
	if err != nil {
		t.Fatal(err)
	}
	body := `[{"OrderStatus":"Shipped","AmazonOrderId":"701-1"},{"OrderStatus":"Pending","AmazonOrderId":"701-2"}]`
	d := answer.OpenDocument(t.Context(), rawjson.Bytes(body), answer.Reading{Name: "x.json", Size: int64(len(body)), As: answer.Question{Kind: k, Entity: e, Action: a}})
	d.WaitWhole(t.Context())
	p := play(t, Deps{Document: d}, 120, 36)
	p.send(tickMsg{})
	p.wants("MarketOrderId", "701-1", "Order number given by the marketplace", ".[0].AmazonOrderId")
	p.lacks("  AmazonOrderId", "not in the catalog")
}
