-- Text that is searched stands in words, in small letters.
CREATE TABLE IF NOT EXISTS runs (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	started INTEGER NOT NULL,
	profile TEXT NOT NULL, kind TEXT NOT NULL, workspace TEXT NOT NULL, connector TEXT NOT NULL,
	entity TEXT NOT NULL, action TEXT NOT NULL,
	status INTEGER NOT NULL, class TEXT NOT NULL, message TEXT NOT NULL,
	took INTEGER NOT NULL, server_took INTEGER NOT NULL,
	rows INTEGER NOT NULL, size INTEGER NOT NULL,
	words TEXT NOT NULL,
	target TEXT NOT NULL, operation TEXT NOT NULL, envelope TEXT NOT NULL, attempts TEXT NOT NULL,
	kept TEXT NOT NULL, stored INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_kind ON runs (kind, id);
CREATE TABLE IF NOT EXISTS bodies (
	run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
	body BLOB NOT NULL
);
PRAGMA user_version = 1;
