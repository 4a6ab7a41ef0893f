package ui

// platformActions are the actions on connectors, profiles, records' references,
// past runs and saved calls.
func platformActions() []action {
	rows := []action{
		{ID: "request.choose", In: inRequest, Keys: []string{"ctrl+o"}, Label: "choose id", Help: "Choose the id from the records of the entity that the field refers to", Typing: true,
			Disabled: (*Model).noReferenceHere, Do: (*Model).openIDs},
	}
	rows = append(rows, connectorActions()...)
	rows = append(rows, keptActions()...)
	for _, s := range []scope{inTable, inRecord} {
		rows = append(rows,
			action{ID: string(s) + ".follow", In: s, Keys: []string{"F"}, Label: "follow", Help: "Go to the record that a field of this one refers to", Footer: 6,
				Disabled: (*Model).noReference, Do: (*Model).follow},
			action{ID: string(s) + ".actions", In: s, Keys: []string{"x"}, Label: "actions", Help: "List the actions that take this record, filled in", Footer: 7,
				Disabled: (*Model).noRecord, Do: (*Model).openRecordThing})
	}
	return rows
}

func connectorActions() []action {
	return []action{
		{ID: "connector.add", In: inTree, Keys: []string{"a"}, Label: "add", Help: "Add a connector: through the service, by its id, or called directly", Footer: 4,
			Do: (*Model).openAdd},
		{ID: "connector.check", In: inTree, Keys: []string{"C"}, Label: "check", Help: "Check the connector under the cursor, or everything: network, token, credentials", Footer: 5,
			Disabled: (*Model).noExamine, Do: (*Model).openCheck},
		{ID: "check.all", In: inAny, Label: "check all", Help: "Check everything: settings, network, token, every connector",
			Disabled: (*Model).noExamine, Do: (*Model).openCheckAll},
		{ID: "connector.delete", In: inTree, Keys: []string{"D"}, Label: "delete", Help: "Delete the connector under the cursor, after asking",
			Disabled: (*Model).noDelete, Do: (*Model).openDelete},
		{ID: "organization", In: inAny, Label: "organization", Help: "Choose the organization that calls are made in",
			Disabled: (*Model).noOrganizations, Do: (*Model).openOrganizations},
		{ID: "signin", In: inAny, Label: "sign in", Help: "Sign in to a service with client id and secret",
			Disabled: (*Model).noSignIn, Do: (*Model).openSignIn},
	}
}

func keptActions() []action {
	return []action{
		{ID: "explain", In: inResponse, Keys: []string{"W"}, Label: "explain", Help: "Say why a search found this record, or which condition empties the result",
			Disabled: (*Model).noExplain, Do: (*Model).explain},
		{ID: "history", In: inAny, Yields: true, Keys: []string{"H", "ctrl+y"}, Label: "history", Help: "Search past runs, open their answers again, compare two",
			Disabled: (*Model).noHistory, Do: (*Model).openHistory},
		{ID: "saved", In: inAny, Yields: true, Keys: []string{"S"}, Label: "saved calls", Help: "List the saved calls and run one",
			Disabled: (*Model).noSaved, Do: (*Model).openSaved},
		{ID: "save", In: inAny, Keys: []string{"ctrl+s"}, Label: "save call", Help: "Save the call in the form under a name", Typing: true,
			Disabled: (*Model).noSave, Do: (*Model).openSave},
	}
}
