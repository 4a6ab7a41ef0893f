// Package kindfile brings definitions of APIs into the settings folder as connector
// files: it fetches a definition, turns it into a kind, says what that changes, and
// writes it whole or not at all. What a person changed in the file stays when a newer
// definition comes.
package kindfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"patchbay/catalog"
	"patchbay/catalog/definition"
	"patchbay/catalog/source"
	"patchbay/client"
	"patchbay/client/ownfile"
	"patchbay/client/strictyaml"
	"patchbay/client/wholefile"
)

// Definition is the text of a definition, and what it refers to beside it.
type Definition struct {
	From  string
	Data  []byte
	Files fs.FS
	// Lost are the files that it refers to and that could not be read.
	Lost []string
}

// Read reads a definition from a file, or from an address on the web.
func Read(ctx context.Context, from string, wire http.RoundTripper) (*Definition, error) {
	if strings.Contains(from, "://") {
		data, err := fetch(ctx, from, wire)
		if err != nil {
			return nil, err
		}
		d := &Definition{From: from, Data: data}
		_, d.Lost = definition.Beside(data, func(string) ([]byte, error) { return nil, fs.ErrNotExist })
		return d, nil
	}
	data, err := ownfile.Read(from, definition.MaxSize)
	if err != nil {
		return nil, client.Invalid("the definition cannot be read: %v", err)
	}
	d := &Definition{From: from, Data: data}
	d.Files, d.Lost = definition.Beside(data, func(name string) ([]byte, error) {
		return ownfile.Read(filepath.Join(filepath.Dir(from), filepath.FromSlash(name)), ownfile.Large)
	})
	return d, nil
}

// fetchTime bounds how long a definition may take to arrive.
const fetchTime = time.Minute

// fetch reads an address, without any credentials.
func fetch(ctx context.Context, from string, wire http.RoundTripper) ([]byte, error) {
	fail := func(format string, args ...any) ([]byte, error) {
		return nil, client.Invalid("the definition cannot be fetched: "+format, args...)
	}
	u, err := url.Parse(from)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fail("give an address that begins with https:// or http://, or the path of a file")
	}
	if u.User != nil {
		return fail("the address has credentials in it, which are not sent")
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fail("%v", err)
	}
	r.Header.Set("Accept", "application/yaml, application/json, */*;q=0.5")
	web := &http.Client{Transport: wire}
	resp, err := web.Do(r)
	if err != nil {
		return nil, client.Failf(client.ClassNetwork, "the definition cannot be fetched: %v", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fail("%s answered with status %d", u.Host, resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, definition.MaxSize+1))
	if err != nil {
		return nil, client.Failf(client.ClassNetwork, "the definition broke off: %v", err)
	}
	if strings.Contains(resp.Header.Get("Content-Type"), "html") {
		return fail("%s answered with a web page; give the address of the definition's YAML or JSON itself", u.Host)
	}
	return data, nil
}

// Plan is what an import would do.
type Plan struct {
	*definition.Result
	// Path is the connector file that it writes.
	Path string `json:"file"`
	// Known is set when the file is there already; Changes then says what is different in
	// the definition since, Kept what the person changed and keeps, one line each.
	Known   bool     `json:"known"`
	Changes []string `json:"changes,omitempty"`
	Kept    []string `json:"kept,omitempty"`
	// text is what is written, imported the form that is kept beside it.
	text, imported, choices []byte
	folder                  Folder
}

// Folder is the catalog folder of the settings.
type Folder struct {
	Dir string
	// Known is the catalog without the files of the folder: its kinds are not replaced.
	Known *catalog.Catalog
}

func (f Folder) file(name string) string     { return filepath.Join(f.Dir, name+".yaml") }
func (f Folder) imported(name string) string { return filepath.Join(f.Dir, "imported", name+".yaml") }
func (f Folder) choices(name string) string {
	return filepath.Join(f.Dir, "imported", name+".choices.yaml")
}

// Plan reads a definition and works out what to write. choices are those of a person;
// nil takes the ones of the last time.
func (f Folder) Plan(d *Definition, name string, choices map[string]definition.Choice) (*Plan, error) {
	o := definition.Options{Name: name, From: d.From, Files: d.Files, Choices: choices}
	result, err := definition.Import(d.Data, o)
	if err != nil && result == nil {
		return nil, client.Invalid("the definition cannot be imported: %v", err)
	}
	if name = result.Kind.Name; choices == nil {
		if old, err := ReadChoices(f.choices(name)); err == nil && len(old) > 0 {
			o.Choices = old
			result, err = definition.Import(d.Data, o)
			if err != nil && result == nil {
				return nil, client.Invalid("the definition cannot be imported: %v", err)
			}
		}
	}
	p := &Plan{Result: result, Path: f.file(name), folder: f}
	for _, lost := range d.Lost {
		p.Left = append(p.Left, fmt.Sprintf("the file %s, which the definition refers to, is not there: it must "+
			"lie beside the definition or below", lost))
	}
	if err != nil {
		return p, client.Invalid("the definition cannot be imported: %v", err)
	}
	if k, err := f.Known.Kind(name); err == nil && k.Name == name {
		return p, client.Invalid("%s is the name of a kind that patchbay has itself", name).
			Advise("Give the imported one another name with --as.")
	}
	p.imported = source.Write(result.Kind)
	if p.choices, err = encodeChoices(o.Choices); err != nil {
		return p, err
	}
	return p, p.merge()
}

