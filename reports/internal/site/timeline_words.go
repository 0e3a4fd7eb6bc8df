package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"robots-audit/engine/wording"
)

// answerNames are the names, in a sentence, of the classes of responses that are problems.
var answerNames = map[string]string{
	"html": "HTML page", "binary": "binary file", "3xx": "dead redirect", "429": "HTTP 429 answer", "5xx": "server error", "unreachable": "unanswered request", "not asked": "unasked run",
}

// isFile reports whether the response is a version of robots.txt: text, or that there is none.
func (r *TimelineRun) isFile() bool { return answerNames[r.Answer] == "" }

// tell sets the title and the sentences. begins is the start of the site's first run.
func (t *Timeline) tell(begins time.Time) {
	first, last := t.Runs[0].Started, t.Last().Started
	if len(t.Runs) == 1 {
		t.Title = "The timeline begins with this run"
		t.Sentences = []string{"The next run adds its figures."}
		return
	}
	troubles, failed := t.troubles()
	turn := t.turn()
	switch {
	case !t.Last().isFile():
		t.Title = "This run found no robots.txt to read: " + answerNames[t.Last().Answer]
		if i := t.before(len(t.Runs)-1, (*TimelineRun).isFile); i >= 0 {
			t.Title += "; the run of " + t.Day(t.Runs[i].Started) + " had it"
		}
	case turn != nil:
		t.Title = turn.words(t)
	case failed > 0:
		t.Title = "robots.txt failed in " + wording.Thousands(failed) + " of " + wording.Plural(len(t.Runs), "run") + "; " + t.otherwise(first)
	default:
		t.Title = upperFirst(t.otherwise(first))
	}
	words := wording.Plural(len(t.Runs), "run") + " from " + t.Day(first) + " to " + t.Day(last)
	if begins.Before(first) && !begins.IsZero() {
		words += ", the site's latest: its first was on " + t.Day(begins)
	}
	t.Sentences = append(t.Sentences, words+".")
	if n := len(t.Changes); n > 0 {
		counting := ""
		if n > t.versions() {
			counting = ", what stood in its place counted as well"
		}
		t.Sentences = append(t.Sentences, "robots.txt changed "+times(n)+wording.Verb(n, ", on ", ", last on ")+t.Day(t.Runs[t.Changes[n-1]].Started)+counting+".")
	}
	if failed > 0 {
		t.Sentences = append(t.Sentences, "In "+wording.Plural(failed, "run")+" robots.txt could not be read as a file ("+troubles+").")
	}
	t.Sentences = append(t.Sentences, t.gaps()...)
}

// troubles counts the runs that had no file, by the response instead.
func (t *Timeline) troubles() (words string, failed int) {
	counts := map[string]int{}
	for i := range t.Runs {
		if r := &t.Runs[i]; !r.isFile() {
			counts[r.Answer]++
			failed++
		}
	}
	var names []string
	for answer := range counts {
		names = append(names, answer)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	for i, answer := range names {
		names[i] = wording.Plural(counts[answer], answerNames[answer])
	}
	return strings.Join(names, ", "), failed
}

// otherwise describes the timeline if no change of robots.txt changed a figure.
func (t *Timeline) otherwise(first time.Time) string {
	crawler, from, to := t.moved()
	switch versions := t.versions(); {
	case crawler != "":
		return crawler + ": " + known(to) + " blocked, " + wording.Thousands(from) + " on " + t.Day(first) + ", without a change of robots.txt"
	case versions > 0:
		return "robots.txt changed " + times(versions) + " since " + t.Day(first) + ", without effect on any URL"
	case t.Runs[0].Known != t.Last().Known:
		return "robots.txt and the blocked URLs are as on " + t.Day(first)
	}
	return "nothing has changed since " + t.Day(first)
}

// moved returns the crawler whose figure differs most between its first run and the current one; ""
// = all are the same.
func (t *Timeline) moved() (crawler string, from, to int64) {
	for i, label := range t.Crawlers {
		for r := range t.Runs {
			if n := t.Runs[r].ByFile(i); n != NoCount {
				if now := t.Last().ByFile(i); now != NoCount && distance(n, now) > distance(from, to) {
					crawler, from, to = label, n, now
				}
				break
			}
		}
	}
	return crawler, from, to
}

// turn is the last change of robots.txt that changed a figure, for the crawler with the greatest
// change: a leading one, if there is one.
type turn struct {
	run             int
	crawler         string
	before, at, now int64
	verb            string
}

// turn finds it among the runs that had a file: a page of HTML in between is none. nil = no change
// of the file changed a figure.
func (t *Timeline) turn() *turn {
	for i := len(t.Runs) - 1; i > 0; i-- {
		before := t.versionBefore(i)
		if before < 0 {
			continue
		}
		old, at := &t.Runs[before], &t.Runs[i]
		found, foundLeads := turn{run: i, verb: "changed"}, false
		for c, label := range t.Crawlers {
			n, was, leads := at.ByFile(c), old.ByFile(c), c < len(t.leads) && t.leads[c]
			if n == NoCount || was == NoCount || n == was || foundLeads && !leads {
				continue
			}
			if leads && !foundLeads || distance(n, was) > distance(found.at, found.before) {
				found.crawler, found.before, found.at, found.now, foundLeads = label, was, n, t.Last().ByFile(c), leads
			}
		}
		if found.crawler == "" {
			continue
		}
		if at.SHA256 == "" {
			found.verb = "was removed"
		} else if old.SHA256 == "" {
			found.verb = "was added"
		}
		return &found
	}
	return nil
}

// versionBefore returns the run before the i-th that had another version of the file; -1 = the i-th
// has no new version.
func (t *Timeline) versionBefore(i int) int {
	if !t.Runs[i].isFile() {
		return -1
	}
	before := t.before(i, (*TimelineRun).isFile)
	if before < 0 || t.Runs[before].SHA256 == t.Runs[i].SHA256 {
		return -1
	}
	return before
}

// versions counts the new versions of the file.
func (t *Timeline) versions() (n int) {
	for i := range t.Runs {
		if t.versionBefore(i) >= 0 {
			n++
		}
	}
	return n
}

func (u *turn) words(t *Timeline) string {
	words := u.crawler + ": " + known(u.at) + " blocked since robots.txt " + u.verb + " on " + t.Day(t.Runs[u.run].Started) + "; " + wording.Thousands(u.before) + " before"
	if u.now != u.at && u.now != NoCount {
		words += ", " + wording.Thousands(u.now) + " now"
	}
	return words
}

// gaps lists the crawlers that earlier runs did not test.
func (t *Timeline) gaps() (list []string) {
	for _, label := range t.Crawlers {
		asked := func(r TimelineRun) bool { _, ok := r.Blocked[label]; return ok && r.Had() }
		if r := slices.IndexFunc(t.Runs, asked); r > t.firstAsked() {
			list = append(list, label+" has been tested since "+t.Day(t.Runs[r].Started)+".")
		}
	}
	return list
}

// firstAsked is the first run with a figure for any crawler.
func (t *Timeline) firstAsked() int {
	for r := range t.Runs {
		if t.Runs[r].Had() && slices.Max(append(slices.Clone(t.Runs[r].Counts), NoCount)) != NoCount {
			return r
		}
	}
	return len(t.Runs)
}

func times(n int) string { return wording.Verb(n, "once", wording.Thousands(n)+" times") }

func known(n int64) string {
	if n == 0 {
		return "no URL"
	}
	return wording.URLs(n)
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

func upperFirst(s string) string {
	if strings.HasPrefix(s, "robots.txt") { // a name
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
