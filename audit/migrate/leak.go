package migrate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// Leak is something from a staging site or the old site that is still in the new site's robots.txt,
// or a redirect of robots.txt to another host.
type Leak struct {
	Kind     string   `json:"kind"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`           // the robots.txt: its URL, or the proposed file's name
	Line     int      `json:"line,omitempty"` // 0 = the file as a whole
	Text     string   `json:"text,omitempty"` // of the line
	Words    string   `json:"words"`          // description
	Todo     string   `json:"todo"`
}

// The kinds of leaks.
const (
	LeakBlocksAll   = "blocks_all"         // the new file blocks everything
	LeakStagingName = "staging_name"       // a Sitemap or Host line, or a comment, names the staging site
	LeakOldName     = "old_name"           // a Sitemap or Host line names the old site
	LeakSameFile    = "same_file"          // the new file is the staging site's
	LeakOpenStaging = "open_staging"       // the staging site is open to crawlers
	LeakRobotsMoved = "robots_moved"       // an old host's robots.txt is redirected to another host, whose rules then count
	LeakUnavailable = "robots_unavailable" // the new host's robots.txt cannot be fetched
)

// stagingWords are labels of hosts, and words in comments, that are typical of a staging site.
var stagingWords = []string{"staging", "stage", "preprod", "preproduction", "pre-prod", "uat", "qa", "dev", "development", "test", "testing", "sandbox", "preview"}

// maxLeaks bounds the leaks reported for one file.
const maxLeaks = 100

// findLeaks checks the robots.txt of the new site: the proposed one and the current one.
func (r *run) findLeaks(ctx context.Context) (list []Leak) {
	if r.proposed != nil {
		list = r.fileLeaks(list, r.proposed)
	}
	if r.newOrigin != "" {
		if live := r.origins.get(ctx, r.newOrigin); live != nil && live.robots.Status/100 == 2 {
			list = r.fileLeaks(list, live)
		} else if live != nil && r.proposed == nil && r.staging == nil && live.robots.Status/100 != 4 {
			severity := Error
			if live.robots.Status == 0 && transient(0, live.robots.Code) {
				severity = Unknown
			}
			list = append(list, Leak{LeakUnavailable, severity, live.file.Name, 0, "", "The new host's robots.txt could not be fetched: " + meaning(live.robots.Status, live.robots.Code), "Make it answer before the move. Crawlers may stop at an error."})
		}
	}
	if r.staging != nil && r.staging.robots.Status/100 == 2 && !r.blocksAll(r.staging) {
		list = append(list, Leak{LeakOpenStaging, Warning, r.staging.file.Name, 0, "", "Crawlers can fetch the staging site", "Protect it with a password. A robots.txt alone does not keep URLs out of an index."})
	}
	for _, name := range r.m.oldOrigins {
		if r.isNew(name) {
			continue
		}
		old := r.origins.get(ctx, name)
		if old == nil {
			return list
		}
		if hops := old.robots.Hops; len(hops) > 1 && old.robots.Status/100 == 2 && hostOf(hops[len(hops)-1].URL) != hostOf(name) {
			list = append(list, Leak{LeakRobotsMoved, Info, old.file.Name, 0, "", "The old host's robots.txt is redirected to " + hops[len(hops)-1].URL + ". Its rules apply to the old URLs", "Check that crawlers may fetch the redirects."})
		}
	}
	return list
}

// blocksAll reports whether a robots.txt blocks the home page and any other URL for a crawler that
// leads.
func (r *run) blocksAll(o *origin) bool {
	return slices.ContainsFunc(r.judge.leading, func(i int) bool {
		return o.readers[i].Group.Verdict("/").Verdict == engine.Disallow && o.readers[i].Group.Verdict("/any/other").Verdict == engine.Disallow
	})
}

// fileLeaks checks one robots.txt of the new site.
func (r *run) fileLeaks(list []Leak, o *origin) []Leak {
	before := len(list)
	if r.blocksAll(o) {
		leak := Leak{Kind: LeakBlocksAll, Severity: Critical, File: o.file.Name, Words: "The new site's robots.txt blocks everything", Todo: "Delete the rule of the staging site."}
		for _, i := range r.judge.leading {
			if d := o.readers[i].Group.Verdict("/"); d.Verdict == engine.Disallow && d.Rule != nil {
				leak.Line, leak.Text = d.Rule.Line, d.Rule.String()
			}
		}
		list = append(list, leak)
	}
	if r.staging != nil && o.robots.SHA256 != "" && o.robots.SHA256 == r.staging.robots.SHA256 {
		list = append(list, Leak{LeakSameFile, Critical, o.file.Name, 0, "", "It is the same file as on the staging site (SHA-256 " + o.robots.SHA256[:12] + "…)", "Replace it with the file for the new site."})
	}
	for line := range o.readers[0].Robots.Lines() {
		if len(list)-before >= maxLeaks {
			break
		}
		switch line.Kind {
		case "sitemap", "host":
			if leak := r.nameLeak(line); leak.Kind != "" {
				leak.File = o.file.Name
				list = append(list, leak)
			}
		case "comment":
			if words := strings.FieldsFunc(strings.ToLower(line.Text), func(c rune) bool { return !('a' <= c && c <= 'z' || c == '-') }); slices.Contains(words, "staging") || slices.Contains(words, "preprod") {
				list = append(list, Leak{LeakStagingName, Warning, o.file.Name, line.Number, line.Text, "A comment mentions a staging site", "Check that this is the right file."})
			}
		}
	}
	return list
}

// nameLeak checks the host that a line names; the zero Leak = no problem.
func (r *run) nameLeak(line engine.RawLine) Leak {
	url := line.Value
	if !strings.Contains(url, "://") {
		if line.Kind == "sitemap" {
			return Leak{}
		}
		url = "https://" + url
	}
	url, err := crawl.ResolveURL(url)
	if err != nil {
		return Leak{}
	}
	host := hostOf(url)
	field := strings.ToUpper(string(line.Kind[:1])) + string(line.Kind[1:])
	leak := Leak{Line: line.Number, Text: line.Text, Todo: "Change it to the new host."}
	isOld := slices.ContainsFunc(r.m.oldOrigins, func(o string) bool { return hostOf(o) == host })
	switch {
	case host == r.newHost:
		return Leak{}
	case r.Staging != "" && host == hostOf(r.Staging), slices.ContainsFunc(strings.FieldsFunc(host, func(c rune) bool { return c == '.' || c == '-' }), func(label string) bool { return slices.Contains(stagingWords, strings.TrimRight(label, "0123456789")) }) && !isOld:
		leak.Kind, leak.Severity, leak.Words = LeakStagingName, Error, fmt.Sprintf("A %s line names the staging host %s", field, host)
	case isOld:
		leak.Kind, leak.Severity, leak.Words = LeakOldName, Warning, fmt.Sprintf("A %s line names the old host %s", field, host)
	default:
		return Leak{}
	}
	return leak
}
