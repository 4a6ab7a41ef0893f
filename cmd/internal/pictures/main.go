// Command pictures draws the screens that the README shows. It runs the real
// explorer on the built-in service with a fixed clock and writes one SVG file
// per scene, so that the same program always gives the same pictures. It wires the
// explorer as cli does, and must not import cli.
package main

import (
	_ "embed" // for script
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"

	"patchbay/client/strictyaml"
)

//go:generate go run . -o ../../../testdata/pictures

// scene is one picture: where the explorer is, and what is pressed.
type scene struct {
	// Name is that of the file; About says in words what the picture shows.
	Name  string `yaml:"name"`
	About string `yaml:"about"`
	Theme string `yaml:"theme"`
	W     int    `yaml:"w"`
	H     int    `yaml:"h"`
	// Place is reopened as by a later start; none is the first start.
	Place place `yaml:"place"`
	// Card leaves the card of the first start open.
	Card bool     `yaml:"card"`
	Keys []string `yaml:"keys"`
	// Shows are texts that must be on the screen.
	Shows []string `yaml:"shows"`
}

// place is an action of the demo workspace by the kind of its connector.
type place struct {
	Kind   string `yaml:"kind"`
	Entity string `yaml:"entity"`
	Action string `yaml:"action"`
}

// plan is what scenes.yaml holds: the scenes, and the kinds and views that they show.
type plan struct {
	Kinds  []string `yaml:"kinds"`
	Views  []string `yaml:"views"`
	Scenes []scene  `yaml:"scenes"`
}

//go:embed scenes.yaml
var script []byte

var planned = sync.OnceValue(func() (p plan) {
	f := strictyaml.Read("scenes.yaml", script)
	if f.Decode(&p); f.Err() != nil {
		panic(f.Err()) // it is part of the program
	}
	return p
})

func main() {
	dir := flag.String("o", "testdata/pictures", "folder to write to")
	flag.Parse()
	pictures, err := draw()
	if err == nil {
		err = write(*dir, pictures)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw draws every picture by the name of its file.
func draw() (map[string][]byte, error) {
	pictures := map[string][]byte{}
	for _, s := range planned().Scenes {
		picture, err := s.draw()
		if err != nil {
			return nil, fmt.Errorf("scene %s: %w", s.Name, err)
		}
		pictures[s.Name+".svg"] = picture
	}
	picture, err := gallery()
	pictures["themes.svg"] = picture
	return pictures, err
}

// draw runs the scene and returns its picture.
func (s scene) draw() ([]byte, error) {
	st, err := newStage(s)
	if err != nil {
		return nil, err
	}
	st.press(s.Keys...)
	if st.err != nil {
		return nil, st.err
	}
	view := st.model.View()
	text := ansi.Strip(view.Content)
	for _, want := range s.Shows {
		if !strings.Contains(text, want) {
			return nil, fmt.Errorf("the screen lacks %q:\n%s", want, text)
		}
	}
	return render(view, st.theme, s)
}

// write puts every picture into dir and removes those that are no longer drawn.
func write(dir string, pictures map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if pictures[filepath.Base(file)] == nil {
			err = errors.Join(err, os.Remove(file))
		}
	}
	for name, picture := range pictures {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), picture, 0o644))
	}
	return err
}
