package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"robots-audit/audit"
)

// progress tells how far a run is: a bar on a terminal, a log line now and
// then elsewhere.
type progress struct {
	log   *slog.Logger
	on    *screen
	quiet bool
	total int64 // sites in the list; 0 = not known

	began, next time.Time
	sites       int64
	urls        atomic.Int64 // the bar reads these two from a goroutine of its own
	blocked     atomic.Int64

	bars *mpb.Progress
	bar  *mpb.Bar
}

// logInterval is the time between two log lines.
const logInterval = 10 * time.Second

func newProgress(s *settings, on *screen, log *slog.Logger) *progress {
	p := &progress{log: log, on: on, quiet: s.quiet, total: s.sites, began: time.Now()}
	p.next = p.began.Add(logInterval)
	if !s.quiet && terminal(on.w) {
		p.drawBar()
	}
	return p
}

// drawBar begins to draw the bar.
func (p *progress) drawBar(more ...mpb.ContainerOption) {
	left := decor.Any(p.left)
	if p.total == 0 {
		left = decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)
	}
	p.bars = mpb.New(append(more, mpb.WithOutput(p.on.w), mpb.WithRefreshRate(200*time.Millisecond))...)
	p.on.draw(p.bars)
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
		),
	)
}

// terminal reports whether w is a terminal on which a bar can be drawn.
func terminal(w io.Writer) bool { return os.Getenv("TERM") != "dumb" && width(w) > 0 }

// line is the figures in words.
func (p *progress) line() string {
	return fmt.Sprintf(" %d URLs tested, %.0f/s, %d blocked ", p.urls.Load(), p.rate(), p.blocked.Load())
}

// left is the time left in words, by what the sites until now have taken;
// nobody knows before the first.
func (p *progress) left(d decor.Statistics) string {
	if d.Current == 0 || d.Completed {
		return ""
	}
	took := time.Since(p.began).Seconds()
	return fmt.Sprintf("%v left ", time.Duration(took*float64(d.Total-d.Current)/float64(d.Current))*time.Second)
}

// add counts a record.
func (p *progress) add(rec audit.Record) {
	switch {
	case rec.URLs != nil:
		pages := int64(0) // as the reports count: images, videos and alternates apart
		for i := range rec.URLs.List {
			if audit.IsPage(rec.URLs.List[i].Kind) {
				pages++
			}
		}
		p.urls.Add(pages)
	case rec.Done != nil:
		p.sites++
		p.blocked.Add(rec.Done.BlockedAny)
		if p.bar != nil {
			p.bar.Increment()
		}
	}
	now := time.Now()
	if p.bar == nil && !p.quiet && now.After(p.next) {
		p.next = now.Add(logInterval)
		p.log.Info("auditing", "sites", p.sites, "urls", p.urls.Load(), "urls_per_second", int64(p.rate()), "blocked", p.blocked.Load())
	}
}

func (p *progress) rate() float64 { return float64(p.urls.Load()) / time.Since(p.began).Seconds() }

// end finishes the display.
func (p *progress) end() {
	if p.bar != nil {
		p.bar.SetTotal(-1, true)
		p.bars.Wait()
		p.on.draw(nil)
	} else if !p.quiet {
		p.log.Info("done", "sites", p.sites, "urls", p.urls.Load(), "urls_per_second", int64(p.rate()), "blocked", p.blocked.Load(), "seconds", int64(time.Since(p.began).Seconds()))
	}
}
