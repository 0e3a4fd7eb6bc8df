// Package logs writes the folder about what crawlers did, as access logs show it.
//
//	index.html   a page for people: for each site what crawlers did, most severe first
//	logs.xlsx    the same as tables: crawlers, rules, reads of robots.txt, parts of the site, days, files
//	logs.json    everything: the head, and audit.Logs of each site
//
// Write makes it from the results of one site after the other. All files are complete, or none of them
// is there.
package logs
