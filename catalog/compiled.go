package catalog

// Compile turns kinds into the form that is embedded in the program.
func Compile(kinds []*Kind) []byte { return nil }
