BEGIN TRANSACTION;
CREATE TABLE agents (
	id INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	spec TEXT NOT NULL, 
	CONSTRAINT pk_agents PRIMARY KEY (id), 
	CONSTRAINT uq_agents_digest UNIQUE (digest)
);
INSERT INTO "agents" VALUES(1,'79a5478768d2447431a90f7f4549df735f50ad541371464c248abc7522dc3a01','human');
INSERT INTO "agents" VALUES(2,'a441b15fe9a3cf56661190a0b93b9dec7d04127288cc87250967cf3b52894d11','random');
CREATE TABLE checkpoints (
	run_id INTEGER NOT NULL, 
	step BIGINT NOT NULL, 
	header TEXT NOT NULL, 
	path TEXT, 
	data BLOB, 
	CONSTRAINT pk_checkpoints PRIMARY KEY (run_id, step), 
	CONSTRAINT fk_checkpoints_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);
INSERT INTO "checkpoints" VALUES(1,1,'{"kind":"linear"}',NULL,X'0001');
CREATE TABLE jobs (
	kind VARCHAR(20) NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	owner VARCHAR(64), 
	state VARCHAR(20) NOT NULL, 
	error TEXT, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_jobs PRIMARY KEY (kind, "key")
);
INSERT INTO "jobs" VALUES('training','1','f00','running',NULL,'2026-11-19 04:21:05.030706');
CREATE TABLE metrics (
	run_id INTEGER NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	step BIGINT NOT NULL, 
	value FLOAT NOT NULL, 
	CONSTRAINT pk_metrics PRIMARY KEY (run_id, name, step), 
	CONSTRAINT fk_metrics_run_id FOREIGN KEY(run_id) REFERENCES runs (id) ON DELETE CASCADE
);
INSERT INTO "metrics" VALUES(1,'loss',1,0.5);
CREATE TABLE plyground_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT plyground_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "plyground_version" VALUES('0005');
CREATE TABLE ratings (
	pool VARCHAR(200) NOT NULL, 
	game TEXT NOT NULL, 
	agent_id INTEGER NOT NULL, 
	rating FLOAT NOT NULL, 
	low FLOAT NOT NULL, 
	high FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY (pool, game, agent_id), 
	CONSTRAINT fk_ratings_agent_id FOREIGN KEY(agent_id) REFERENCES agents (id)
);
INSERT INTO "ratings" VALUES('spring','checkers',2,1000.0,900.0,1100.0,1);
CREATE TABLE records (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	digest VARCHAR(64) NOT NULL, 
	game_id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	start TEXT, 
	moves TEXT NOT NULL, 
	plies INTEGER NOT NULL, 
	winner TEXT, 
	reason TEXT, 
	seed BIGINT, 
	started TEXT, 
	headers TEXT, 
	analyses BLOB, 
	created DATETIME NOT NULL, 
	owner VARCHAR(64), public_id VARCHAR(22) DEFAULT '' NOT NULL, 
	CONSTRAINT uq_records_digest UNIQUE (digest)
);
INSERT INTO "records" VALUES(1,'a0f175e75fab0ed5e53e29d4c48f9eaaba9b5823cd33bc443144657f947e017a','checkers','checkers',NULL,'11-15
23-18',2,'white','resignation',-1,'2026-01-31T12:00:00+00:00','{"Event":"Caf\u00e9"}',NULL,'2026-11-19 04:21:05.010151','f00','4JltfSIw9h19Bid1');
INSERT INTO "records" VALUES(2,'f3894f3ca033b83ed195d5c9ac67a3a2bfa191e70e9e29480dff8770de207cdc','checkers','checkers',NULL,'11-15',1,NULL,NULL,NULL,NULL,NULL,NULL,'2026-11-19 04:21:05.017938',NULL,'BwGkPnFUqGbFEohZ');
CREATE TABLE reviews (
	id VARCHAR(40) NOT NULL, 
	record_id INTEGER NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	seconds FLOAT NOT NULL, 
	plies BLOB NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_reviews PRIMARY KEY (id), 
	CONSTRAINT fk_reviews_record_id FOREIGN KEY(record_id) REFERENCES records (id) ON DELETE CASCADE, 
	CONSTRAINT uq_reviews_record_id_owner UNIQUE (record_id, owner)
);
INSERT INTO "reviews" VALUES('r1',1,'f00',0.2,X'789C8BAE562AC8A954B232D051CACD2F4B55B2523234D4353455D2512A4BCC294D8DCFC92F2E06CAEA1999D6C60200220F0CFA','2026-11-19 04:21:05.034831');
CREATE TABLE runs (
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	method TEXT NOT NULL, 
	game TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	seed BIGINT NOT NULL, 
	created DATETIME NOT NULL, 
	finished DATETIME
);
INSERT INTO "runs" VALUES(1,'td','checkers','{"lambda":0.7}',1,'2026-11-19 04:21:05.022633',NULL);
CREATE TABLE scheduled_games (
	id INTEGER NOT NULL, 
	tournament_id INTEGER NOT NULL, 
	"key" VARCHAR(200) NOT NULL, 
	payload TEXT NOT NULL, 
	record_id INTEGER, 
	CONSTRAINT pk_scheduled_games PRIMARY KEY (id), 
	CONSTRAINT fk_scheduled_games_record_id FOREIGN KEY(record_id) REFERENCES records (id), 
	CONSTRAINT fk_scheduled_games_tournament_id FOREIGN KEY(tournament_id) REFERENCES tournaments (id) ON DELETE CASCADE, 
	CONSTRAINT uq_scheduled_games_tournament_id_key UNIQUE (tournament_id, "key")
);
INSERT INTO "scheduled_games" VALUES(1,1,'1','{"seed":1}',2);
INSERT INTO "scheduled_games" VALUES(2,1,'2','{"seed":2}',NULL);
CREATE TABLE seats (
	record_id INTEGER NOT NULL, 
	side TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	agent_id INTEGER NOT NULL, 
	CONSTRAINT pk_seats PRIMARY KEY (record_id, side), 
	CONSTRAINT fk_seats_agent_id FOREIGN KEY(agent_id) REFERENCES agents (id), 
	CONSTRAINT fk_seats_record_id FOREIGN KEY(record_id) REFERENCES records (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES(1,'black',0,1);
INSERT INTO "seats" VALUES(1,'white',1,2);
INSERT INTO "seats" VALUES(2,'black',0,2);
CREATE TABLE secrets (
	name VARCHAR(100) NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_secrets PRIMARY KEY (name)
);
CREATE TABLE shares (
	digest VARCHAR(64) NOT NULL, 
	visitor_game_id VARCHAR(40), 
	record_id INTEGER, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_shares PRIMARY KEY (digest), 
	CONSTRAINT fk_shares_visitor_game_id FOREIGN KEY(visitor_game_id) REFERENCES visitor_games (id) ON DELETE CASCADE, 
	CONSTRAINT fk_shares_record_id FOREIGN KEY(record_id) REFERENCES records (id) ON DELETE CASCADE
);
INSERT INTO "shares" VALUES('5a1e','abc',NULL,'2026-11-19 04:21:05.029012');
CREATE TABLE tags (
	record_id INTEGER NOT NULL, 
	tag VARCHAR(100) NOT NULL, 
	CONSTRAINT pk_tags PRIMARY KEY (record_id, tag), 
	CONSTRAINT fk_tags_record_id FOREIGN KEY(record_id) REFERENCES records (id) ON DELETE CASCADE
);
INSERT INTO "tags" VALUES(1,'first');
CREATE TABLE tournaments (
	id INTEGER NOT NULL, 
	name VARCHAR(200) NOT NULL, 
	game TEXT NOT NULL, 
	settings TEXT NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_tournaments PRIMARY KEY (id), 
	CONSTRAINT uq_tournaments_name UNIQUE (name)
);
INSERT INTO "tournaments" VALUES(1,'spring','checkers','{"games":2}','2026-11-19 04:21:05.015061');
CREATE TABLE visitor_games (
	id VARCHAR(40) NOT NULL, 
	owner VARCHAR(64) NOT NULL, 
	game TEXT NOT NULL, 
	is_watched BOOLEAN NOT NULL, 
	is_over BOOLEAN NOT NULL, 
	state TEXT NOT NULL, 
	record_id INTEGER, 
	created DATETIME NOT NULL, 
	updated DATETIME NOT NULL, version INTEGER DEFAULT '1' NOT NULL, 
	CONSTRAINT pk_visitor_games PRIMARY KEY (id), 
	CONSTRAINT fk_visitor_games_record_id FOREIGN KEY(record_id) REFERENCES records (id) ON DELETE SET NULL
);
INSERT INTO "visitor_games" VALUES('abc','f00','checkers',0,0,'{"moves":["11-15"]}',NULL,'2026-11-19 04:21:05.027914','2026-11-19 04:21:05.027914',1);
CREATE INDEX ix_records_created ON records (created);
CREATE INDEX ix_records_game_id_id ON records (game_id, id);
CREATE INDEX ix_records_owner_id ON records (owner, id);
CREATE INDEX ix_seats_agent_id ON seats (agent_id);
CREATE INDEX ix_tags_tag ON tags (tag);
CREATE INDEX ix_scheduled_games_record_id ON scheduled_games (record_id);
CREATE INDEX ix_visitor_games_owner_updated ON visitor_games (owner, updated);
CREATE INDEX ix_visitor_games_record_id ON visitor_games (record_id);
CREATE INDEX ix_shares_visitor_game_id ON shares (visitor_game_id);
CREATE INDEX ix_shares_record_id ON shares (record_id);
CREATE UNIQUE INDEX ix_records_public_id ON records (public_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('records',2);
INSERT INTO "sqlite_sequence" VALUES('runs',1);
COMMIT;
