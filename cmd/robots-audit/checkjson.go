package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Bounds of a line of input.
const (
	longestQuestion = 32 << 20 // a robots.txt of 16 MiB and its URLs fit
	largeQuestion   = 1 << 20  // one longer than this is answered before the next one is read
)

// job is a question on its way to its answer. Jobs are used again, so that a
// million questions cost no more memory than a few.
type job struct {
	line    []byte // the question
	tooLong bool
	answer  []byte        // the first part of it
	parts   chan answered // of the answer, as they are made
	over    chan struct{} // a large question is answered
}

// answered is a part of an answer.
type answered struct {
	text []byte
	last bool
}

func (j *job) large() bool { return len(j.line) > largeQuestion }

// checkJSONL answers questions until the input ends: one goroutine reads, one
// a core answers, one writes the answers in the order of the questions.
func checkJSONL(std streams) int {
	workers := runtime.GOMAXPROCS(0)
	free, ask, order := make(chan *job, 2*workers), make(chan *job), make(chan *job, 2*workers)
	for range 2 * workers {
		free <- &job{parts: make(chan answered, 1), over: make(chan struct{}, 1)}
	}
	var g errgroup.Group
	broken := make(chan struct{}) // nobody takes answers any more
	g.Go(func() error {
		defer close(order)
		defer close(ask)
		in := bufio.NewReaderSize(std.in, 1<<16)
		if mark, _ := in.Peek(3); string(mark) == "\xEF\xBB\xBF" { // some shells put it before what they pipe
			in.Discard(3)
		}
		for {
			var j *job
			select {
			case j = <-free:
			case <-broken:
				return nil
			}
			var err error
			j.line, j.tooLong, err = readLine(in, j.line[:0])
			if len(bytes.TrimSpace(j.line)) > 0 || j.tooLong {
				large := j.large()
				order <- j // has room for every job there is
				select {
				case ask <- j:
				case <-broken:
					return nil
				}
				if large {
					select {
					case <-j.over:
					case <-broken:
						return nil
					}
				}
			} else {
				free <- j
			}
			if errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	for range workers {
		g.Go(func() error {
			for j := range ask {
				a := answer{b: j.answer[:0], parts: j.parts, broken: broken}
				if j.tooLong {
					a.b = appendError(a.b, nil, fmt.Sprintf("a question of more than %d bytes", longestQuestion))
				} else {
					a.to(j.line)
				}
				if !a.sent {
					j.answer = a.b
				}
				a.send(true)
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(broken)
		out := bufio.NewWriterSize(std.out, 1<<16)
		for j := range order {
			for last := false; !last; {
				part := <-j.parts
				if _, err := out.Write(part.text); err != nil {
					return err
				}
				last = part.last
			}
			if j.large() {
				j.line, j.answer = nil, nil
				j.over <- struct{}{}
			}
			free <- j
			if len(order) == 0 { // whoever asks may wait for this answer before the next question
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		return out.Flush()
	})
	if err := g.Wait(); err != nil {
		return failed(std, err)
	}
	return exitDone
}

// readLine reads a line without its end into buf; of one that is too long only that fact is kept.
func readLine(in *bufio.Reader, buf []byte) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > longestQuestion {
			tooLong, buf = true, buf[:0]
		}
		if !tooLong {
			buf = append(buf, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(buf, []byte("\n")), tooLong, err
		}
	}
}
