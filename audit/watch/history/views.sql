-- The views over the tables: made anew whenever a history is opened to be written, so
-- that they change without a migration. Each column stands on a line of its own with
-- what it means: "robots-audit help history" prints them. CROSS JOIN has SQLite look up
-- the runs first, so that what is asked of the last days does not read all years.

-- One row for each run that was entered.
CREATE VIEW runs AS SELECT
  id AS run,                        -- "20261122T060000Z"
  schedule,                         -- its name; "" = entered by hand
  started,                          -- UTC, "2026-11-22T06:00:00Z", as all times
  finished,                         -- likewise
  program,                          -- version of robots-audit
  sites,                            -- how many
  known,                            -- known URLs
  blocked,                          -- known URLs blocked for at least one crawler
  folder                            -- below the history's folder; "" = removed by retention
FROM run;

-- One row for each site, with what its newest run says.
CREATE VIEW sites AS SELECT
  s.name AS site,                   -- "example.com"
  r.id AS run,                      -- its newest one
  r.started AS started,             -- start of that run
  l.state AS state,                 -- ok, warn, critical, unknown
  l.answer AS answer,               -- to the request for robots.txt: see site_runs
  l.known AS known,                 -- known URLs
  l.blocked AS blocked              -- known URLs blocked for at least one crawler
FROM site s
JOIN site_run l ON l.site = s.site AND l.run = (SELECT max(run) FROM site_run WHERE site = s.site)
JOIN run r ON r.run = l.run;

-- One row for each site of each run.
CREATE VIEW site_runs AS SELECT
  s.name AS site,                   -- "example.com"
  r.id AS run,                      -- "20261122T060000Z"
  r.started AS started,             -- start of the run
  l.state AS state,                 -- ok, warn, critical, unknown
  l.answer AS answer,               -- to the request for robots.txt: 200, empty, html, binary, 3xx, 4xx, 429, 5xx, unreachable, not asked
  l.status AS status,               -- of HTTP; 0 = no answer
  l.code AS code,                   -- of trouble; "" = the body was read whole
  l.settled AS settled,             -- 1: later runs are compared with this one
  v.sha256 AS sha256,               -- of robots.txt; NULL = no file
  l.known AS known,                 -- known URLs
  l.blocked AS blocked,             -- known URLs blocked for at least one crawler
  l.millis / 1000.0 AS seconds      -- how long the site's audit took
FROM site s
JOIN site_run l ON l.site = s.site
JOIN run r ON r.run = l.run
LEFT JOIN robots_version v ON v.version = l.version;

-- One row for each crawler of each site of each run, if its reading of robots.txt is known.
CREATE VIEW blocked_counts AS SELECT
  s.name AS site,                   -- "example.com"
  c.label AS crawler,               -- "Googlebot"
  r.id AS run,                      -- "20261122T060000Z"
  r.started AS started,             -- start of the run
  l.known AS known,                 -- known URLs
  b.blocked AS blocked              -- known URLs blocked for this crawler
FROM site s
JOIN blocked_count b ON b.site = s.site
JOIN crawler c ON c.crawler = b.crawler
JOIN run r ON r.run = b.run
JOIN site_run l ON l.site = b.site AND l.run = b.run;

-- One row for each robots.txt that a site has served.
CREATE VIEW robots_versions AS SELECT
  s.name AS site,                   -- "example.com"
  f.started AS first_seen,          -- start of the first run that found it
  t.started AS last_seen,           -- start of the last one
  v.sha256 AS sha256,               -- of the file
  v.bytes AS bytes,                 -- of the file
  v.body AS body,                   -- the file; NULL = it was not kept
  f.id AS first_run,                -- "20261122T060000Z"
  t.id AS last_run                  -- likewise
FROM site s
JOIN robots_version v ON v.site = s.site
JOIN run f ON f.run = v.first_run
JOIN run t ON t.run = v.last_run;

-- One row for each period in which a rule was in a site's robots.txt.
CREATE VIEW rules AS SELECT
  s.name AS site,                   -- "example.com"
  f.started AS came,                -- start of the first run that found it
  g.started AS gone,                -- start of the first run whose file lacks it; NULL = it is still there
  n.tokens AS tokens,               -- of its group: "googlebot, bingbot"
  n.rule AS rule,                   -- "disallow: /a"
  n.line AS line,                   -- when it came
  n.rule_id AS rule_id,             -- as in the workbooks
  f.id AS came_run,                 -- "20261122T060000Z"
  g.id AS gone_run                  -- likewise; NULL = it is still there
FROM site s
JOIN rule_seen n ON n.site = s.site
JOIN run f ON f.run = n.first_run
LEFT JOIN run g ON g.run = n.gone_run;

-- One row for each fact that differs between a run of a site and the one before.
CREATE VIEW changes AS SELECT
  s.name AS site,                   -- "example.com"
  r.id AS run,                      -- the newer one
  r.started AS started,             -- start of that run
  h.kind AS kind,                   -- "status", "rules", "ai_policy", …: as in changes.json
  h.what AS what,                   -- "https://example.com/robots.txt"
  h.before AS before,               -- in words
  h.after AS after,                 -- in words
  h.severity AS severity,           -- critical, high, medium, info
  h.condition AS condition,         -- of an alert: "AL05"; "" = none
  h.number AS number                -- within site and run
