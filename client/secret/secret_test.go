package secret

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/zalando/go-keyring"
)

const hush = `pa$$ "word"/+ü`

func TestSecretIsNeverShown(t *testing.T) {
	s := New(hush)
	encoded, _ := json.Marshal(map[string]any{"a": s, "b": &s, "c": []Secret{s}})
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "s", s, "t", struct{ S Secret }{s})
	shown := fmt.Sprint(s, &s, []Secret{s}, struct{ S Secret }{s}) + fmt.Sprintf("%v %+v %#v %s %q %x %d", s, s, s, s, s, s, s) + string(encoded) + log.String()
	if strings.Contains(shown, "pa$$") || !strings.Contains(shown, Mark) {
		t.Error(shown)
	}
	if s.Reveal() != hush || len(s.Hash()) != 8 || New("").Hash() != "" || New("a").Hash() == New("b").Hash() {
		t.Error("reveal or hash")
	}
}

func TestRedactorFindsEveryForm(t *testing.T) {
	var r Redactor
	value := "s3cr&t/value+with=signs"
	r.Add(New(value), New("abc"))
	quoted, _ := json.Marshal(value)
	for _, text := range []string{
		value, string(quoted), url.QueryEscape(value), url.PathEscape(value), base64.StdEncoding.EncodeToString([]byte(value)),
		"Basic " + base64.StdEncoding.EncodeToString([]byte("u:"+value)), base64.StdEncoding.EncodeToString([]byte("us:" + value)),
		base64.StdEncoding.EncodeToString([]byte("usr:" + value + "x")), fmt.Sprintf("%x", value),
	} {
		if got := r.Text("before " + text + " after"); !strings.Contains(got, Mark) || strings.Contains(got, "value") || !strings.HasSuffix(got, " after") {
			t.Errorf("%s became %s", text, got)
		}
	}
	if got := r.Text("abcdef"); got != "abcdef" {
		t.Errorf("a short value was replaced: %s", got)
	}
	var none *Redactor
	if none.Text("x") != "x" {
		t.Error("a nil redactor changes text")
	}
}

