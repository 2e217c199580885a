-- Step 1. Columns declared TEXT hold bytes where a text has lone surrogates, which SQLite's text can't have.

CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,          -- UTC, ISO 8601 with microseconds: sorts by time
  finished TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'stopped')),
  rubric_id TEXT NOT NULL,
  rubric_digest TEXT NOT NULL,
  rubric_text BLOB NOT NULL,
  judges BLOB NOT NULL,           -- JSON
  parameters BLOB NOT NULL,       -- JSON
  code_version TEXT NOT NULL,
  records_source TEXT NOT NULL,
  record_count INTEGER
);

CREATE TABLE usage (
  run INTEGER PRIMARY KEY REFERENCES runs,
  calls INTEGER NOT NULL,
  cache_hits INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  cost_picodollars INTEGER NOT NULL,
  unpriced_calls INTEGER NOT NULL
);

-- A record that many runs, judges and samples judge is here once.
CREATE TABLE records (
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  body BLOB NOT NULL
);

CREATE TABLE cards (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  position INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES records,
  record_id TEXT NOT NULL,
  system TEXT,
  judge TEXT NOT NULL,
  sample INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  body BLOB NOT NULL
);

-- No system is a system of its own here: NULLs would all differ. A number never equals a text.
CREATE UNIQUE INDEX card_key ON cards (run, record_id, judge, sample, ifnull(system, 0));
CREATE INDEX card_order ON cards (run, position, judge, sample);
CREATE INDEX card_record ON cards (record);

CREATE TABLE replies (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  text BLOB NOT NULL,
  finish_reason TEXT NOT NULL,
  prompt_tokens INTEGER,
  completion_tokens INTEGER,
  model TEXT NOT NULL,
  dropped BLOB NOT NULL           -- JSON
);

CREATE TABLE reply_uses (
  run INTEGER NOT NULL REFERENCES runs,
  record_id TEXT NOT NULL,
  ask TEXT NOT NULL,
  sample INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  reply INTEGER NOT NULL REFERENCES replies,
  PRIMARY KEY (run, record_id, ask, sample, attempt, reply)
) WITHOUT ROWID;

CREATE INDEX reply_use ON reply_uses (reply);

CREATE TABLE banks (
  number INTEGER PRIMARY KEY,
  rubric TEXT NOT NULL,
  bank TEXT NOT NULL,
  source TEXT NOT NULL,
  digest BLOB NOT NULL,           -- of the units: an edited bank stands beside the first one
  units BLOB NOT NULL,
  UNIQUE (rubric, bank, source, digest)
);

CREATE TABLE bank_uses (
  run INTEGER NOT NULL REFERENCES runs,
  bank INTEGER NOT NULL REFERENCES banks,
  PRIMARY KEY (run, bank)
) WITHOUT ROWID;

CREATE INDEX bank_use ON bank_uses (bank);

-- Work that must be done even if the process that began it did not live to do it.
CREATE TABLE chores (name TEXT PRIMARY KEY) WITHOUT ROWID;
