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
  cards INTEGER NOT NULL DEFAULT 0,      -- how many judged records it has
  labels INTEGER NOT NULL DEFAULT 0,     -- and labels of people
  preferences INTEGER NOT NULL DEFAULT 0,
  digest BLOB
);

-- A record that many runs judge is here once.
CREATE TABLE IF NOT EXISTS records (
  number INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  search_text TEXT NOT NULL,      -- id, system, query and output with all case folded
  body BLOB NOT NULL
);

-- A judged record is rows of four tables: cards, scores, units and labels. Columns named details hold as JSON what has
-- no column of its own, and texts that no column takes as they are: those with half a surrogate pair.

-- One row per judged record. It counts its rows in the other tables, so that a lost one is noticed.
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
  rank REAL NOT NULL,             -- what it is sorted by: goodness, with what has no score at its weakest_support or at worst
  judge TEXT NOT NULL,            -- all judges in one text
  flags TEXT NOT NULL,            -- JSON: the flags of all metrics, and the notices
  notices TEXT NOT NULL,          -- JSON: those of code alone
  facets TEXT NOT NULL,           -- JSON, like facts: values by name
  facts TEXT NOT NULL,
  claims INTEGER,                 -- that state a fact, each once for all metrics; NULL where no claim is labelled
  decided INTEGER NOT NULL,       -- of them
  at_fault INTEGER NOT NULL,      -- of them, by at least half of the labels that decide
  size_bytes INTEGER NOT NULL,    -- about what must be read to open the record
  metrics INTEGER NOT NULL,       -- how many rows it has in scores with author '', and with an author
  answers INTEGER NOT NULL,
  units INTEGER NOT NULL,
  labels INTEGER NOT NULL,        -- by judges
  details TEXT NOT NULL,          -- the exact total, the words of notices and facts
  digest BLOB NOT NULL
);

CREATE UNIQUE INDEX IF NOT EXISTS card_place ON cards (run, position);
-- No system is a system of its own here: NULLs would all differ. A number never equals a text.
CREATE UNIQUE INDEX IF NOT EXISTS card_key ON cards (run, record_id, ifnull(system, 0));
CREATE INDEX IF NOT EXISTS card_record ON cards (record);
CREATE INDEX IF NOT EXISTS card_item ON cards (run, item, position);
CREATE INDEX IF NOT EXISTS card_rank ON cards (run, rank, position);

-- One metric of one judged record by one author. Author '' is the score that counts. Where several judges or samples
-- answered, it is their mean, and each of the answers has a row of its own.
CREATE TABLE IF NOT EXISTS scores (
  card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
  run INTEGER NOT NULL REFERENCES runs,
  place INTEGER NOT NULL,         -- among the scores of the card: in the order of the rubric, then of the answers
  author TEXT NOT NULL,           -- a judge, or '' for the score that counts
  sample INTEGER NOT NULL,        -- which of the author's answers
  metric TEXT NOT NULL,
  status TEXT NOT NULL,
  score REAL,                     -- NULL, like the next four, where there is none
  raw REAL,                       -- before any cap or limit
  low REAL,                       -- the ends of the interval
  high REAL,
  goodness REAL,
  width REAL NOT NULL,            -- of the interval, as a share of the scale
  spread REAL NOT NULL,           -- between judges and samples, as a share of the scale
  weakest_support REAL,           -- the probability of the least supported claim, by a judge that gives one
  rank REAL NOT NULL,             -- goodness, else the weakest_support, else 0
  flags TEXT NOT NULL,            -- JSON
  labels TEXT NOT NULL,           -- a digest of the labelled texts and their labels
  reason TEXT NOT NULL,           -- why there is no score
  repairs TEXT NOT NULL,          -- JSON: what was mended in replies
  units TEXT NOT NULL,            -- JSON: the places of its units in the table of units
  replies TEXT NOT NULL,          -- JSON: its replies by number, counted over the texts of all scores of the card
  texts BLOB,                     -- packed JSON: those that no score before this one has
  details TEXT NOT NULL,          -- the exact score and how it is derived, and the facts it rests on
  digest BLOB NOT NULL,
  PRIMARY KEY (card, metric, author, sample)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS score_rank ON scores (run, metric, rank) WHERE author = '';

-- The stretches of text that were labelled: each once for a judged record, whoever labelled it.
CREATE TABLE IF NOT EXISTS units (
  card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
  place INTEGER NOT NULL,
  id TEXT NOT NULL,               -- by which labels name it; a judge that brings its own units may use it for another
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  begins INTEGER,                 -- in the output; NULL for a unit that is not cut from it
  ends INTEGER,
  context TEXT NOT NULL,          -- the place of a cell of a table
  weight TEXT NOT NULL,
  direction TEXT NOT NULL,
  details TEXT NOT NULL,          -- the sources of a written unit
  digest BLOB NOT NULL,
  PRIMARY KEY (card, place)
) WITHOUT ROWID;

-- What judges, code and people say. Of a person there is one row per question; a later one replaces the earlier.
CREATE TABLE IF NOT EXISTS labels (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  card INTEGER NOT NULL REFERENCES cards ON DELETE CASCADE,
  metric TEXT NOT NULL,
  is_person INTEGER NOT NULL,     -- whether the author is a person; a judge may have the same name
  author TEXT NOT NULL,           -- a person, or as in scores
  sample INTEGER NOT NULL,
  place INTEGER NOT NULL,         -- in the author's answer
  unit_place INTEGER,             -- of the unit in the table of units; of a judge's label
  kind TEXT NOT NULL,             -- label: of a unit; grade, pick or remark: on the whole output
  part TEXT NOT NULL,             -- of the metric
  unit TEXT,
  label TEXT NOT NULL,            -- the word, the level of a grade, or '' where details hold it
  qualifier TEXT,
  note TEXT NOT NULL,
  by TEXT NOT NULL,               -- judge, code, person, or the built-in judge where it settled a claim for another
  probability REAL,               -- of the best label, by a judge that gives one
  suspicion TEXT NOT NULL,
  details TEXT NOT NULL,          -- evidence, cited, pieces, fallen_from; chosen of a pick; fields, span of a remark
  moment TEXT,                    -- from here on of people: UTC, ISO 8601 with microseconds
  drawn_by TEXT CHECK (drawn_by IN ('disagreement', 'uncertainty', 'random')),
  digest BLOB
);

-- No unit is a unit of its own here, like no system above.
CREATE UNIQUE INDEX IF NOT EXISTS label_key ON labels (run, author, card, metric, part, ifnull(unit, 0))
  WHERE is_person = 1;
CREATE INDEX IF NOT EXISTS label_card ON labels (card);

-- Which of two systems' outputs on an item a person prefers. One row per question; a later one replaces the earlier.
CREATE TABLE IF NOT EXISTS preferences (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  item TEXT NOT NULL,
  first TEXT NOT NULL,            -- the systems in the order shown: left and right; '' is a record without a system
  second TEXT NOT NULL,
  choice TEXT NOT NULL,           -- first, second, tie or unsure
  person TEXT NOT NULL,
  metric TEXT NOT NULL,           -- '' for the outputs as a whole
  note TEXT NOT NULL,
  moment TEXT NOT NULL,           -- UTC, ISO 8601 with microseconds
  digest BLOB NOT NULL
);

CREATE UNIQUE INDEX IF NOT EXISTS preference_key
  ON preferences (run, person, item, metric, min(first, second), max(first, second));

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
