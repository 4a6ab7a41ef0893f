package ui

// Reasons why an action cannot be used now; "" when it can. Each says what to do about it.

func (m *Model) noRequest() string {
	if m.deps.Document != nil {
		return "this is a file: no service is asked; patchbay without a file opens the connectors"
	}
	return reason(!m.req.HasAction(), "choose an action first: 1 goes to the tree, ctrl+p searches the whole catalog")
}

// noPanes says why there is no other pane to go to, and no split to move.
func (m *Model) noPanes() string {
	return reason(m.deps.Document != nil, "beside a file stand no tree and no form")
}

func (m *Model) cannotRun() string {
	switch {
	case !m.req.HasAction():
		return m.noRequest()
	case m.req.Connector().ID == "" && !m.req.Connector().Local:
		return "this connector has no id, so it cannot be called"
	case m.deps.Session.ReadOnly && m.req.Action().Writes():
		return "profile " + m.deps.Session.Name + " is read-only, so " + m.req.Action().Name + " is refused"
	case m.req.Connector().Local && m.req.Action().HostedOnly:
		return m.req.Action().Name + " exists only in the hosted service; this connector is called directly"
	}
	return ""
}

func (m *Model) noEditor() string {
	if why := m.noRequest(); why != "" {
		return why
	}
	return reason(len(m.deps.Editor) == 0, "set EDITOR or VISUAL to use your editor")
}

func (m *Model) noAnswer() string {
	return reason(!m.res.HasAnswer(), "there is no answer yet: r runs the request")
}

func (m *Model) noSearch() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	return reason(!m.res.Searching(), "nothing is searched: / starts")
}

func (m *Model) noRecord() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	return reason(!m.res.HasRecords(), "the answer holds no records")
}

func (m *Model) noNextPage() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	if m.deps.Document != nil {
		return "this is a file: it has no pages"
	}
	return m.res.NoNext()
}

func (m *Model) noPreviousPage() string {
	if why := m.noAnswer(); why != "" {
		return why
	}
	return reason(!m.res.HasPrevious(), "this is the first page")
}
