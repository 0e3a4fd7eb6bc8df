package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/jsonline"
)

// Bounds of a line of input.
const (
	longestQuestion = 32 << 20 // a robots.txt of 16 MiB and its URLs fit
	largeQuestion   = 1 << 20  // one longer than this is answered before the next one is read
)

// inquiry is a question until its answer is written. Inquiries are reused, so that a million
// questions need no more memory than a few.
type inquiry struct {
	line    []byte // the question
	tooLong bool
	answer  []byte          // the first part of it
	parts   chan answerPart // the other parts, as they are made
	done    chan struct{}   // a large question is answered
}

// answerPart is a part of an answer.
type answerPart struct {
	text []byte
	last bool
}

func (j *inquiry) large() bool { return len(j.line) > largeQuestion }

// pipeline takes questions from one reader through several workers to one writer.
type pipeline struct {
	free   chan *inquiry // to be used again
	ask    chan *inquiry // to the workers; has room for all inquiries
	order  chan *inquiry // to the writer, in the order of the questions; has room for all inquiries
	broken chan struct{} // closed when the writer takes no more answers
}

// checkJSONL answers questions until the input ends. One goroutine reads, one per core answers, and
// one writes the answers in the order of the questions.
func checkJSONL(std cli.Streams) int {
	workers := runtime.GOMAXPROCS(0)
	p := &pipeline{free: make(chan *inquiry, 2*workers), ask: make(chan *inquiry, 2*workers), order: make(chan *inquiry, 2*workers), broken: make(chan struct{})}
	for range 2 * workers {
		p.free <- &inquiry{parts: make(chan answerPart, 1), done: make(chan struct{}, 1)}
	}
	var g errgroup.Group
	g.Go(func() error { return p.read(std.In) })
	for range workers {
		g.Go(func() error { p.work(); return nil })
	}
	g.Go(func() error { return p.write(std.Out) })
	if err := g.Wait(); err != nil {
		return cli.Failed(std, err)
	}
	return cli.ExitDone
}

// read makes an inquiry of every line of the input that is not blank, until the input ends or the
// writer has failed.
func (p *pipeline) read(from io.Reader) error {
	defer close(p.order)
	defer close(p.ask)
	in := jsonline.NewLines(from, longestQuestion)
	for {
		var j *inquiry
		select {
		case j = <-p.free:
		case <-p.broken:
			return nil
		}
		var err error
		j.line, j.tooLong, err = in.Read(j.line)
		if len(bytes.TrimSpace(j.line)) == 0 && !j.tooLong {
			p.free <- j
		} else if !p.hand(j) {
			return nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// hand gives an inquiry to the workers and the writer. After a large question it waits for the
// answer. false means that the writer takes no more answers.
func (p *pipeline) hand(j *inquiry) bool {
	large := j.large() // before the writer gets j, which owns it then
	p.order <- j
	select {
	case p.ask <- j:
	case <-p.broken:
		return false
	}
	if large {
		select {
		case <-j.done:
		case <-p.broken:
			return false
		}
	}
	return true
}

// work answers questions until there are no more.
func (p *pipeline) work() {
	var m memory
	for j := range p.ask {
		a := answer{b: j.answer[:0], memory: &m, parts: j.parts, broken: p.broken}
		if j.tooLong {
			a.b = appendError(a.b, nil, fmt.Sprintf("a question of more than %d bytes", longestQuestion))
		} else {
			a.write(j.line)
		}
		if j.large() {
			m = memory{}
		} else if !j.tooLong {
			j.line = m.lines.End(j.line)
		}
		if !a.sent {
			j.answer = a.b
		}
		a.send(true)
	}
}

// write writes the answers in the order of their questions.
func (p *pipeline) write(to io.Writer) error {
	defer close(p.broken)
	out := bufio.NewWriterSize(to, 1<<16)
	for j := range p.order {
		for last := false; !last; {
			part := <-j.parts
			if _, err := out.Write(part.text); err != nil {
				return err
			}
			last = part.last
		}
		if j.large() {
			j.line, j.answer = nil, nil
			j.done <- struct{}{}
		}
		p.free <- j
		if len(p.order) == 0 { // the user may wait for this answer before sending the next question
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
