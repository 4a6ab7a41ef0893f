//go:build !unix

package cli

// noSuspend says why the program cannot be suspended: the framework knows whether it can.
func noSuspend() string { return "" }
