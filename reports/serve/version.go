package serve

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/watch/history"
	"robots-audit/reports"
)

// version is one robots.txt that a site's own origin has served.
type version struct {
	SHA256  string    `json:"sha256"`
	Name    string    `json:"name"`    // when it was served: "3 to 17 Nov 2026". No other version has it
	Number  int       `json:"number"`  // 1 = the first one
	Periods []period  `json:"periods"` // oldest first
	First   time.Time `json:"first"`   // start of the first run that found it
	Last    time.Time `json:"last"`
	Runs    int       `json:"runs"` // runs that found it
	Bytes   int64     `json:"bytes"`
	Kept    bool      `json:"kept"` // its text is available

	body []byte
}

// answerSpan is a series of runs with the same answer.
type answerSpan struct {
	Answer  string    `json:"answer"`
	Class   string    `json:"-"`
	Status  int       `json:"status,omitempty"`
	Code    string    `json:"error,omitempty"`
	SHA256  string    `json:"sha256,omitempty"`
	Version int       `json:"version,omitempty"`
	Name    string    `json:"version_name,omitempty"`
	Settled bool      `json:"settled"`
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Runs    int       `json:"runs"`
	Known   int64     `json:"known_urls,omitempty"` // of the last run; only a history has it
	Blocked int64     `json:"blocked_urls,omitempty"`
}

// versions are the robots.txt that a site has served over its runs.
type versions struct {
	History  bool         `json:"history"`  // false = versions come from the runs that exist
	Versions []version    `json:"versions"` // sorted by their last runs, newest first
	Answers  []answerSpan `json:"answers"`  // newest first
	More     int          `json:"answers_more,omitempty"`
	Runs     int          `json:"runs"` // runs of the site that were read
	Further  bool         `json:"runs_more,omitempty"`
}

// Limits of versions.
const (
	maxVersions     = 200
	maxVersionRuns  = 1000
	maxAnswerSpans  = 150
	maxRunsCompared = 100 // runs whose robots.txt are read if there is no history
)

// versions reads what a site has served from the history, or from all runs if there is none. The versions
// with these SHA-256 are among it, however old they are.
func (d *Desk) versions(ctx context.Context, site string, sums ...string) (*versions, error) {
	var runs []history.SiteRun
	var known []history.Version
	var err error
	if d.o.History != "" {
		runs, known, err = d.past.served(ctx, site, sums...)
	}
	remembered := len(runs) > 0
	if !remembered && err == nil {
		runs, known, err = d.servedInRuns(ctx, site)
	}
	if err != nil {
		return nil, err
	}
	v := newVersions(runs, known)
	v.History = remembered
	return v, nil
}

// served reads the runs of a site, newest first, and its versions. Those with some SHA-256 are among them.
func (p *past) served(ctx context.Context, site string, sums ...string) (runs []history.SiteRun, known []history.Version, err error) {
	err = p.read(func(db *history.DB) (err error) {
		if runs, err = db.SiteRuns(ctx, site, maxVersionRuns); err != nil {
			return err
		}
		if known, err = db.Versions(ctx, site, maxVersions); err == nil {
			known, err = withVersions(ctx, db, site, known, sums)
		}
		return err
	})
	return runs, known, err
}

// newVersions names the versions of a site, and groups its runs by their answers.
func newVersions(runs []history.SiteRun, known []history.Version) *versions {
	v := &versions{Versions: []version{}, Answers: []answerSpan{}, Runs: len(runs), Further: len(runs) == maxVersionRuns}
	times := map[string]int{}
	for i := range runs {
		times[runs[i].SHA256]++
	}
	for _, k := range known {
		v.Versions = append(v.Versions, version{SHA256: k.SHA256, First: k.First, Last: k.Last, Runs: times[k.SHA256], Bytes: k.Bytes, Kept: k.Body != nil, body: k.Body})
	}
	v.number()
	v.periods(runs)
	v.name()
	v.spans(runs)
	return v
}

// withVersions adds the versions with some SHA-256 to those that are known, unless they are among them.
func withVersions(ctx context.Context, db *history.DB, site string, known []history.Version, sums []string) ([]history.Version, error) {
	for _, sum := range sums {
		if sum == "" || slices.ContainsFunc(known, func(v history.Version) bool { return v.SHA256 == sum }) {
			continue
		}
		of, ok, err := db.Version(ctx, site, sum)
		if err != nil {
			return nil, err
		}
		if ok {
			known = append(known, of)
		}
	}
	return known, nil
}

