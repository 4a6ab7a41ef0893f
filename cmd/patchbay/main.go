// Command patchbay explores the connectors of an agent connector service in the terminal.
// Everything it does is in cmd/internal/cli, the only package of ours that it imports.
package main

import (
	"context"
	"os"

	"patchbay/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
