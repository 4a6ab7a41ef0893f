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

// write draws every scene into dir and removes pictures of scenes that are
// gone. It touches nothing when a scene fails.
func write(dir string) error {
	pictures := make(map[string][]byte, len(scenes))
	for _, s := range scenes {
		picture, err := s.draw()
		if err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
		pictures[filepath.Join(dir, s.name+".svg")] = picture
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if pictures[file] != nil {
			continue
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	for file, picture := range pictures {
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}
