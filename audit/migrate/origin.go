package migrate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// origin is a scheme, host and port with its robots.txt, as all crawlers read it.
type origin struct {
	file    File
	robots  *crawl.RobotsFile
	readers []audit.Reader // of each crawler
	self    *engine.Group  // the group that this program obeys

	ready chan struct{} // closed once the fields above are set
}

// origins are the origins whose robots.txt was requested, each once.
type origins struct {
	crawlers []audit.Crawler
	hosts    *hosts

	mu    sync.Mutex
	known map[string]*origin
}

// get returns the origin of a name, such as "https://shop.example", and requests its robots.txt if
// necessary. It returns nil if ctx ends first.
func (o *origins) get(ctx context.Context, name string) *origin {
	o.mu.Lock()
	known := o.known[name]
	mine := known == nil
	if mine {
		known = &origin{ready: make(chan struct{})}
		if len(o.known) < 2*maxOrigins { // further ones are requested each time, and their hosts mostly get no request
			o.known[name] = known
		}
	}
	o.mu.Unlock()
	if mine {
		o.fetch(ctx, known, name)
		close(known.ready)
	}
	select {
	case <-known.ready:
	case <-ctx.Done():
		return nil
	}
	if ctx.Err() != nil {
		return nil
	}
	return known
}

// fetch requests an origin's robots.txt, and reads it.
func (o *origins) fetch(ctx context.Context, to *origin, name string) {
	var answers *audit.Answers
	var file *crawl.RobotsFile
	code := o.hosts.ask(ctx, name, func(s *crawl.Site) bool {
		answers, file = audit.Ask(ctx, s, name)
		return file.Status == 0 && transient(0, file.Code)
	})
	if code != "" {
		answers, file = new(audit.Answers), &crawl.RobotsFile{Outcome: crawl.Outcome{URL: name + "/robots.txt", Code: code}}
		answers.Add(0, name, file)
	}
	to.read(o.crawlers, answers, file, name+"/robots.txt")
	if delay := to.self.CrawlDelay; delay > 0 {
		o.hosts.setDelay(ctx, name, time.Duration(delay*float64(time.Second)))
	}
}

// read reads a robots.txt, no. 0 of the answers, for all crawlers.
func (to *origin) read(crawlers []audit.Crawler, answers *audit.Answers, file *crawl.RobotsFile, name string) {
	to.robots = file
	to.file = File{Name: name, Status: file.Status, Code: file.Code}
	for i := range crawlers {
		robot, profile, _ := crawlers[i].Robot()
		to.readers = append(to.readers, answers.Reader(0, profile, robot))
	}
	crawler, profile := audit.Self()
	to.self = answers.Reader(0, profile, crawler).Group
}

// readText makes an origin that serves a given robots.txt.
func readText(crawlers []audit.Crawler, name, file string, text []byte) *origin {
	to := new(origin)
	answers := new(audit.Answers)
	served := &crawl.RobotsFile{Outcome: crawl.Outcome{URL: name + "/robots.txt", Status: 200, Type: "text/plain", Bytes: int64(len(text)), SHA256: sum(text)}, Body: text}
	answers.Add(0, name, served)
	to.read(crawlers, answers, served, file)
	return to
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}

// verdicts returns the verdicts of all crawlers on a URL of the origin.
func (to *origin) verdicts(url string) []Verdict {
	list := make([]Verdict, len(to.readers))
	for i, r := range to.readers {
		d := r.Group.Verdict(url)
		list[i].Verdict = d.Verdict
		if d.Rule != nil {
			list[i].Line, list[i].Rule = d.Rule.Line, d.Rule.String()
		}
	}
	return list
}

// named returns the file, with the reason if it blocks a URL without a rule.
func (to *origin) named(verdicts []Verdict) File {
	f := to.file
	for i, v := range verdicts {
		if v.Verdict != engine.Allow && v.Line == 0 {
			f.Why = to.readers[i].Why()
			break
		}
	}
	return f
}
