-- Columns named body hold packed JSON (see codec.py). Columns named digest cover the other columns of their row (see
-- digests.py), except in records and banks, where they are that of the content.

CREATE TABLE IF NOT EXISTS runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  started TEXT NOT NULL,          -- UTC, ISO 8601 with microseconds: sorts by time
  finished TEXT,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'stopped')),
  body BLOB NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  cache_hits INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0,
  completion_tokens INTEGER NOT NULL DEFAULT 0,
  picodollars INTEGER NOT NULL DEFAULT 0,
  unpriced_calls INTEGER NOT NULL DEFAULT 0,
  cached_tokens INTEGER NOT NULL DEFAULT 0,      -- of the prompts, read from the provider's cache
  written_tokens INTEGER NOT NULL DEFAULT 0,     -- and written to it
  cards INTEGER NOT NULL DEFAULT 0,      -- how many rows the run has in these tables
  labels INTEGER NOT NULL DEFAULT 0,
  digest BLOB
);

-- A record that many runs judge is here once.
CREATE TABLE IF NOT EXISTS records (
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  search_text TEXT NOT NULL,      -- id, system, query and output with all case folded
  body BLOB NOT NULL
);

-- One row per judged record, with what lists and a resumed run need. The scorecard is in bodies, so that lists stay
-- small enough to be read quickly.
CREATE TABLE IF NOT EXISTS cards (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  position INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES records,
  record_id TEXT NOT NULL,
  system TEXT,
  item TEXT NOT NULL,
  failed INTEGER NOT NULL,
  goodness REAL,                  -- of the total; NULL where nothing is scored
  scored INTEGER NOT NULL,        -- of its metrics
  asked INTEGER NOT NULL,
  rank REAL NOT NULL,             -- what it is sorted by: goodness, with what has no score at its estimate or at worst
  flags TEXT NOT NULL,            -- JSON: the flags of all metrics, and the notices
  facets TEXT NOT NULL,           -- JSON
  size_bytes INTEGER NOT NULL,    -- about what must be unpacked to open the record
  metrics INTEGER NOT NULL,       -- how many rows it has in scores
  digest BLOB NOT NULL
);

-- One metric of one judged record, its judges and samples combined.
CREATE TABLE IF NOT EXISTS scores (
  card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
  run INTEGER NOT NULL REFERENCES runs,
  place INTEGER NOT NULL,         -- in the order of the rubric
  metric TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,                     -- NULL, like the next four, where there is none
  raw REAL,                       -- before any cap or limit
  low REAL,                       -- the ends of the interval
  high REAL,
  goodness REAL,
  width REAL NOT NULL,            -- of the interval, as a share of the scale
  spread REAL NOT NULL,           -- between judges and samples, as a share of the scale
  estimate REAL,                  -- the probability of the least supported claim, by a judge that gives one
  rank REAL NOT NULL,             -- goodness, else the estimate, else 0
  flags TEXT NOT NULL,            -- JSON
  labels TEXT NOT NULL,           -- a digest of the labelled texts and their labels
  digest BLOB NOT NULL,
  PRIMARY KEY (card, metric)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS score_rank ON scores (run, metric, rank);

CREATE UNIQUE INDEX IF NOT EXISTS card_place ON cards (run, position);
-- No system is a system of its own here: NULLs would all differ. A number never equals a text.
CREATE UNIQUE INDEX IF NOT EXISTS card_key ON cards (run, record_id, ifnull(system, 0));
CREATE INDEX IF NOT EXISTS card_record ON cards (record);
CREATE INDEX IF NOT EXISTS card_rank ON cards (run, rank, position);

-- The scorecard with the answers of all judges and samples.
CREATE TABLE IF NOT EXISTS bodies (
  card INTEGER PRIMARY KEY REFERENCES cards ON DELETE CASCADE,
  body BLOB NOT NULL,
  digest BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS replies (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  body BLOB NOT NULL,
  digest BLOB NOT NULL
);

CREATE TABLE IF NOT EXISTS reply_uses (
  run INTEGER NOT NULL REFERENCES runs,
  record_id TEXT NOT NULL,
  ask TEXT NOT NULL,
  sample INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  reply INTEGER NOT NULL REFERENCES replies,
  PRIMARY KEY (run, record_id, ask, sample, attempt, reply)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS reply_use ON reply_uses (reply);

CREATE TABLE IF NOT EXISTS banks (
  number INTEGER PRIMARY KEY,
  rubric TEXT NOT NULL,
  bank TEXT NOT NULL,
  source TEXT NOT NULL,
  digest BLOB NOT NULL,           -- of the units: an edited bank stands beside the first one
  units BLOB NOT NULL,
  UNIQUE (rubric, bank, source, digest)
);

CREATE TABLE IF NOT EXISTS bank_uses (
  run INTEGER NOT NULL REFERENCES runs,
  bank INTEGER NOT NULL REFERENCES banks,
  PRIMARY KEY (run, bank)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS bank_use ON bank_uses (bank);

-- People's labels: one per person and question; a later one replaces the earlier.
CREATE TABLE IF NOT EXISTS labels (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  card INTEGER NOT NULL REFERENCES cards,
  metric TEXT NOT NULL,
  part TEXT NOT NULL,
  unit TEXT,                      -- NULL for a grade or a pick: they are about the whole output
  person TEXT NOT NULL,
  label TEXT NOT NULL,
  qualifier TEXT,
  note TEXT NOT NULL,
  moment TEXT NOT NULL,           -- UTC, ISO 8601 with microseconds
  drawn_by TEXT CHECK (drawn_by IN ('disagreement', 'uncertainty', 'random')),
  probability REAL,               -- with which a record like this one came to be labelled; NULL where nobody knows
  digest BLOB
);

-- No unit is a unit of its own here, like no system above.
CREATE UNIQUE INDEX IF NOT EXISTS label_key ON labels (run, person, card, metric, part, ifnull(unit, 0));
CREATE INDEX IF NOT EXISTS label_card ON labels (card);

-- People who say that their labels of a run are complete. From then on they are closed.
CREATE TABLE IF NOT EXISTS finished_people (
  run INTEGER NOT NULL REFERENCES runs,
  person TEXT NOT NULL,
  moment TEXT NOT NULL,           -- UTC, ISO 8601 with microseconds
  PRIMARY KEY (run, person)
) WITHOUT ROWID;

-- A batch is here before it is submitted. What its requests say is not: the walk writes them again from the records.
CREATE TABLE IF NOT EXISTS batches (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  judge TEXT NOT NULL,
  token TEXT NOT NULL UNIQUE,     -- begins the custom id of each of its requests
  count INTEGER NOT NULL,
  planned TEXT NOT NULL,          -- UTC, ISO 8601 with microseconds
  identifier TEXT                 -- the provider's; NULL while it is not known to have been submitted
);

CREATE INDEX IF NOT EXISTS batch_run ON batches (run);

CREATE TABLE IF NOT EXISTS batch_requests (
  key TEXT NOT NULL,
  batch INTEGER NOT NULL REFERENCES batches ON DELETE CASCADE,
  failed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (key, batch)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS batch_request ON batch_requests (batch);

-- The agreement of a judge with people; the last one measured.
CREATE TABLE IF NOT EXISTS agreements (
  judge TEXT NOT NULL,
  rubric_digest TEXT NOT NULL,
  metric TEXT NOT NULL,
  body BLOB NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (judge, rubric_digest, metric)
) WITHOUT ROWID;

-- Work that must be done even if the process that began it did not live to do it.
CREATE TABLE IF NOT EXISTS chores (name TEXT PRIMARY KEY) WITHOUT ROWID;
