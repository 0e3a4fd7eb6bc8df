package history

import (
	"database/sql"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
)

// dayOf is the start of the run of a day.
func dayOf(n int) time.Time { return time.Date(2026, 11, n, 6, 0, 0, 0, time.UTC) }

func runOfDay(n int) Run {
	return Run{ID: dayOf(n).Format("20060102T150405Z"), Schedule: "shops", Started: dayOf(n), Finished: dayOf(n).Add(time.Hour), Program: "1.0.0"}
}

// smallHistory is that of two sites over six runs, of the 1st, 10th, 15th, 20th, 21st and
// 22nd. example.com blocks /shop/ on the 10th, fails on the 15th, allows it on the
// 20th and blocks it otherwise on the 21st; b.example stays as it is but for its AI policy.
func smallHistory(t *testing.T) *DB {
	t.Helper()
	db, err := Open(t.Context(), t.TempDir())
	noError(t, err)
	t.Cleanup(func() { db.Close() })
	const open, shut, other = "disallow: /cart", "disallow: /shop", "disallow: /sho"
	rules := func(list ...string) (rules []Rule) {
		for i, rule := range list {
			rules = append(rules, Rule{ID: audit.RuleID("*", rule), Tokens: "*", Rule: rule, Line: i + 2})
		}
		return rules
	}
	id, _ := audit.URLID(nil, "https://example.com", "/shop/")
	blocked := func(rule string) []Blocked {
		b := Blocked{ID: id, URL: "https://example.com/shop/", RuleID: audit.RuleID("*", rule), Rule: rule, Line: 3, Own: true}
		b.Crawler = "Googlebot"
		c := b
		c.Crawler = "Bingbot"
		return []Blocked{b, c}
	}
	a := func(sha string, known, google int64, rules []Rule, urls []Blocked) Entry {
		return Entry{Settled: true, Site: Site{
			Name: "example.com", State: "warn", Answer: AnswerOK, Status: 200, SHA256: sha, Bytes: int64(len(sha)), Body: []byte(sha),
			Known: known, Blocked: google, Took: 2 * time.Second, Crawlers: []Crawler{{"Googlebot", google}, {"Bingbot", google}}, Rules: rules, URLs: urls,
		}}
	}
	b := Entry{Settled: true, Site: Site{Name: "b.example", State: "ok", Answer: AnswerMissing, Status: 404, Code: "http_status", Known: 10, Took: time.Second, Crawlers: []Crawler{{"Googlebot", 0}}}}
	flips := func(blocked, allowed int64) []Flips {
		return []Flips{{Crawler: "Googlebot", Counts: compare.Counts{NewlyBlocked: blocked, NewlyAllowed: allowed}}}
	}
	entries := map[int]Entry{
		1:  a("v1", 100, 2, rules(open), nil),
		10: a("v2", 100, 40, rules(open, shut), blocked(shut)),
		15: {Site: Site{Name: "example.com", State: "unknown", Answer: AnswerServerError, Status: 503, Code: "http_status", Took: 8 * time.Second, Crawlers: []Crawler{{"Googlebot", 0}, {"Bingbot", 0}}}},
		20: a("v1", 110, 3, rules(open), nil),
		21: a("v3", 110, 50, rules(open, other), blocked(other)),
		22: a("v3", 110, 50, rules(open, other), blocked(other)),
	}
	shop := entries[10]
	shop.Changes = []compare.Change{{Kind: "rules", What: "line 3", After: "Disallow: /shop", Severity: "info"}}
	shop.Flips = flips(38, 0)
	entries[10] = shop
	shop = entries[20]
	shop.Flips = flips(0, 38)
	entries[20] = shop
	shop = entries[21]
	shop.Changes = []compare.Change{{Kind: "rules", What: "line 3", After: "Disallow: /sho", Severity: "info"}, {Kind: "important", What: "1 URL", Before: "allowed", After: "blocked", Severity: "critical", Condition: "AL02"}}
	shop.Flips = flips(47, 1)
	entries[21] = shop
	for _, n := range slices.Sorted(maps.Keys(entries)) {
		tx, err := db.Begin(t.Context())
		noError(t, err)
		defer tx.Rollback()
		noError(t, tx.AddRun(runOfDay(n)))
		noError(t, tx.AddSite(t.Context(), entries[n]))
		of := b
		if n == 22 {
			of.Changes = []compare.Change{{Kind: "ai_policy", What: "AI training", Before: "open", After: "blocked", Severity: "medium", Condition: "AL10"}}
		}
		noError(t, tx.AddSite(t.Context(), of))
		if n == 10 || n == 20 {
			alert := Alert{ID: "a1", Site: "example.com", Condition: "AL02", Severity: "critical", Base: runOfDay(1).ID, Raised: runOfDay(10).ID, Since: dayOf(10), URLs: 1, Text: "/shop/ is blocked."}
			if n == 20 {
				alert.EndedRun, alert.Ended = runOfDay(20).ID, dayOf(20)
			}
			noError(t, tx.SaveAlert(alert))
		}
		if n == 21 {
			noError(t, tx.SaveAlert(Alert{ID: "a2", Site: "example.com", Condition: "AL02", Severity: "critical", Base: runOfDay(20).ID, Raised: runOfDay(21).ID, Since: dayOf(21), URLs: 1, Text: "/shop/ is blocked again."}))
		}
		if n == 22 {
			noError(t, tx.SaveAlert(Alert{ID: "b1", Site: "b.example", Condition: "AL10", Severity: "medium", Base: runOfDay(21).ID, Raised: runOfDay(22).ID, Since: dayOf(22), Text: "Its AI policy changed."}))
		}
		noError(t, tx.Commit())
	}
	noError(t, db.Acknowledge(t.Context(), []string{"a2"}, dayOf(30), dayOf(21), "known"))
	return db
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// queryAnswers are the rows that the ten queries have of the small history, by their names.
var queryAnswers = map[string]string{
	"blocked-since": `Bingbot|2026-11-21T06:00:00Z|NULL|disallow: /sho|3|v3|2026-11-21T06:00:00Z
Googlebot|2026-11-21T06:00:00Z|NULL|disallow: /sho|3|v3|2026-11-21T06:00:00Z`,
	"rule-history": `2026-11-21T06:00:00Z|NULL|*|disallow: /sho|3|ID
2026-11-10T06:00:00Z|2026-11-20T06:00:00Z|*|disallow: /shop|3|ID
2026-11-01T06:00:00Z|NULL|*|disallow: /cart|2|ID`,
	"blocked-over-time": `2026-11-01T06:00:00Z|100|2|2
2026-11-10T06:00:00Z|100|40|40
2026-11-15T06:00:00Z|0|0|NULL
2026-11-20T06:00:00Z|110|3|2.7
2026-11-21T06:00:00Z|110|50|45.5
2026-11-22T06:00:00Z|110|50|45.5`,
	"uptime": `200|5|83.33|2026-11-01T06:00:00Z|2026-11-22T06:00:00Z
5xx|1|16.67|2026-11-15T06:00:00Z|2026-11-15T06:00:00Z`,
	"ai-policy": `2026-11-22T06:00:00Z|b.example|AI training|open|blocked`,
	"open-alerts": `critical|AL02|example.com|2026-11-21T06:00:00Z|1|1|2026-11-30T06:00:00Z|a2|/shop/ is blocked again.
medium|AL10|b.example|2026-11-22T06:00:00Z|0|0|NULL|b1|Its AI policy changed.`,
	"last-week": `2026-11-22T06:00:00Z|b.example|medium|ai_policy|AI training|open|blocked
2026-11-21T06:00:00Z|example.com|critical|important|1 URL|allowed|blocked
2026-11-21T06:00:00Z|example.com|info|rules|line 3||Disallow: /sho`,
	"versions": `2026-11-21T06:00:00Z|2026-11-22T06:00:00Z|2|v3|20261121T060000Z|20261122T060000Z
2026-11-10T06:00:00Z|2026-11-10T06:00:00Z|2|v2|20261110T060000Z|20261110T060000Z
2026-11-01T06:00:00Z|2026-11-20T06:00:00Z|2|v1|20261101T060000Z|20261120T060000Z`,
	"troubled-sites": `example.com|6|1|3|8
b.example|6|0|1|1`,
	"most-flipped": `example.com|Googlebot|85|39|3`,
}

var ruleID = regexp.MustCompile(`[0-9a-f]{16}`)

// Each query gives the expected answers, both in Queries and as printed in the manual.
func TestQueries(t *testing.T) {
	db := smallHistory(t)
	if len(Queries) != 10 {
		t.Errorf("%d queries, and ten are promised", len(Queries))
	}
	printed := printedQueries(Manual())
	for _, q := range Queries {
		var args []any
		for _, p := range q.Parameters {
			args = append(args, sql.Named(p.Name, p.Example))
		}
		want, ok := queryAnswers[q.Name]
		if got := ruleID.ReplaceAllString(tableOf(t, db.read, q.SQL, args...), "ID"); !ok || got != want {
			t.Errorf("%s:\n%s\nwant\n%s", q.Name, got, want)
		}
		as, ok := printed[q.Name]
		if !ok || q.Rows == "" || as.question != q.Question+"\n"+q.Rows {
			t.Errorf("%s is not printed: %+v", q.Name, as)
			continue
		}
		if got := ruleID.ReplaceAllString(tableOf(t, db.read, as.sql, as.args...), "ID"); got != want {
			t.Errorf("%s as printed:\n%s\nwant\n%s", q.Name, got, want)
		}
	}
}

// The command line of SQLite takes what the manual prints, line by line.
func TestManualInShell(t *testing.T) {
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("there is no sqlite3")
	}
	db := smallHistory(t)
	var input strings.Builder
	input.WriteString(".mode list\n.nullvalue NULL\n")
	for name, q := range printedQueries(Manual()) {
		fmt.Fprintf(&input, ".print %s:\n%s", name, q.text)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-readonly", "-batch", "-bail", filepath.Join(db.dir, fileName))
	cmd.Stdin, cmd.Stderr = strings.NewReader(input.String()), os.Stderr
	out, err := cmd.Output()
	noError(t, err)
	said := strings.ReplaceAll(ruleID.ReplaceAllString(string(out), "ID"), ".0|", "|")
	said = strings.ReplaceAll(said, ".0\n", "\n")
	for name, want := range queryAnswers {
		if !strings.Contains(said, name+":\n"+want+"\n") {
			t.Errorf("%s: want\n%s\nin\n%s", name, want, said)
		}
	}
}

// printedQuery is a query as printed in the manual.
type printedQuery struct {
	question, text, sql string
	args                []any
}

var parameterLine = regexp.MustCompile(`^\.parameter set :(\w+) "'(.*)'"$`)

// printedQueries reads the manual as its reader would: a line "name: question", a blank
// line, and indented lines to be copied.
func printedQueries(manual string) map[string]printedQuery {
	list := map[string]printedQuery{}
	_, text, _ := strings.Cut(manual, "\nTen questions.")
	parts := strings.Split(text, "\n\n")[1:]
	for i := 0; i+1 < len(parts); i += 2 {
		name, question, _ := strings.Cut(parts[i], ": ")
		q := printedQuery{question: question}
		for line := range strings.SplitSeq(strings.TrimRight(parts[i+1], "\n"), "\n") {
			line = strings.TrimPrefix(line, "  ")
			q.text += line + "\n"
			if m := parameterLine.FindStringSubmatch(line); m != nil {
				q.args = append(q.args, sql.Named(m[1], m[2]))
				continue
			}
			q.sql += line + "\n"
		}
		list[name] = q
	}
	return list
}

// tableOf returns what a query queryAnswers: a line a row, with bars between its columns.
func tableOf(t *testing.T, db *sql.DB, query string, args ...any) string {
	t.Helper()
	rows, err := db.Query(query, args...)
	if err != nil {
		t.Errorf("%v:\n%s", err, query)
		return ""
	}
	defer rows.Close()
	columns, err := rows.Columns()
	noError(t, err)
	var lines []string
	for rows.Next() {
		cells := make([]any, len(columns))
		for i := range cells {
			cells[i] = new(sql.NullString)
		}
		noError(t, rows.Scan(cells...))
		var line []string
		for _, cell := range cells {
			text := cell.(*sql.NullString)
			if !text.Valid {
				text.String = "NULL"
			}
			line = append(line, text.String)
		}
		lines = append(lines, strings.Join(line, "|"))
	}
	noError(t, rows.Err())
	return strings.Join(lines, "\n")
}
