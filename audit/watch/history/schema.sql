-- The memory over runs, version 1 (PRAGMA user_version). Times are UTC, in text as
-- "2026-11-22T06:00:00Z": it sorts as it reads. Numbers of runs rise with time.

-- One row for each run whose folder was complete when it was entered.
CREATE TABLE run (
  run       INTEGER PRIMARY KEY,
  id        TEXT NOT NULL UNIQUE,          -- of run.json: "20261122T060000Z"
  folder    TEXT NOT NULL,                 -- below the history's folder: "runs/20261122T060000Z"; "" = removed by retention
  schedule  TEXT NOT NULL DEFAULT '',      -- its name; "" = entered by hand
  started   TEXT NOT NULL,
  finished  TEXT NOT NULL,
  program   TEXT NOT NULL,                 -- version of the program
  sites     INTEGER NOT NULL,
  known     INTEGER NOT NULL,              -- known URLs
  blocked   INTEGER NOT NULL               -- blocked for at least one crawler
);
CREATE INDEX run_started ON run (started);

CREATE TABLE site (
  site INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE                -- as in the run's summary: "example.com", "http://example.com:8080"
);

CREATE TABLE crawler (
  crawler INTEGER PRIMARY KEY,
  label   TEXT NOT NULL UNIQUE             -- "Googlebot", "Googlebot@google-2019"
);

-- One row for each robots.txt that a site's own origin has served.
CREATE TABLE robots_version (
  version   INTEGER PRIMARY KEY,
  site      INTEGER NOT NULL REFERENCES site,
  sha256    TEXT NOT NULL,
  bytes     INTEGER NOT NULL,
  body      BLOB,                          -- NULL = the run kept no evidence
  first_run INTEGER NOT NULL REFERENCES run,
  last_run  INTEGER NOT NULL REFERENCES run,
  UNIQUE (site, sha256)
);

-- One row for each site of each run.
CREATE TABLE site_run (
  site    INTEGER NOT NULL REFERENCES site,
  run     INTEGER NOT NULL REFERENCES run,
  state   TEXT NOT NULL,                   -- ok, warn, critical, unknown
  answer  TEXT NOT NULL,                   -- class of robots.txt's answer: see the Answer constants
  status  INTEGER NOT NULL,                -- of the last hop; 0 = no answer
  code    TEXT NOT NULL,                   -- of trouble; "" = the body was read whole
  settled INTEGER NOT NULL,                -- 1: later runs are compared with this one; 0: robots.txt could not be had, or not so when asked again
  version INTEGER REFERENCES robots_version, -- NULL = no file
  known   INTEGER NOT NULL,
  blocked INTEGER NOT NULL,                -- for at least one crawler
  millis  INTEGER NOT NULL,                -- how long the site's audit took
  PRIMARY KEY (site, run)
) WITHOUT ROWID;
CREATE INDEX site_run_run ON site_run (run);

-- Blocked URLs of a site for one crawler, run by run.
CREATE TABLE blocked_count (
  site    INTEGER NOT NULL REFERENCES site,
  crawler INTEGER NOT NULL REFERENCES crawler,
  run     INTEGER NOT NULL REFERENCES run,
  blocked INTEGER NOT NULL,
  PRIMARY KEY (site, run, crawler)
) WITHOUT ROWID;

-- A stretch of runs in whose file of the site's own origin a rule stands. A rule that
-- went and came again has two.
CREATE TABLE rule_seen (
  site      INTEGER NOT NULL REFERENCES site,
  rule_id   TEXT NOT NULL,                 -- as in the workbooks
  first_run INTEGER NOT NULL REFERENCES run,
  gone_run  INTEGER REFERENCES run,        -- first one whose file lacks it; NULL = it still stands
  tokens    TEXT NOT NULL,                 -- of its group
  rule      TEXT NOT NULL,                 -- "disallow: /a"
  line      INTEGER NOT NULL,              -- in the version in which it came
  PRIMARY KEY (site, rule_id, first_run)
) WITHOUT ROWID;

-- What differs on a site from its run before, as comparisons tell it.
CREATE TABLE change (
  site      INTEGER NOT NULL REFERENCES site,
  run       INTEGER NOT NULL REFERENCES run,
  number    INTEGER NOT NULL,              -- within site and run, from 1
  kind      TEXT NOT NULL,
  what      TEXT NOT NULL,
  before    TEXT NOT NULL,
  after     TEXT NOT NULL,
  severity  TEXT NOT NULL,
  condition TEXT NOT NULL,                 -- "AL05"; "" = none
  PRIMARY KEY (site, run, number)
) WITHOUT ROWID;
CREATE INDEX change_kind ON change (kind, run);
CREATE INDEX change_run ON change (run);