// number numbers the versions by their first runs.
func (v *versions) number() {
	byFirst := make([]*version, len(v.Versions))
	for i := range v.Versions {
		byFirst[i] = &v.Versions[i]
	}
	slices.SortStableFunc(byFirst, func(a, b *version) int { return a.First.Compare(b.First) })
	for i, of := range byFirst {
		of.Number = i + 1
	}
}

// find returns a version by its SHA-256 or the beginning of it; nil = there is none.
func (v *versions) find(sum string) *version {
	for i := range v.Versions {
		if len(sum) >= 8 && strings.HasPrefix(v.Versions[i].SHA256, sum) {
			return &v.Versions[i]
		}
	}
	return nil
}

// spans groups consecutive runs with the same answer, newest first.
func (v *versions) spans(runs []history.SiteRun) {
	for i := range runs {
		r := &runs[i]
		if n := len(v.Answers); n > 0 {
			if s := &v.Answers[n-1]; s.Answer == string(r.Answer) && s.Status == r.Status && s.Code == r.Code && s.SHA256 == r.SHA256 && s.Settled == r.Settled {
				s.First, s.Runs = r.Run.Started, s.Runs+1
				continue
			}
		}
		s := answerSpan{Answer: string(r.Answer), Class: cmp.Or(answerClasses[r.Answer], "unknown"), Status: r.Status, Code: r.Code, SHA256: r.SHA256, Settled: r.Settled, First: r.Run.Started, Last: r.Run.Started, Runs: 1, Known: r.Known, Blocked: r.Blocked}
		if of := v.find(r.SHA256); of != nil {
			s.Version, s.Name = of.Number, of.Name
		}
		v.Answers = append(v.Answers, s)
	}
}

// answerClasses are the styles of answers. Others are unknown.
var answerClasses = map[history.Answer]string{
	history.AnswerOK:    "ok",
	history.AnswerEmpty: "warn", history.AnswerMissing: "warn", history.AnswerRedirect: "warn",
	history.AnswerHTML: "critical", history.AnswerBinary: "critical", history.AnswerServerError: "critical", history.AnswerBusy: "critical", history.AnswerNone: "critical",
}

// servedInRuns collects from the newest runs what a history would have about a site.
func (d *Desk) servedInRuns(ctx context.Context, site string) (runs []history.SiteRun, known []history.Version, err error) {
	list, err := d.runs.list()
	if err != nil {
		return nil, nil, err
	}
	for _, l := range list[:min(len(list), maxRunsCompared)] {
		if !l.readable() {
			continue
		}
		r, err := d.runs.find(l.Run)
		if err != nil {
			continue // the run was removed meanwhile
		}
		stored, err := r.open()
		if err != nil {
			continue
		}
		of, ok := stored.Site(site)
		if !ok || of.Damage != nil {
			continue
		}
		served, version, err := servedIn(ctx, l, &of)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil || served == nil:
			continue
		}
		runs = append(runs, *served)
		if version == nil {
			continue
		}
		at := slices.IndexFunc(known, func(k history.Version) bool { return k.SHA256 == version.SHA256 })
		if at < 0 {
			known = append(known, *version)
			continue
		}
		known[at].First = version.First
		if known[at].Body == nil {
			known[at].Body = version.Body
		}
	}
	return runs, known, nil
}

// servedIn reads the beginning of a site's records; nil = they do not have it.
func servedIn(ctx context.Context, l *listed, site *reports.StoredSite) (*history.SiteRun, *history.Version, error) {
	for rec, err := range audit.Until(ctx, site.Records()) {
		if err != nil {
			return nil, nil, err
		}
		if rec.Robots == nil {
			continue
		}
		f := &rec.Robots.File
		run := &history.SiteRun{Run: history.Run{ID: l.Run, Started: l.Started}, Answer: history.AnswerOf(f), Status: f.Status, Code: f.Code, Settled: true, SHA256: f.SHA256}
		if f.SHA256 == "" {
			return run, nil, nil
		}
		return run, &history.Version{SHA256: f.SHA256, Bytes: f.Bytes, Body: slices.Clone(f.Body), First: l.Started, Last: l.Started}, nil
	}
	return nil, nil, nil
}

// errNoVersion says that the site has not served the requested version.
var errNoVersion = notFound("there is no such version of robots.txt")