func TestRedactorKnowsNames(t *testing.T) {
	var r Redactor
	headers := map[[2]string]string{
		{"Authorization", "Bearer abc"}: "Bearer [secret]", {"authorization", "abc def"}: Mark, {"Cookie", "a=b"}: Mark,
		{"X-Api-Key", "k"}: Mark, {"X-Shop-Access-Token", "t"}: Mark, {"X-Organization-Id", "o"}: "o",
	}
	for in, want := range headers {
		if got := r.Header(in[0], in[1]); got != want {
			t.Errorf("%v: %s", in, got)
		}
	}
	addresses := map[string]string{
		"https://h/p?page_token=a&api_key=b&access_token=c": "https://h/p?page_token=a&api_key=[secret]&access_token=[secret]",
		"https://u:pw@h/": "https://u:secret@h/", "http://h/?a[token]=x": "http://h/?a[token]=[secret]", "http://[::1?token=a": "http://[::1",
	}
	for in, want := range addresses {
		if got := r.URL(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	bodies := map[string]string{
		`{"a": 1, "password" : "x", "n":{"clientSecret":["y"]}, "nextPageToken":"z"}`: `{"a": 1, "password" : "[secret]", "n":{"clientSecret":"[secret]"}, "nextPageToken":"z"}`,
		`{"credentials":{"api":"x"},"token":null}`:                                    `{"credentials":"[secret]","token":null}`,
		`{"token":"cut off`:  `{"token":[secret]`,
		`[{"secret":1.50}] `: `[{"secret":"[secret]"}] `,
		`not json`:           `not json`,
	}
	for in, want := range bodies {
		if got := string(r.Body("application/json", []byte(in))); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if got := string(r.Body("application/x-www-form-urlencoded", []byte("grant=a&refresh_token=b"))); got != "grant=a&refresh_token=[secret]" {
		t.Error(got)
	}
}

func FuzzRedactBody(f *testing.F) {
	for _, seed := range []string{`{"a":"b","password":"x"}`, `{"password":{"a":[1,2`, `[`, `{"a":1}{"token":"x"}`, "{\"token\"\n:\n1}"} {
		f.Add([]byte(seed))
	}
	for _, seed := range []string{`{"a":"hu\u0073h-hush\\"}`, `[12345678]`, `"12345678e5"`, `{"n":112345678.5}`, `"\nfoo\nfoo"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var r Redactor
		r.Add(New("hush-hush"), New("12345678"), New("nfoo"))
		out := r.Body("application/json", body)
		start := bytes.TrimSpace(body)
		if json.Valid(body) && bytes.IndexByte([]byte(`{["`), start[0]) >= 0 && !json.Valid(out) {
			t.Fatalf("%q became %q", body, out)
		}
		if again := r.Body("application/json", out); r.Holds(out) && !bytes.Equal(again, out) {
			t.Fatalf("%q became %q and then %q", body, out, again)
		}
	})
}

func TestStores(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "below", "secrets.json")
	for name, s := range map[string]Store{"keyring": Keyring{}, "file": &File{Path: path},
		"fallback": Fallback{Keyring{}, &File{Path: path}}} {
		keyring.MockInit()
		if name == "fallback" {
			keyring.MockInitWithError(errors.New("locked"))
		}
		if _, err := s.Get(ctx, "p.token"); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: get of nothing: %v", name, err)
		}
		ref, err := s.Set(ctx, "p.token", New(hush))
		if err != nil || !strings.Contains(ref.String(), "p.token") || (ref.File != "") != (name != "keyring") {
			t.Errorf("%s: set: %+v %v", name, ref, err)
		}
		if found, err := s.Get(ctx, "p.token"); err != nil || found.Value.Reveal() != hush ||
			!strings.Contains(found.Place, "p.token") {
			t.Errorf("%s: get: %+v %v", name, found, err)
		}
		for range 2 {
			if err := s.Delete(ctx, "p.token"); err != nil {
				t.Errorf("%s: delete: %v", name, err)
			}
		}
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Error("the file stayed after its last secret")
	}
}

func TestFileIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	f := &File{Path: filepath.Join(t.TempDir(), "s.json")}
	if _, err := f.Set(context.Background(), "a", New("b")); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(f.Path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	_ = os.Chmod(f.Path, 0o644)
	if _, err := f.Get(context.Background(), "a"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
	_ = os.WriteFile(f.Path, []byte(`{"a":"hush-hush`), 0o600)
	_ = os.Chmod(f.Path, 0o600)
	if _, err := f.Get(context.Background(), "a"); err == nil || strings.Contains(err.Error(), "hush") {
		t.Error(err)
	}
}

func TestSources(t *testing.T) {
	ctx := context.Background()
	s := Sources{Env: map[string]string{"A": "from env", "PATH": os.Getenv("PATH")}}
	if f, err := s.Resolve(ctx, Ref{Env: "A"}); err != nil || f.Value.Reveal() != "from env" {
		t.Errorf("%+v %v", f, err)
	}
	for _, ref := range []Ref{{}, {Env: "B"}, {Keyring: "k"}, {File: "f"}} {
		if _, err := s.Resolve(ctx, ref); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v: %v", ref, err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if f, err := s.Resolve(ctx, Ref{Command: `X=hush printf 'one\ntwo'`}); err != nil || f.Value.Reveal() != "one" || strings.Contains(f.Place, "hush") {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := s.Resolve(ctx, Ref{Command: "echo hush; echo locked >&2; exit 3"}); err == nil || strings.Contains(err.Error(), "hush") || !strings.Contains(err.Error(), "locked") {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	if _, err := s.Resolve(ctx, Ref{Command: "exec sleep 5"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}
