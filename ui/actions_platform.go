package ui

// platformActions are the actions on connectors, profiles, records' references,
// past runs and saved calls.
func platformActions() []action {
	rows := []action{
		{ID: "request.choose", In: inRequest, Keys: []string{"ctrl+o"}, Label: "choose id", Help: "Choose the id from the records of the entity that the field refers to", Typing: true,
			Disabled: (*Model).noReferenceHere, Do: (*Model).openIDs},
	}
	for _, s := range []scope{inTable, inRecord} {
		rows = append(rows,
			action{ID: string(s) + ".follow", In: s, Keys: []string{"F"}, Label: "follow", Help: "Go to the record that a field of this one refers to", Footer: 6,
				Disabled: (*Model).noReference, Do: (*Model).follow},
			action{ID: string(s) + ".actions", In: s, Keys: []string{"x"}, Label: "actions", Help: "List the actions that take this record, filled in", Footer: 7,
				Disabled: (*Model).noRecord, Do: (*Model).openRecordThing})
	}
	return rows
}
