//go:build !(darwin || linux || netbsd || openbsd)

package wholefile_test

// limited tells that neither does something here.
const limited = false

func limitFiles(string) {}

func become(string) {}
