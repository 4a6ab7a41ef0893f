package rules

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "patchbay"

// ban forbids packages to import others. A package is named by its path in the
// module, "/..." behind it means those below it too, and "..." every package.
type ban struct {
	// from must not import to; but and save are exempt.
	from, but, to, save []string
	why                 string
}

type names = []string

var (
	all   = names{"..."}
	panes = names{"ui/tree", "ui/request", "ui/response"}
)

// bans let imports point one way: cmd -> ui -> client -> catalog, and ui -> themes.
var bans = []ban{
	{from: all, but: names{"cmd/..."}, to: names{"cmd/..."}, why: "nothing imports cmd"},
	{from: all, but: names{"ui/...", "cmd/..."}, to: names{"ui/..."}, why: "only cmd imports ui"},
	{from: all, but: names{"ui/...", "cmd/..."}, to: names{"themes"}, why: "only ui and cmd know themes"},
	{from: all, to: names{"testdata/..."}, why: "only tests read test data"},

	{from: names{"client/crew", "client/strictyaml", "client/ownfile", "client/quantity", "client/wholefile",
		"catalog/clause", "ui/repaint"},
		to: all, why: "it is a leaf and imports nothing of ours"},
	{from: names{"client/rawjson"}, to: all, save: names{"client/crew"}, why: "JSON knows nothing of ours but who works beside it"},
	{from: names{"client/secret"}, to: all, save: names{"client/crew", "client/ownfile", "client/wholefile"},
		why: "secrets know nothing of ours but how files are read and written, and how one waits"},
	{from: names{"catalog/..."}, to: all,
		save: names{"catalog/...", "client/ownfile", "client/rawjson", "client/strictyaml"},
		why:  "the catalog imports nothing of ours but ownfile, rawjson and strictyaml"},
	{from: names{"themes"}, to: all, save: names{"client/ownfile", "client/strictyaml"},
		why: "themes import nothing of ours but ownfile and strictyaml"},
	{from: names{"client"}, to: names{"client/..."}, why: "client imports none of its children"},
	{from: names{"client/sandbox/..."}, to: names{"client/..."},
		save: names{"client/sandbox/...", "client/rawjson", "client/search", "client/preflight",
			"client/listen"},
		why: "the sandbox is a service: it shares no code with its clients but what decides that a call is wrong, and how " +
			"to listen"},
	{from: all, but: names{"client/session", "cmd/..."}, to: names{"client/sandbox"},
		why: "the sandbox is called through hosted, like any service"},
	{from: all, but: names{"client/sandbox/..."}, to: names{"client/sandbox/..."}, save: names{"client/sandbox"},
		why: "only the sandbox knows what it is made of"},

	{from: all, but: names{"cmd/..."}, to: names{"ui"}, why: "parts of ui do not know the root, which puts them together"},
	{from: all, but: names{"ui"}, to: names{"ui/dialog/..."}, save: names{"ui/dialog"},
		why: "only the root knows features; what two of them need stands in ui/dialog"},
	{from: panes, to: append(names{"ui/overlay", "ui/dialog"}, panes...),
		why: "a pane knows no other pane and nothing that lies over it"},
	{from: names{"ui/overlay"}, to: names{"ui/action", "ui/dialog", "ui/tree", "ui/response"}, why: "an overlay knows no pane and no feature"},
	{from: names{"ui/action"}, to: names{"ui/..."}, save: names{"ui/intent", "ui/input", "ui/style", "ui/text"},
		why: "the action table knows no pane and no feature"},
	{from: names{"ui/intent"}, to: names{"ui/..."}, save: names{"ui/style", "ui/text"}, why: "an intent knows nobody who performs it"},
	{from: names{"ui/input"}, to: names{"ui/..."}, save: names{"ui/style", "ui/text"}, why: "a text field is part of no pane"},
	{from: names{"ui/style"}, to: all, save: names{"ui/text", "themes"}, why: "styles know themes and text only"},
	{from: names{"ui/text"}, to: all, save: names{"client/quantity"}, why: "text knows nothing of the screen"},
}

