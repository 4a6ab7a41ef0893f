// Command pictures draws the screens that the README shows. It runs the real
// explorer on the built-in service with a fixed clock and writes one SVG file
// per scene, so that the same program always gives the same pictures.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:generate go run . -o ../../../testdata/pictures

func main() {
	dir := flag.String("o", "testdata/pictures", "folder to write to")
	flag.Parse()
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw draws every picture by the name of its file.
func draw() (map[string][]byte, error) {
	pictures := make(map[string][]byte, len(scenes)+1)
	for _, s := range scenes {
		picture, err := s.draw()
		if err != nil {
			return nil, fmt.Errorf("scene %s: %w", s.name, err)
		}
		pictures[s.name+".svg"] = picture
	}
	picture, err := gallery()
	pictures["themes.svg"] = picture
	return pictures, err
}

// write puts every picture into dir and removes those that are no longer
// drawn. It touches nothing when a scene fails.
func write(dir string) error {
	pictures, err := draw()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if pictures[filepath.Base(file)] != nil {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for name, picture := range pictures {
		if err := os.WriteFile(filepath.Join(dir, name), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}
