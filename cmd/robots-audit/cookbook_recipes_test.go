package main

import (
	"robots-audit/cmd/internal/cli"
)

// book looks at the workbook of a run.
func book(file, sheet string, row map[string]string) []look {
	return []look{{file: file, sheet: sheet, row: row}}
}

// prints looks at a command's output.
func prints(texts ...string) []look { return []look{{texts: texts}} }

// recipes are the commands of the cookbook.
var recipes = map[string]recipe{
	"robots-audit www.example.com -crawlers Googlebot -out googlebot": {
		looks: book("googlebot/www.example.com.xlsx", "Blocked", map[string]string{"URL": "https://www.example.com/cartography", "Rule": "disallow: /cart", "Line": "2"})},
	"robots-audit www.example.com -out rules": {
		looks: book("rules/www.example.com.xlsx", "Rules", map[string]string{"Line": "4", "Unblocked if deleted": "2", "Blocked if deleted": "0"})},
	"robots-audit www.example.com -crawlers Googlebot -out sitemaps": {
		looks: []look{
			{file: "sitemaps/www.example.com.xlsx", sheet: "Sitemaps", row: map[string]string{"Sitemap": "https://www.example.com/sitemap.txt", "URLs blocked": "6"}},
			{file: "sitemaps/www.example.com.xlsx", sheet: "Rules", row: map[string]string{"What is wrong": "of the sitemaps"}}}},
	"robots-audit www.example.com -urls search-console.csv -out clicks": {
		looks: book("clicks/www.example.com.xlsx", "Blocked", map[string]string{"URL": "https://www.example.com/sale", "Clicks": "120"})},
	"robots-audit www.example.com -indexed indexed.csv -out indexed": {
		looks: book("indexed/www.example.com.xlsx", "Blocked", map[string]string{"URL": "https://www.example.com/shop/new", "Indexed": "yes"})},
	"robots-audit www.example.com -crawl -out rendering": {
		looks: book("rendering/www.example.com.xlsx", "Resources", map[string]string{"URL": "https://www.example.com/assets/style.css", "Rule": "disallow: /assets/"})},
	"robots-audit www.example.com -sheets all -out ai": {
		looks: book("ai/www.example.com.xlsx", "AI policy", map[string]string{"Crawler": "GPTBot", "Purpose": "AI training", "Access": "none"})},
	"robots-audit www.example.com -segments segments.csv -out segments": {
		looks: book("segments/www.example.com.xlsx", "Segments", map[string]string{"Segment": "shop", "URLs blocked": "2"})},
	"robots-audit www.example.com -crawlers Googlebot,YandexBot -out readers": {
		looks: book("readers/www.example.com.xlsx", "Disagreements", map[string]string{"URL": "https://www.example.com/books/crime/?sort=price", "Googlebot": "blocked", "YandexBot": "allowed", "Cause": "length"})},
	"robots-audit check -crawler Googlebot -explain https://www.example.com/robots.txt /shop/sale": {
		code: cli.ExitFindings, looks: prints("disallow", "/shop/sale", "line 4")},
	"robots-audit shop.example.com -out down": {
		looks: book("down/shop.example.com.xlsx", "Requests for robots.txt", map[string]string{"Status": "503", "What Googlebot makes of it": "503", "Forecast for Googlebot": "30 days"})},
	"robots-audit simulate reports/2026-11 -site www.example.com -robots new-robots.txt -out deploy": {
		looks: book("deploy/changes.xlsx", "Changed URLs", map[string]string{"URL": "https://www.example.com/sale", "Before": "blocked", "Now": "allowed"})},
	"robots-audit simulate reports/2026-11 -site www.example.com -free /shop/sale -out free -write freed.txt": {
		looks: []look{{texts: []string{"Insert after line", "changes no other verdict"}}, {file: "freed.txt", texts: []string{"Allow: /shop/sale\n"}}}},
	"robots-audit simulate reports/2026-11 -site www.example.com -block pages.txt -crawler purpose:ai-training -out training -write no-training.txt": {
		looks: []look{{texts: []string{"ClaudeBot", "AI2Bot"}}, {file: "no-training.txt", texts: []string{"User-agent: ClaudeBot\n", "\nDisallow: /\n"}}}},
	"robots-audit compare reports/2026-10 reports/2026-11 -out months": {
		looks: []look{{file: "months/changes.xlsx", sheet: "Sites", row: map[string]string{"Site": "www.example.com", "Newly blocked": "4"}},
			{file: "months/changes.xlsx", sheet: "Changed URLs", row: map[string]string{"URL": "https://www.example.com/shop/new", "New rule": "disallow: /shop/", "New line": "4"}}, {file: "months/changes.md", texts: []string{"www.example.com"}}}},
	"robots-audit verify -expect expect.csv -run reports/2026-11 -robots www.example.com=robots.txt -junit verify.xml": {
		code: cli.ExitFindings, looks: []look{{texts: []string{"FAIL expect.csv:3", "line 3"}}, {file: "verify.xml", texts: []string{"<failure"}}}},
	"robots-audit lint robots.txt": {
		code: cli.ExitFindings, looks: prints("robots.txt:2:1", "Disalow")},
	"robots-audit www.example.com -sheets all -connect-to www.example.com:443:10.1.2.3:8443 -out staging": {
		face:  "staging",
		looks: book("staging/www.example.com.xlsx", "Agents", map[string]string{"Crawler": "Googlebot", "Home page blocked": "yes"})},
	"robots-audit migrate -map map.csv -out migration": {
		code: cli.ExitFindings, looks: []look{{file: "migration/changes.md", texts: []string{"https://old.example.com/c", "line 2"}}}},
	"robots-audit schedule -config config.toml -once": {
		before: "TEST_CLOCK=2026-11-01T06:00:10Z", env: "TEST_CLOCK=2026-11-02T06:00:10Z",
		looks: []look{{file: "alerts.jsonl", texts: []string{"https://www.example.com/sale"}}}},
	"robots-audit -domains list.txt -rows all -format csv,parquet -out rows": {
		looks: []look{{file: "rows/www.example.com.csv", texts: []string{"site", "run", "verdict", "line", "https://www.example.com/sale"}}}},
}