// foreign are modules, by the beginning of their paths, that only some may import.
var foreign = []struct {
	module string
	users  []string
}{
	{"charm.land/", names{"ui/...", "cmd/..."}},
	{"github.com/charmbracelet/", names{"ui/...", "cmd/..."}},
	{"github.com/alecthomas/chroma/", names{"ui/style"}},
	{"github.com/spf13/", names{"cmd/internal/cli"}},
	{"github.com/itchyny/gojq", names{"client/jq"}},
	{"modernc.org/sqlite", names{"client/history"}},
	{"github.com/pb33f/", names{"catalog/definition"}},
	{"github.com/zalando/go-keyring", names{"client/secret"}},
}

func TestImportsPointOneWay(t *testing.T) {
	for _, f := range program(t) {
		for _, spec := range f.tree.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := misdirected(f.folder, imported); why != "" {
				t.Errorf("%s: %s imports %s: %s", f.at(spec), f.folder, imported, why)
			}
		}
	}
}

// misdirected says why a package must not import another; empty when it may.
func misdirected(from, imported string) string {
	to, ours := strings.CutPrefix(imported, module+"/")
	if !ours {
		for _, m := range foreign {
			if strings.HasPrefix(imported, m.module) && !matches(from, m.users) {
				return "only " + strings.Join(m.users, " and ") + " may"
			}
		}
		return ""
	}
	for _, b := range bans {
		if matches(from, b.from) && !matches(from, b.but) && matches(to, b.to) && !matches(to, b.save) {
			return b.why
		}
	}
	return ""
}

// matches reports whether a package is one of those named.
func matches(folder string, named []string) bool {
	return slices.ContainsFunc(named, func(n string) bool {
		above, below := strings.CutSuffix(n, "...")
		return folder == n || below && strings.HasPrefix(folder+"/", above)
	})
}

func TestMisdirectedFindsWrongImports(t *testing.T) {
	for _, c := range [][2]string{
		{"client/hosted", "patchbay/ui/text"}, {"catalog", "patchbay/client"}, {"client", "patchbay/client/hosted"},
		{"client/secret", "patchbay/catalog"}, {"client/quantity", "patchbay/client"}, {"client/answer", "patchbay/testdata/catalog"},
		{"client/answer", "charm.land/bubbletea/v2"}, {"themes", "github.com/charmbracelet/x/ansi"},
		{"ui", "patchbay/cmd/internal/cli"}, {"client/export", "patchbay/themes"},
		{"client/strictyaml", "patchbay/client/rawjson"}, {"themes", "patchbay/catalog"},
		{"catalog/source", "patchbay/client/secret"}, {"client/sandbox/lang", "patchbay/client/hosted"},
		{"client/doctor", "patchbay/client/sandbox"}, {"client/session", "patchbay/client/sandbox/lang"},
		{"ui/dialog/saved", "patchbay/ui"}, {"ui/dialog/saved", "patchbay/ui/dialog/history"},
		{"ui/dialog", "patchbay/ui/dialog/history"}, {"ui/tree", "patchbay/ui/request"}, {"ui/request", "patchbay/ui/overlay"},
		{"ui/intent", "patchbay/ui/overlay"}, {"ui/text", "patchbay/ui/style"}, {"ui", "github.com/spf13/cobra"},
	} {
		if misdirected(c[0], c[1]) == "" {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
	for _, c := range [][2]string{
		{"cmd/internal/cli", "patchbay/ui"}, {"ui", "charm.land/bubbletea/v2"}, {"client/hosted", "patchbay/client/secret"},
		{"catalog", "os"}, {"catalog/source", "patchbay/catalog"}, {"ui/dialog/saved", "patchbay/ui/dialog"},
		{"ui", "patchbay/ui/dialog/saved"}, {"client/session", "patchbay/client/sandbox"}, {"cmd/patchbay", "patchbay/cmd/internal/cli"},
	} {
		if why := misdirected(c[0], c[1]); why != "" {
			t.Errorf("%s must not import %s: %s", c[0], c[1], why)
		}
	}
}

// A rule about a package that is no longer there holds nothing.
func TestImportRulesNamePackages(t *testing.T) {
	files := program(t)
	var named []string
	for _, b := range bans {
		named = slices.Concat(named, b.from, b.but, b.to, b.save)
	}
	for _, m := range foreign {
		named = append(named, m.users...)
	}
	for _, n := range named {
		found := n == "testdata/..." || slices.ContainsFunc(files, func(f file) bool { return matches(f.folder, []string{n}) })
		if !found {
			t.Errorf("no package is called %s", n)
		}
	}
}
