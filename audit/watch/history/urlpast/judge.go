package urlpast

import (
	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// judge judges one URL by the answers of a site, each only once.
type judge struct {
	url, origin string
	readers     []reader
	versions    map[string]*history.Version // by SHA-256
	known       map[answer][]audit.Verdict  // by crawler
}

// reader is a crawler as the engine needs it.
type reader struct {
	robot   engine.Crawler
	profile *engine.Profile // nil = this program does not know it
	name    string          // of the profile
}

// answer is the part of a run's answer that verdicts depend on.
type answer struct {
	sha256, code string
	status       int
}

func newJudge(url, origin string, crawlers []audit.Crawler, versions []history.Version) *judge {
	j := &judge{url: url, origin: origin, versions: make(map[string]*history.Version, len(versions)), known: map[answer][]audit.Verdict{}}
	for i := range crawlers {
		robot, profile, _ := crawlers[i].Robot()
		j.readers = append(j.readers, reader{robot, profile, crawlers[i].Profile})
	}
	for i := range versions {
		j.versions[versions[i].SHA256] = &versions[i]
	}
	return j
}

// judge returns the verdict of a run's answer on the URL, for each crawler. The run must have an answer.
func (j *judge) judge(run *history.SiteRun) []audit.Verdict {
	key := answer{run.SHA256, run.Code, run.Status}
	list, ok := j.known[key]
	if !ok {
		list = j.read(key)
		j.known[key] = list
	}
	return list
}

func (j *judge) read(of answer) []audit.Verdict {
	list := make([]audit.Verdict, len(j.readers))
	file := crawl.RobotsFile{Outcome: crawl.Outcome{Status: of.status, Code: of.code}}
	if of.sha256 != "" {
		v := j.versions[of.sha256]
		if why := missing(v); why != "" {
			for i := range list {
				list[i].Why = why
			}
			return list
		}
		file.Body, file.Bytes, file.SHA256, file.Truncated = v.Body, v.Bytes, v.SHA256, v.Bytes > int64(len(v.Body))
	}
	var answers audit.Answers
	answers.Add(0, j.origin, &file)
	for i, r := range j.readers {
		if r.profile == nil {
			list[i].Why = "this program has no profile " + escape.Quoted(r.name, maxShown)
			continue
		}
		reader := answers.Reader(0, r.profile, r.robot)
		list[i] = reader.Verdict(j.url)
	}
	return list
}

// missing says why a version cannot be judged; "" = it can.
func missing(v *history.Version) string {
	switch {
	case v == nil:
		return "its robots.txt was not fetched"
	case v.Body == nil:
		return "the text of its robots.txt was not stored"
	}
	return ""
}