// merge puts what is new together with what the person changed since the last import.
func (p *Plan) merge() error {
	name := p.Kind.Name
	mine, err := ownfile.Read(p.Path, ownfile.Large)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.text = append([]byte("# Imported by patchbay catalog import. What you change here stays when it is imported "+
			"again.\n"), p.imported...)
		return p.check()
	case err != nil:
		return client.Invalid("the connector file cannot be read: %v", err)
	}
	base, err := ownfile.Read(p.folder.imported(name), ownfile.Large)
	if err != nil {
		return client.Invalid("%s is there, and was not made by an import", p.Path).
			Advise("Give the imported kind another name with --as, or move the file away.")
	}
	p.Known = true
	p.text, p.Changes, p.Kept, err = definition.Merge(base, mine, p.imported)
	if err != nil {
		return client.Invalid("%s cannot be read: %v", p.Path, err)
	}
	return p.check()
}

// check holds the text against what connector files may say, before anything is written.
func (p *Plan) check() error {
	if len(p.text) > ownfile.Large {
		return client.Invalid("the kind would be larger than %d MiB; leave operations out with a mapping",
			ownfile.Large>>20)
	}
	kind, problems := source.Extend(p.folder.Known, p.Path, p.text)
	if len(problems) > 0 {
		return client.Invalid("what the definition says cannot be kept: %s", problems[:min(3, len(problems))].Error())
	}
	p.Kind = kind
	return nil
}

// Write keeps the kind: each file whole or not at all, the kind itself first.
func (p *Plan) Write() error {
	name := p.Kind.Name
	files := []struct {
		path string
		data []byte
	}{{p.Path, p.text}, {p.folder.imported(name), p.imported}, {p.folder.choices(name), p.choices}}
	for _, f := range files {
		if len(f.data) == 0 {
			if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return client.Misconfigured("the choices cannot be removed: %v", err)
			}
			continue
		}
		if err := wholefile.Write(f.path, f.data); err != nil {
			return client.Misconfigured("the kind cannot be written: %v", err)
		}
	}
	return nil
}

// choicesFile is a mapping file.
type choicesFile struct {
	Operations map[string]definition.Choice `yaml:"operations"`
}

// ReadChoices reads a mapping file: choices by an operation's method and path, or by its id.
func ReadChoices(path string) (map[string]definition.Choice, error) {
	data, err := ownfile.Read(path, ownfile.Large)
	if err != nil {
		return nil, client.Invalid("the mapping cannot be read: %v", err)
	}
	var c choicesFile
	f := strictyaml.Read(path, data)
	f.Decode(&c)
	if err := f.Err(); err != nil {
		return nil, client.Invalid("%v", err)
	}
	if c.Operations == nil {
		c.Operations = map[string]definition.Choice{}
	}
	return c.Operations, nil
}

func encodeChoices(choices map[string]definition.Choice) ([]byte, error) {
	if len(choices) == 0 {
		return nil, nil
	}
	return strictyaml.Encode(choicesFile{choices})
}

var isDefinition = regexp.MustCompile(`(?m)^[\s{]*["']?(openapi|swagger)["']?\s*:`)

// Open reads the kind of a connector file, or of a definition. known has the kinds that a
// connector file may extend.
func Open(ctx context.Context, file string, known *catalog.Catalog) (*catalog.Kind, error) {
	data, err := ownfile.Read(file, definition.MaxSize)
	if err != nil {
		return nil, client.Invalid("the kind cannot be read: %v", err)
	}
	if isDefinition.Match(data) {
		d, err := Read(ctx, file, nil)
		if err != nil {
			return nil, err
		}
		result, err := definition.Import(d.Data, definition.Options{From: file, Files: d.Files})
		if err != nil {
			return nil, client.Invalid("the definition cannot be imported: %v", err)
		}
		data = source.Write(result.Kind)
	}
	kind, problems := source.Extend(known, file, data)
	if len(problems) > 0 {
		return nil, client.Invalid("%s", problems.Error())
	}
	return kind, nil
}