// logRecipes are the commands of the guide to access logs.
var logRecipes = map[string]recipe{
	"robots-audit logs -run history -site www.example.com -out crawlers access.log": {
		looks: []look{
			{texts: []string{"2 crawlers made 8 requests", "GPTBot disobeyed", "Googlebot: Not yet.", "crawlers/index.html, crawlers/logs.xlsx"}},
			{file: "crawlers/logs.json", texts: []string{`"judged_by":"history"`}}}},
	"robots-audit logs -rules robots.txt -site https://www.example.com -out by-file access.log": {
		looks: prints("Line 3 `Disallow: /sale`", "Googlebot disobeyed")},
	"robots-audit logs -run history -site www.example.com -out obey access.log": {
		looks: append(append(book("obey/logs.xlsx", "Crawlers", map[string]string{"Crawler": "GPTBot", "Disobeyed": "1", "Obeyed": "0%"}),
			book("obey/logs.xlsx", "Rules", map[string]string{"Crawler": "GPTBot", "Rule": "disallow: /", "Line": "10", "Version": "5 Apr 2026, 06:00", "Last disobeyed": "2026-04-06 12:00:00"})...),
			pageSays("obey", "Do crawlers obey robots.txt?", "GPTBot disobeyed"))},
	"robots-audit logs -run history -site www.example.com -out seen access.log": {
		looks: append(append(book("seen/logs.xlsx", "Crawlers", map[string]string{"Crawler": "Googlebot", "Last read robots.txt": "2026-04-02 05:00:00", "Knows current version": "not yet"}),
			book("seen/logs.xlsx", "robots.txt reads", map[string]string{"Crawler": "GPTBot", "Change first seen": "2026-04-05 06:00:10", "After": "59 minutes"})...),
			pageSays("seen", "Do crawlers know the current robots.txt?", "Not yet. It last read robots.txt on 2 Apr 2026, 05:00, before the change."))},
	"robots-audit logs -run history -site www.example.com -out save access.log": {
		looks: append(book("save/logs.xlsx", "Directories", map[string]string{"Directory": "/search/", "Requests": "3", "Search engines": "3", "Blocking would save": "3"}),
			pageSays("save", "Directories, and what blocking one would save", "/search/"))},
	"robots-audit logs -run history -site www.example.com -out ignored access.log": {
		looks: append(append(book("ignored/logs.xlsx", "Crawlers", map[string]string{"Crawler": "Googlebot", "In sitemap, never requested": "6"}),
			book("ignored/logs.xlsx", "URLs", map[string]string{"Crawler": "Googlebot", "URL": "https://www.example.com/", "What": "in a sitemap and allowed, never requested"})...),
			pageSays("ignored", "Which sitemap URLs do search engines ignore?", "It never requested 6 (75 %) of 8 sitemap URLs."))},
	"robots-audit logs -run history -site www.example.com -out claims access.log": {
		looks: append(book("claims/logs.xlsx", "Crawlers", map[string]string{"Crawler": "Googlebot", "Only claim the name": "1", "Networks that claim the name": "198.51.100.0/24 (1)"}),
			pageSays("claims", "Who pretends to be a crawler?", "1 request only claims to be a crawler: Googlebot"))},
	`robots-audit logs -format '%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"' -run history -site www.example.com -out format access.log`: {
		looks: prints("2 crawlers made 8 requests")},
	"robots-audit logs -format path=uri,agent=ua,time=ts,status=code,addr=ip -run history -site www.example.com -out fields access.json": {
		looks: prints("1 crawler made 1 request")},
	"robots-audit -domains list.txt -logs www.example.com=access.log -out with-logs": {
		looks: append(book("with-logs/www.example.com.xlsx", "Crawlers in the logs", map[string]string{"Crawler": "Googlebot", "Requests": "6"}),
			look{file: "with-logs/pages/www.example.com.html", texts: []string{"Crawlers in the logs", "Who pretends to be a crawler?"}})},
}

// pageSays looks at the page of access logs.
func pageSays(dir string, texts ...string) look {
	return look{file: dir + "/index.html", texts: texts}
}
