package audits

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/escape"
	"robots-audit/reports"
)

// progress shows the progress of a run: a bar on a terminal, log lines elsewhere.
type progress struct {
	log   *slog.Logger
	on    *cli.Screen
	quiet bool
	total int64 // sites in the list; 0 = not known

	began   time.Time
	urls    atomic.Int64 // the bar reads these two from its own goroutine
	blocked atomic.Int64

	mu     sync.Mutex // protects the following fields
	sites  int64
	next   time.Time // when the next log line is due
	atWork map[string]*siteAtWork

	leave func(reports.Progress) error // writes the progress to the run's folder; nil = off
	word  *time.Timer                  // for the next call of leave

	bars *mpb.Progress
	bar  *mpb.Bar
	due  *time.Timer // timer of log lines while no record comes
}

// siteAtWork is a site with a first record and no last one.
type siteAtWork struct {
	name  string
	began time.Time
	stage string // its current stage
	last  string // what may follow it: no record says when answers to names of crawlers begin
}

// LogInterval is the time between two log lines.
const LogInterval = 10 * time.Second

func newProgress(s *Settings, on *cli.Screen, log *slog.Logger) *progress {
	p := &progress{log: log, on: on, quiet: s.Quiet, total: s.sites, began: time.Now(), atWork: map[string]*siteAtWork{}}
	p.next = p.began.Add(LogInterval)
	switch {
	case s.Quiet:
	case cli.Terminal(on):
		p.drawBar()
	default:
		p.due = time.AfterFunc(LogInterval, p.tell)
	}
	return p
}

// tell writes a log line if records have caused none: sites that hang send no records.
func (p *progress) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.due == nil {
		return // the run has ended
	}
	p.logLine(time.Now())
	p.due.Reset(LogInterval)
}

// wordInterval is the time between two updates of the progress in a run's folder.
const wordInterval = time.Second

// leaveWord calls leave with the progress every second until the end.
func (p *progress) leaveWord(leave func(reports.Progress) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave = leave
	p.word = time.AfterFunc(wordInterval, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.word == nil {
			return // the run has ended
		}
		p.leave(p.progress(time.Now())) // best effort: if the disk is full, other files report it
		p.word.Reset(wordInterval)
	})
}

// progress is the progress of the run; mu is locked.
func (p *progress) progress(now time.Time) reports.Progress {
	of := reports.Progress{At: now.UTC(), Sites: p.sites, Total: p.total, URLs: p.urls.Load(), Blocked: p.blocked.Load(), Rate: p.rate()}
	if p.sites > 0 && p.total > p.sites {
		of.Left = now.Sub(p.began).Seconds() * float64(p.total-p.sites) / float64(p.sites)
	}
	if s := p.longest(now); s != nil {
		of.Waiting, of.Stage, of.WaitedOn = s.name, s.stage, now.Sub(s.began).Seconds()
	}
	return of
}

// logLine writes a log line if one is due.
func (p *progress) logLine(now time.Time) {
	if p.bar != nil || p.quiet || now.Before(p.next) {
		return
	}
	p.next = now.Add(LogInterval)
	said := []any{"sites", p.sites, "urls", p.urls.Load(), "urls_per_second", int64(p.rate()), "blocked", p.blocked.Load()}
	if s := p.longest(now); s != nil {
		said = append(said, "waiting_for", s.name, "waiting_seconds", int64(now.Sub(s.began).Seconds()), "waiting_at", s.stage)
	}
	p.log.Info("auditing", said...)
}

// patience is how long a site may take before it is reported as delaying the run.
const patience = 5 * time.Second

// longest is the site that has taken longest; nil = the run waits for no site. mu is locked.
func (p *progress) longest(now time.Time) (most *siteAtWork) {
	for _, s := range p.atWork {
		if now.Sub(s.began) >= patience && (most == nil || s.began.Before(most.began) || s.began.Equal(most.began) && s.name < most.name) {
			most = s
		}
	}
	return most
}

