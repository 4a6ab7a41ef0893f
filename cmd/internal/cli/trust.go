package cli

import (
	"strings"

	"patchbay/client"
	"patchbay/client/saved"
)

// trust remembers which files of working folders may run.
func (a *app) trust() saved.Trust {
	t := saved.Trust{Now: a.Now}
	if a.FoldersErr == nil {
		t.Path = a.Folders.Trusted()
	}
	return t
}

// doubt says why the file of a call needs a look before it is run; empty where it
// does not, or had one.
func (a *app) doubt(c *saved.Call) string {
	if !c.Foreign() {
		return ""
	}
	why := c.Doubtful(a.Kinds())
	if why == "" || a.trust().Has(c) {
		return ""
	}
	return why
}

// trusts refuses a call of a folder that may be somebody else's until the person
// looked at its file, which is shown.
func (a *app) trusts(c *saved.Call, yes bool) error {
	why := a.doubt(c)
	switch {
	case why == "":
		return nil
	case yes:
		if err := a.trust().Add(c); err != nil {
			a.say("It is not remembered that %s is trusted: %v", c.Path, err)
		}
		return nil
	}
	a.say("%s:", c.Path)
	for line := range strings.Lines(string(c.Content)) {
		a.say("    %s", strings.TrimRight(line, "\r\n"))
	}
	return client.Failf(client.ClassRefused, "%s is a file of this folder that you did not trust yet, and %s", c.Path,
		why).
		Advise("Read it above. --trust lets it run as it stands, now and later; when it changes, you are asked again.")
}
