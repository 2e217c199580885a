-- Step 2. What lists of records are sorted and filtered by. All of it can be derived from the cards again.

CREATE TABLE entries (
  run INTEGER NOT NULL REFERENCES runs,
  position INTEGER NOT NULL,
  record INTEGER NOT NULL REFERENCES records,
  record_id TEXT NOT NULL,
  system TEXT,
  item TEXT NOT NULL,
  goodness REAL,                  -- of the total
  scored INTEGER NOT NULL,
  asked INTEGER NOT NULL,
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

CREATE INDEX entry_order ON entries (run, goodness, position);
CREATE INDEX entry_record ON entries (record);

CREATE TABLE marks (
  run INTEGER NOT NULL REFERENCES runs,
  metric TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL,
  score REAL,
  goodness REAL,
  width REAL NOT NULL,            -- of the interval, as a share of the scale
  spread REAL NOT NULL,           -- of goodness, between judges and samples
  flags TEXT NOT NULL,            -- one per line
  PRIMARY KEY (run, position, metric)
) WITHOUT ROWID;

CREATE INDEX mark_order ON marks (run, metric, goodness, position);
CREATE INDEX mark_status ON marks (run, status, metric, position);

-- Flags of any metric, and what code noticed with no judge.
CREATE TABLE entry_flags (
  run INTEGER NOT NULL REFERENCES runs,
  flag TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (run, flag, position)
) WITHOUT ROWID;

CREATE TABLE entry_facets (
  run INTEGER NOT NULL REFERENCES runs,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (run, name, value, position)
) WITHOUT ROWID;

-- Id, system, query and output of a record with all case folded: what a search looks through.
CREATE TABLE texts (
  record INTEGER PRIMARY KEY REFERENCES records,
  text TEXT NOT NULL
);

INSERT INTO chores SELECT 'list' WHERE EXISTS (SELECT 1 FROM cards);