// waiting names the site that delays the run: "waiting 32 s for example.com: its sitemaps".
func (p *progress) waiting(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.longest(now)
	if s == nil {
		return ""
	}
	return fmt.Sprintf(" waiting %d s for %s: %s ", int64(now.Sub(s.began).Seconds()), escape.Cut(cli.OnOneLine(s.name), 60), s.stage)
}

// follow updates the stage of a record's site; mu is locked.
func (p *progress) follow(rec *audit.Record, now time.Time) {
	s := p.atWork[rec.Domain]
	switch {
	case rec.Site != nil:
		s := &siteAtWork{name: rec.Domain, began: now, stage: "its robots.txt"}
		if len(rec.Site.Asked) > 0 {
			s.last = " or answers to names of crawlers"
		}
		p.atWork[rec.Domain] = s
	case s == nil:
	case rec.Done != nil:
		delete(p.atWork, rec.Domain)
	case rec.Robots != nil && rec.Robots.Index == 0:
		s.stage = "its sitemaps" + s.last
	case rec.URLs != nil && len(rec.URLs.List) > 0 && rec.URLs.List[0].Sitemap < 0:
		s.stage = "its pages" + s.last
	}
}

func (p *progress) drawBar(more ...mpb.ContainerOption) {
	left := decor.Any(p.left)
	if p.total == 0 {
		left = decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)
	}
	p.bars = mpb.New(append(more, mpb.WithOutput(p.on.W), mpb.WithRefreshRate(200*time.Millisecond))...)
	p.on.Draw(p.bars)
	p.bar = p.bars.AddBar(p.total,
		mpb.PrependDecorators(decor.Any(func(d decor.Statistics) string {
			if p.total == 0 {
				return fmt.Sprintf("%d sites", d.Current)
			}
			return fmt.Sprintf("%d / %d sites", d.Current, d.Total)
		}, decor.WCSyncSpaceR)),
		mpb.AppendDecorators(
			decor.Any(func(decor.Statistics) string { return p.line() }),
			left,
			decor.Any(func(decor.Statistics) string { return p.waiting(time.Now()) }),
		),
	)
}

// line is the figures as text.
func (p *progress) line() string {
	return fmt.Sprintf(" %d URLs tested, %.0f/s, %d blocked ", p.urls.Load(), p.rate(), p.blocked.Load())
}

// left is the estimated time left as text, from the duration of the sites so far. Before the first
// it is unknown.
func (p *progress) left(d decor.Statistics) string {
	if d.Current == 0 || d.Completed {
		return ""
	}
	took := time.Since(p.began).Seconds()
	return fmt.Sprintf("%v left ", time.Duration(took*float64(d.Total-d.Current)/float64(d.Current))*time.Second)
}

func (p *progress) add(rec audit.Record) {
	switch {
	case rec.URLs != nil:
		pages := int64(0) // counted as in the reports: without images, videos and alternates
		for i := range rec.URLs.List {
			if audit.IsPage(rec.URLs.List[i].Kind) {
				pages++
			}
		}
		p.urls.Add(pages)
	case rec.Done != nil:
		p.blocked.Add(rec.Done.BlockedAny)
		if p.bar != nil {
			p.bar.Increment()
		}
	}
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if rec.Done != nil {
		p.sites++
	}
	p.follow(&rec, now)
	p.logLine(now)
}

func (p *progress) rate() float64 { return float64(p.urls.Load()) / time.Since(p.began).Seconds() }

func (p *progress) end() {
	p.mu.Lock()
	if p.due != nil {
		p.due.Stop()
		p.due = nil
	}
	if p.word != nil {
		p.word.Stop()
		p.word = nil
	}
	p.mu.Unlock()
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.bars.Wait()
		p.on.Draw(nil)
	} else if !p.quiet {
		p.log.Info("done", "sites", p.sites, "urls", p.urls.Load(), "urls_per_second", int64(p.rate()), "blocked", p.blocked.Load(), "seconds", int64(time.Since(p.began).Seconds()))
	}
}