FROM run r
CROSS JOIN change h ON h.run = r.run
JOIN site s ON s.site = h.site;

-- One row for each crawler with newly blocked or newly allowed URLs of a site between two runs.
CREATE VIEW flips AS SELECT
  s.name AS site,                   -- "example.com"
  c.label AS crawler,               -- "Googlebot"
  r.id AS run,                      -- the newer one
  r.started AS started,             -- start of that run
  f.newly_blocked AS newly_blocked, -- known URLs
  f.newly_allowed AS newly_allowed, -- known URLs
  f.now_unclear AS now_unclear,     -- known URLs
  f.clear_again AS clear_again      -- known URLs
FROM run r
CROSS JOIN flip_count f ON f.run = r.run
JOIN site s ON s.site = f.site
JOIN crawler c ON c.crawler = f.crawler;

-- One row for each URL of the important list and each crawler that it is or was blocked for.
CREATE VIEW blocked_urls AS SELECT
  u.url AS url,                     -- as a crawler asks for it
  c.label AS crawler,               -- "Googlebot"
  f.started AS since,               -- start of the first run that found it blocked
  g.started AS until,               -- start of the first run that found it allowed again; NULL = it is blocked
  u.rule AS rule,                   -- that decided then: "disallow: /a"; "" = none did
  u.line AS line,                   -- of that rule then
  v.sha256 AS sha256,               -- of the robots.txt of that run; NULL = none, or another origin's
  w.started AS version_since,       -- start of the first run that found that robots.txt
  s.name AS site,                   -- "example.com"
  u.rule_id AS rule_id,             -- as in the workbooks
  u.url_id AS url_id,               -- as in the workbooks
  f.id AS since_run,                -- "20261122T060000Z"
  g.id AS until_run                 -- likewise; NULL = it is blocked
FROM url_blocked u
JOIN site s ON s.site = u.site
JOIN crawler c ON c.crawler = u.crawler
JOIN run f ON f.run = u.since_run
LEFT JOIN run g ON g.run = u.until_run
LEFT JOIN robots_version v ON v.version = u.version
LEFT JOIN run w ON w.run = v.first_run;

-- One row for each time that robots.txt was fetched again after a run.
CREATE VIEW confirmations AS SELECT
  s.name AS site,                   -- "example.com"
  r.id AS run,                      -- "20261122T060000Z"
  m.number AS number,               -- of the try: 2, 3, …; the run's own is the first
  m.asked AS asked,                 -- when
  m.answer AS answer,               -- as in site_runs
  m.status AS status,               -- of HTTP; 0 = no answer
  m.code AS code,                   -- of trouble
  m.same AS same                    -- 1: as in the run
FROM confirmation m
JOIN site s ON s.site = m.site
JOIN run r ON r.run = m.run;

-- One row for each alert: a condition on a site, until it is resolved.
CREATE VIEW alerts AS SELECT
  a.id AS alert,                    -- for schedule -ack
  s.name AS site,                   -- "example.com"
  a.condition AS condition,         -- "AL01"
  a.severity AS severity,           -- critical, high, medium, info
  a.since AS since,                 -- start of the run that raised it
  a.ended AS ended,                 -- NULL = it is open
  a.urls AS urls,                   -- known URLs that it concerns
  a.text AS text,                   -- as in the last message
  a.subjects AS subjects,           -- what it is about: a JSON array
  b.id AS base_run,                 -- the run that it is compared with; NULL = none
  f.id AS raised_run,               -- "20261122T060000Z"
  g.id AS ended_run,                -- likewise; NULL = it is open
  k.until AS acknowledged_until,    -- of the last acknowledgement; NULL = none
  k.accepted AS accepted,           -- likewise: 1 = it is as it should be, and the alert is resolved
  k.note AS note,                   -- likewise
  coalesce(o.owner, '') AS owner    -- who works on it; "" = no owner
FROM alert a
JOIN site s ON s.site = a.site
JOIN run f ON f.run = a.raised_run
LEFT JOIN run b ON b.run = a.base_run
LEFT JOIN run g ON g.run = a.ended_run
LEFT JOIN alert_owner o ON o.alert = a.id
LEFT JOIN acknowledgement k ON k.alert = a.id AND k.at = (SELECT max(at) FROM acknowledgement WHERE alert = a.id);

-- One row for each message to a channel.
CREATE VIEW deliveries AS SELECT
  d.id AS delivery,                 -- as in the message
  r.id AS run,                      -- the run that it reports
  d.channel AS channel,             -- its name in the configuration
  d.entered AS entered,             -- when
  d.tries AS tries,                 -- so far
  d.next AS next,                   -- not to be tried before
  d.accepted AS accepted,           -- NULL = not yet
  d.given_up AS given_up,           -- NULL = not given up
  d.error AS error                  -- of the last try
FROM delivery d
JOIN run r ON r.run = d.run;

-- One row for each note in the column "Owner note" of a workbook.
CREATE VIEW notes AS SELECT
  s.name AS site,                   -- "example.com"
  n.kind AS kind,                   -- what row_id names: url, rule
  n.row_id AS row_id,               -- url_id, rule_id
  n.note AS note,                   -- the text
  r.id AS run                       -- whose workbook it was read from last
FROM note n
JOIN site s ON s.site = n.site
JOIN run r ON r.run = n.run
WHERE n.note <> '';
