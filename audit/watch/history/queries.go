package history

// Query is a predefined query of the history.
type Query struct {
	Name       string // "blocked-since"
	Question   string // in words
	Rows       string // the meaning of a row of the answer, in words
	SQL        string // over the views; without semicolon
	Parameters []Parameter
}

// Parameter is a parameter of a Query.
type Parameter struct {
	Name    string // as in the SQL, without colon: "site"
	Example string
}

var (
	siteParameter    = Parameter{"site", "example.com"}
	urlParameter     = Parameter{"url", "https://example.com/shop/"}
	crawlerParameter = Parameter{"crawler", "Googlebot"}
)

// Queries are ten predefined queries. "The last days" end with the newest run, so that an unchanged
// history always gives the same answers.
var Queries = []Query{
	{
		Name: "blocked-since", Parameters: []Parameter{siteParameter, urlParameter},
		Question: "Since when is a URL of the important list blocked, and for whom? Which rule and which version of the file block it?",
		Rows:     "A row for each crawler: since when, until when (empty = still), and the rule that blocks it.",
		SQL: `SELECT crawler, since, until, rule, line, sha256, version_since
FROM blocked_urls
WHERE site = :site AND url = :url
ORDER BY until IS NOT NULL, since, crawler`,
	},
	{
		Name: "rule-history", Parameters: []Parameter{siteParameter},
		Question: "When were rules of a site added and removed?",
		Rows:     "A row for each rule: when it came, when it went (empty = it is still there), and for whom it is.",
		SQL: `SELECT came, gone, tokens, rule, line, rule_id
FROM rules
WHERE site = :site
ORDER BY came DESC, line`,
	},
	{
		Name: "blocked-over-time", Parameters: []Parameter{siteParameter, crawlerParameter},
		Question: "How many URLs of a site are blocked for a crawler, run by run?",
		Rows:     "A row for each run: the URLs found, the blocked ones, and their share.",
		SQL: `SELECT started, known, blocked, round(100.0 * blocked / nullif(known, 0), 1) AS percent
FROM blocked_counts
WHERE site = :site AND crawler = :crawler
ORDER BY started`,
	},
	{
		Name: "uptime", Parameters: []Parameter{siteParameter},
		Question: "What does robots.txt of a site answer, and how often?",
		Rows:     "A row for each kind of answer: in how many runs, and when first and last.",
		SQL: `SELECT answer, count(*) AS runs, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS percent, min(started) AS first, max(started) AS last
FROM site_runs
WHERE site = :site
GROUP BY answer
ORDER BY runs DESC, answer`,
	},
	{
		Name:     "ai-policy",
		Question: "Which sites changed what AI crawlers may fetch?",
		Rows:     "A row for each change, newest first: what AI crawlers could fetch before and after.",
		SQL: `SELECT started, site, what, before, after
FROM changes
WHERE kind = 'ai_policy'
ORDER BY started DESC, site, number
LIMIT 200`,
	},
	{
		Name:     "open-alerts",
		Question: "Which alerts are open, most severe first, and for how long?",
		Rows:     "A row for each open alert: its severity, its site, its age in days, and its text.",
		SQL: `SELECT severity, condition, site, since, round(julianday((SELECT max(started) FROM runs)) - julianday(since), 1) AS days, urls, acknowledged_until, alert, text
FROM alerts
WHERE ended IS NULL
ORDER BY instr('critical high medium info', severity), urls DESC, since, site`,
	},
	{
		Name:     "last-week",
		Question: "What changed in the last seven days?",
		Rows:     "A row for each change, newest first: its site, and the fact before and after.",
		SQL: `SELECT started, site, severity, kind, what, before, after
FROM changes
WHERE started > (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(started), '-7 days') FROM runs)
ORDER BY started DESC, instr('critical high medium info', severity), site, number
LIMIT 500`,
	},
	{
		Name: "versions", Parameters: []Parameter{siteParameter},
		Question: "Which robots.txt has a site served, and when?",
		Rows:     "A row for each version, newest first: when the site first and last had it, and its size.",
		SQL: `SELECT first_seen, last_seen, bytes, sha256, first_run, last_run
FROM robots_versions
WHERE site = :site
ORDER BY first_seen DESC`,
	},
	{
		Name:     "troubled-sites",
		Question: "Whose robots.txt failed most often in the last 30 days, and whose audit took longest?",
		Rows:     "A row for each site: how many runs failed, and how long its audit took, in seconds.",
		SQL: `SELECT site, count(*) AS runs, sum(answer IN ('5xx', '429', 'unreachable')) AS failed, round(avg(seconds), 2) AS seconds, max(seconds) AS slowest
FROM site_runs
WHERE started > (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(started), '-30 days') FROM runs)
GROUP BY site
ORDER BY failed DESC, seconds DESC, site
LIMIT 20`,
	},
	{
		Name:     "most-flipped",
		Question: "Which sites blocked or allowed the most URLs in the last 30 days, and for whom?",
		Rows:     "A row for each site and crawler: how many URLs were newly blocked and newly allowed.",
		SQL: `SELECT site, crawler, sum(newly_blocked) AS newly_blocked, sum(newly_allowed) AS newly_allowed, count(*) AS runs
FROM flips
WHERE started > (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(started), '-30 days') FROM runs)
GROUP BY site, crawler
HAVING sum(newly_blocked) + sum(newly_allowed) > 0
ORDER BY sum(newly_blocked) + sum(newly_allowed) DESC, site, crawler
LIMIT 20`,
	},
}
