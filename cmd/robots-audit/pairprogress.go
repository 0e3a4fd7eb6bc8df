package main

import (
	"log/slog"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"robots-audit/audit/migrate"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
)

// pairProgress shows the progress of a check: a bar on a terminal, log lines elsewhere.
type pairProgress struct {
	log         *slog.Logger
	on          *cli.Screen
	quiet       bool
	total, done int64
	before      int64 // part of done from an earlier check
	failing     int64
	began, next time.Time
	bars        *mpb.Progress
	bar         *mpb.Bar
}

// firstPairs is the time until the first log line, which estimates the duration.
const firstPairs = 2 * time.Second

// assumedAnswer is the assumed response time before the first response.
const assumedAnswer = 100 * time.Millisecond

// forecast estimates the duration before the first request. The host with most URLs decides,
// because its URLs are requested one at a time.
func (p *pairProgress) forecast(host string, urls int64, delay time.Duration) {
	urls = urls * (p.total - p.done) / max(p.total, 1)
	if last := time.Duration(urls) * (assumedAnswer + delay); !p.quiet && last >= audits.LogInterval {
		p.log.Info("each host gets one request at a time", "host", host, "urls", urls, "about", last.Round(time.Second), "if_an_answer_takes", assumedAnswer)
	}
}

// left estimates the time for the remaining pairs at the pace so far.
func (p *pairProgress) left(now time.Time) time.Duration {
	return time.Duration(float64(now.Sub(p.began)) / float64(p.done-p.before) * float64(p.total-p.done))
}

func newPairProgress(quiet bool, on *cli.Screen, log *slog.Logger, total, done int64) *pairProgress {
	p := &pairProgress{log: log, on: on, quiet: quiet, total: total, done: done, before: done, began: time.Now()}
	p.next = p.began.Add(firstPairs)
	if quiet || !cli.Terminal(on) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(on.W), mpb.WithRefreshRate(200*time.Millisecond))
	on.Draw(p.bars)
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
		p.next = now.Add(audits.LogInterval)
		p.log.Info("following redirects", "pairs", p.done, "of", p.total, "failing", p.failing, "left", p.left(now).Round(time.Second))
	}
}

// end finishes the display; it may be called twice.
func (p *pairProgress) end() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.bars.Wait()
		p.on.Draw(nil)
		p.bar, p.quiet = nil, true
	} else if !p.quiet {
		p.quiet = true
		p.log.Info("done", "pairs", p.done, "of", p.total, "failing", p.failing, "seconds", int64(time.Since(p.began).Seconds()))
	}
}