CREATE TABLE flip_count (
  site          INTEGER NOT NULL REFERENCES site,
  crawler       INTEGER NOT NULL REFERENCES crawler,
  run           INTEGER NOT NULL REFERENCES run,
  newly_blocked INTEGER NOT NULL,
  newly_allowed INTEGER NOT NULL,
  now_unclear   INTEGER NOT NULL,
  clear_again   INTEGER NOT NULL,
  PRIMARY KEY (site, crawler, run)
) WITHOUT ROWID;
CREATE INDEX flip_count_run ON flip_count (run);

-- URLs of the important list that a crawler may not fetch, or might not: at most
-- 100,000 a site stand in it as blocked.
CREATE TABLE url_blocked (
  site      INTEGER NOT NULL REFERENCES site,
  url_id    TEXT NOT NULL,                 -- as in the workbooks
  crawler   INTEGER NOT NULL REFERENCES crawler,
  url       TEXT NOT NULL,
  since_run INTEGER NOT NULL REFERENCES run, -- first run of this stretch that found it blocked
  until_run INTEGER REFERENCES run,        -- first run that found it allowed again; NULL = it is blocked
  version   INTEGER REFERENCES robots_version, -- of since_run, where it lies on the site's own origin; NULL = none
  rule_id   TEXT NOT NULL,                 -- that decided then; "" = none
  rule      TEXT NOT NULL,
  line      INTEGER NOT NULL,
  PRIMARY KEY (site, url_id, crawler)
) WITHOUT ROWID;

-- What robots.txt answered when it was asked again after a run, before anybody was told.
CREATE TABLE confirmation (
  site   INTEGER NOT NULL REFERENCES site,
  run    INTEGER NOT NULL REFERENCES run,
  number INTEGER NOT NULL,                 -- of the try, from 2: the run's own is the first
  asked  TEXT NOT NULL,
  answer TEXT NOT NULL,
  status INTEGER NOT NULL,
  code   TEXT NOT NULL,
  same   INTEGER NOT NULL,                 -- 1: as in the run
  PRIMARY KEY (site, run, number)
) WITHOUT ROWID;

-- One condition on one site, from the first confirmed run until it ends.
CREATE TABLE alert (
  id        TEXT PRIMARY KEY,              -- stable: hash of site, condition and raised_run's id
  site      INTEGER NOT NULL REFERENCES site,
  condition TEXT NOT NULL,                 -- "AL01"
  severity  TEXT NOT NULL,                 -- as it was told last
  base_run  INTEGER REFERENCES run,        -- what it is compared with until it ends; NULL = there was none before
  raised_run INTEGER NOT NULL REFERENCES run,
  since     TEXT NOT NULL,                 -- start of raised_run
  ended_run INTEGER REFERENCES run,        -- NULL = it holds
  ended     TEXT,
  subjects  TEXT NOT NULL,                 -- what it is about, a JSON array of texts, as it was told last
  urls      INTEGER NOT NULL,              -- known URLs it concerns, as it was told last
  text      TEXT NOT NULL                  -- as it was told last
) WITHOUT ROWID;
CREATE UNIQUE INDEX alert_open ON alert (site, condition) WHERE ended_run IS NULL;

CREATE TABLE acknowledgement (
  alert TEXT NOT NULL REFERENCES alert,
  at    TEXT NOT NULL,
  until TEXT NOT NULL,
  note  TEXT NOT NULL,
  accepted INTEGER NOT NULL DEFAULT 0,     -- 1: it is as it should be, and the alert ends
  PRIMARY KEY (alert, at)
) WITHOUT ROWID;

-- What is to be told to whom: entered before it is tried, marked when it was accepted.
CREATE TABLE delivery (
  id       TEXT PRIMARY KEY,               -- stable: hash of channel, run's id and what is told
  run      INTEGER NOT NULL REFERENCES run,
  channel  TEXT NOT NULL,                  -- its name in the configuration: "mail 1", "webhook 2", "file 1"
  message  TEXT NOT NULL,                  -- JSON: see package alert
  entered  TEXT NOT NULL,
  tries    INTEGER NOT NULL DEFAULT 0,
  next     TEXT NOT NULL,                  -- not to be tried before
  accepted TEXT,                           -- NULL = not yet
  given_up TEXT,                           -- after 24 h; told in the next report
  told     INTEGER NOT NULL DEFAULT 0,     -- 1: that it was given up has been told
  error    TEXT NOT NULL DEFAULT ''        -- of the last try
) WITHOUT ROWID;
CREATE INDEX delivery_open ON delivery (next) WHERE accepted IS NULL AND given_up IS NULL;

-- Notes that people wrote into the column "Owner note" of a workbook.
CREATE TABLE note (
  site INTEGER NOT NULL REFERENCES site,
  kind TEXT NOT NULL,                      -- "url", "rule", "finding": what row_id names
  row_id TEXT NOT NULL,                    -- url_id, rule_id, ...
  note TEXT NOT NULL,                      -- "" = it was taken out
  run  INTEGER NOT NULL REFERENCES run,    -- whose workbook it was read from last
  PRIMARY KEY (site, kind, row_id)
) WITHOUT ROWID;
