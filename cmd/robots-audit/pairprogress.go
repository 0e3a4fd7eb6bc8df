package main

import (
	"log/slog"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"robots-audit/audit/migrate"
)

// pairProgress tells how far a check is: a bar on a terminal, a log line now and then elsewhere.
type pairProgress struct {
	log         *slog.Logger
	on          *screen
	quiet       bool
	total, done int64
	failing     int64
	began, next time.Time
	bars        *mpb.Progress
	bar         *mpb.Bar
}

func newPairProgress(quiet bool, on *screen, log *slog.Logger, total, done int64) *pairProgress {
	p := &pairProgress{log: log, on: on, quiet: quiet, total: total, done: done, began: time.Now()}
	p.next = p.began.Add(logInterval)
	if quiet || !terminal(on.w) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(on.w), mpb.WithRefreshRate(200*time.Millisecond))
	on.draw(p.bars)
	p.bar = p.bars.AddBar(total,
		mpb.PrependDecorators(decor.CountersNoUnit("%d / %d pairs", decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Percentage(decor.WCSyncSpace), decor.AverageETA(decor.ET_STYLE_GO, decor.WCSyncSpace)))
	p.bar.SetCurrent(done)
	return p
}

func (p *pairProgress) add(r *migrate.Result) {
	p.done++
	if migrate.ClassOf(r.Class).Severity.AtLeast(migrate.Error) {
		p.failing++
	}
	if p.bar != nil {
		p.bar.Increment()
		return
	}
	if now := time.Now(); !p.quiet && now.After(p.next) {
		p.next = now.Add(logInterval)
		p.log.Info("following redirects", "pairs", p.done, "of", p.total, "failing", p.failing)
	}
}

// end finishes the display; it may be called twice.
func (p *pairProgress) end() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.bars.Wait()
		p.on.draw(nil)
		p.bar, p.quiet = nil, true
	} else if !p.quiet {
		p.quiet = true
		p.log.Info("done", "pairs", p.done, "of", p.total, "failing", p.failing, "seconds", int64(time.Since(p.began).Seconds()))
	}
}
