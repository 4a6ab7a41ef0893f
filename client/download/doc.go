// Package download fetches files: into a store of bounded memory, on from where an
// earlier try stopped, and looks at what came: what it is, and what of it can be
// shown. It knows no screen.
package download
