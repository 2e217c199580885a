-- Step 3. What people say. One word per person and question; a later one takes the place of the earlier.

CREATE TABLE labels (
  number INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  record INTEGER NOT NULL REFERENCES records,
  metric TEXT NOT NULL,
  part TEXT NOT NULL,
  unit TEXT,                      -- NULL for a grade or a pick: they are about the whole output
  person TEXT NOT NULL,
  label TEXT NOT NULL,
  qualifier TEXT,
  note TEXT NOT NULL,
  moment TEXT NOT NULL,           -- UTC, ISO 8601 with microseconds
  drawn_by TEXT CHECK (drawn_by IN ('disagreement', 'uncertainty', 'random')),
  probability REAL                -- with which a record like this one came to be labelled; NULL where nobody knows
);

-- No unit is a unit of its own here: NULLs would all differ. A number never equals a text.
CREATE UNIQUE INDEX label_key ON labels (run, person, record, metric, part, ifnull(unit, 0));
CREATE INDEX label_record ON labels (record);
