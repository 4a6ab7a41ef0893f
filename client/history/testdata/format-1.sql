-- A file of format 1, as the program wrote it that made this format.
BEGIN TRANSACTION;
CREATE TABLE bodies (
	run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
	body BLOB NOT NULL
);
INSERT INTO "bodies" VALUES(1,X'28B52FFD040035020002C40D14A05703BED1924E21911219FFBB6AB9B0BEFFBB08BBA3395FAA5886B9E5CA50FA841DB194DB0970A8758E92121FC9CF700B72657A6E010400E0C8CEE2761E961D261939AD9EB4');
INSERT INTO "bodies" VALUES(3,X'28B52FFD44009000BD0300C2030E16804900D08A3510066CFB6CFC92EC26EDFBD0A33D0102FFFFBFE75C6B8CADA5544A08BD597A80C4389A150858D49C6C1CAA045988C058251E2030434A0FFE52FAC2C727D95E58F4E4E58719BE94FB30D877A86F1CBD649A38A7608E2CEEB08538A7608F14E7308538B76038B255DCF2B0ECE0C91F37DED7');
CREATE TABLE runs (
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
INSERT INTO "runs" VALUES(1,1700000000123,'prod','payments','default','Payments EU','customers','list',200,'','',42000000,7000000,3,105,'prod
payments
default
payments eu

customers
list
{"limit":1.50,"q":"50%_off"}

','{"profile":"prod","kind":"payments","workspace":"default","name":"Payments EU"}','{"entity":"customers","action":"list","params":{"limit":1.50,"q":"50%_off"}}','{"shape":"data","records":{"From":8,"To":81},"records_path":"data","meta":{"From":89,"To":104},"meta_path":"meta","names":"wire","status":200,"content_type":"application/json","has_records":true,"same":true}','[{"n":1,"started":"0001-01-01T00:00:00Z","method":"POST","url":"https://x.example/execute","request_bytes":0,"status":200,"response_bytes":0,"total":40000000,"purpose":"call"}]','whole',83);
INSERT INTO "runs" VALUES(2,1700000001000,'prod','payments','default','Payments EU','customers','list',429,'rate_limited','Too many requests',0,0,0,0,'prod
payments
default
payments eu

customers
list
{"limit":1.50,"q":"50%_off"}
rate_limited
too many requests','{"profile":"prod","kind":"payments","workspace":"default","name":"Payments EU"}','{"entity":"customers","action":"list","params":{"limit":1.50,"q":"50%_off"}}','{"records":{"From":0,"To":0},"meta":{"From":0,"To":0}}','[]','none',0);
INSERT INTO "runs" VALUES(3,1700000000123,'prod','payments','default','Payments EU','customers','list',200,'','',42000000,7000000,50,1313,'prod
payments
default
payments eu

customers
list
{"limit":1.50,"q":"50%_off"}

','{"profile":"prod","kind":"payments","workspace":"default","name":"Payments EU"}','{"entity":"customers","action":"list","params":{"limit":1.50,"q":"50%_off"}}','{"shape":"data","records":{"From":8,"To":1289},"records_path":"data","meta":{"From":1297,"To":1312},"meta_path":"meta","names":"wire","status":200,"content_type":"application/json","has_records":true,"same":true}','[{"n":1,"started":"0001-01-01T00:00:00Z","method":"POST","url":"https://x.example/execute","request_bytes":0,"status":200,"response_bytes":0,"total":40000000,"purpose":"call"}]','start',134);
INSERT INTO "runs" VALUES(4,1700000000123,'prod','payments','default','Payments EU','customers','list',200,'','',42000000,7000000,5,153,'prod
payments
default
payments eu

customers
list
{"limit":1.50,"q":"50%_off"}

','{"profile":"prod","kind":"payments","workspace":"default","name":"Payments EU"}','{"entity":"customers","action":"list","params":{"limit":1.50,"q":"50%_off"}}','{"shape":"data","records":{"From":8,"To":129},"records_path":"data","meta":{"From":137,"To":152},"meta_path":"meta","names":"wire","status":200,"content_type":"application/json","has_records":true}','[{"n":1,"started":"0001-01-01T00:00:00Z","method":"POST","url":"https://x.example/execute","request_bytes":0,"status":200,"response_bytes":0,"total":40000000,"purpose":"call"}]','not',0);
CREATE INDEX runs_kind ON runs (kind, id);
COMMIT;
PRAGMA user_version = 1;
