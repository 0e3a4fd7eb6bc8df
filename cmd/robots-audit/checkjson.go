package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"

	"golang.org/x/sync/errgroup"

	"robots-audit/engine"
)

// question is one line of check -jsonl's input.
type question struct {
	ID        json.RawMessage `json:"id"`
	Robots    string          `json:"robots"`
	RobotsB64 []byte          `json:"robots_b64"`
	Crawler   string          `json:"crawler"`
	Token     *string         `json:"token"`
	Profile   string          `json:"profile"`
	Fetch     *fetched        `json:"fetch"`
	URLs      []string        `json:"urls"`
	Explain   bool            `json:"explain"`
}

// fetched is how the robots.txt of a question came, where it was not a plain 200.
type fetched struct {
	Status           *int    `json:"status"`
	Error            string  `json:"error"`
	Hops             int     `json:"hops"`
	UnreachableHours float64 `json:"unreachable_hours"`
	SiteAvailable    bool    `json:"site_available"`
	Cached           *string `json:"cached"`
}

// longestQuestion bounds a line of input: a robots.txt of 16 MiB and its URLs fit.
const longestQuestion = 64 << 20

// job is a question on its way to its answer. Jobs are used again, so that a
// million questions cost no more memory than a few.
type job struct {
	line    []byte // the question
	tooLong bool
	answer  []byte
	done    chan struct{} // the answer is there
}

// checkJSONL answers questions until the input ends: one goroutine reads, one
// a core answers, one writes the answers in the order of the questions.
func checkJSONL(std streams) int {
	workers := runtime.GOMAXPROCS(0)
	free, ask, order := make(chan *job, 2*workers), make(chan *job), make(chan *job, 2*workers)
	for range 2 * workers {
		free <- &job{done: make(chan struct{}, 1)}
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
				order <- j // has room for every job there is
				ask <- j
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
				if j.tooLong {
					j.answer = appendError(j.answer[:0], nil, fmt.Sprintf("a question of more than %d bytes", longestQuestion))
				} else {
					j.answer = appendAnswer(j.answer[:0], j.line)
				}
				j.done <- struct{}{}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(broken)
		out := bufio.NewWriterSize(std.out, 1<<16)
		for j := range order {
			<-j.done
			if _, err := out.Write(j.answer); err != nil {
				return err
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

// appendAnswer appends the answer to a question, and a line end.
func appendAnswer(b, line []byte) []byte {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return appendError(b, idOf(line), "not a question: "+unreadable(err))
	}
	crawler, err := q.who()
	if err != nil {
		return appendError(b, q.ID, err.Error())
	}
	profile, ok := engine.ProfileByName(crawler.Profile)
	if !ok {
		return appendError(b, q.ID, fmt.Sprintf("there is no profile %q", crawler.Profile))
	}
	robots := profile.Read(q.file())
	group := robots.Group(crawler)
	b = appendID(append(b, '{'), q.ID)
	b = append(b, `"access":"`...)
	b = append(b, robots.Access.String()...)
	b = append(b, `","verdicts":[`...)
	ofGroup := fmt.Sprintf(`,"group_line":%d,"group_reason":"%s"}`, group.Line, group.Reason)
	for i, url := range q.URLs {
		if i > 0 {
			b = append(b, ',')
		}
		d := group.Verdict(url)
		b = append(b, `{"url":`...)
		b = appendString(b, url)
		b = append(b, `,"verdict":"`...)
		b = append(b, d.Verdict.String()...)
		b = append(b, `","line":`...)
		b = strconv.AppendInt(b, int64(d.Line()), 10)
		b = append(b, `,"rule":`...)
		if d.Rule != nil {
			b = appendString(b, d.Rule.String())
		} else {
			b = append(b, `""`...)
		}
		if q.Explain {
			b = appendExplanation(b, group.Explain(url))
		}
		b = append(b, ofGroup...)
	}
	b = append(b, ']')
	if q.Explain {
		b = appendString(append(b, `,"why":`...), robots.Why)
	}
	b = appendFileFields(b, robots, group, q.URLs)
	return append(b, '}', '\n')
}

// appendFileFields appends what a file says besides rules, where it says it
// and the profile heeds it.
func appendFileFields(b []byte, r *engine.Robots, g *engine.Group, urls []string) []byte {
	if g.CrawlDelay > 0 {
		b = append(b, `,"crawl_delay":`...)
		b = strconv.AppendFloat(b, g.CrawlDelay, 'f', -1, 64)
	}
	if host := r.Host(); host != "" {
		b = appendString(append(b, `,"host":`...), host)
	}
	for i, s := range r.Sitemaps() {
		if i == 0 {
			b = append(b, `,"sitemaps":[`...)
		} else {
			b = append(b, ',')
		}
		b = appendString(b, s.Value)
	}
	if len(r.Sitemaps()) > 0 {
		b = append(b, ']')
	}
	if len(r.CleanParams()) > 0 {
		b = append(b, `,"clean_param":{`...)
		comma := false
		seen := map[string]bool{}
		for _, url := range urls {
			canonical := r.Canonical(url)
			if canonical == url || seen[url] {
				continue
			}
			seen[url] = true
			if comma {
				b = append(b, ',')
			}
			comma = true
			b = appendString(append(appendString(b, url), ':'), canonical)
		}
		b = append(b, '}')
	}
	return b
}

// appendExplanation appends what a verdict rests on, for questions that ask for
// it: the reason in words, and where a rule decided, its weight, the runner-up
// and the verdict without it.
func appendExplanation(b []byte, e engine.Explanation) []byte {
	b = appendString(append(b, `,"why":`...), e.Why)
	if e.Rule == nil {
		return b
	}
	b = strconv.AppendInt(append(b, `,"octets":`...), int64(e.Octets), 10)
	if e.RunnerUp != nil {
		b = strconv.AppendInt(append(b, `,"runner_up_line":`...), int64(e.RunnerUp.Line), 10)
		b = appendString(append(b, `,"runner_up":`...), e.RunnerUp.String())
		b = strconv.AppendInt(append(b, `,"margin":`...), int64(e.Margin), 10)
	}
	return append(append(append(b, `,"without":"`...), e.Without.String()...), '"')
}

// idOf finds the id of a question that cannot be read, so that whoever asked
// knows which it was; nil = none is there, or the trouble comes before it.
func idOf(line []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(line))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
	return nil
}

// unreadable says why a line is no question, in words of JSON.
func unreadable(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err.Error()
	case kind.Field == "":
		return "an object is expected, and this is of type " + kind.Value
	}
	return fmt.Sprintf("%q is of type %s", kind.Field, kind.Value)
}

func appendError(b []byte, id json.RawMessage, text string) []byte {
	b = appendID(append(b, '{'), id)
	b = appendString(append(b, `"error":`...), text)
	return append(b, '}', '\n')
}

// appendID appends the id of a question as it was written, null where it has none.
func appendID(b []byte, id json.RawMessage) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return append(append(append(b, `"id":`...), id...), ',')
}

// appendString appends s as JSON. Most URLs need no escape at all.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			var buf bytes.Buffer
			e := json.NewEncoder(&buf)
			e.SetEscapeHTML(false)
			if err := e.Encode(s); err != nil { // a string cannot fail
				return append(b, `""`...)
			}
			return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// who says which crawler a question is about.
func (q *question) who() (engine.Crawler, error) {
	c := engine.Crawler{}
	switch {
	case q.Token != nil:
		c = engine.Crawler{Name: *q.Token, Tokens: []string{*q.Token}, Profile: "rfc9309"}
	case q.Crawler != "":
		var err error
		if c, err = engine.ParseCrawler(q.Crawler); err != nil {
			return c, err
		}
	default:
		return c, errors.New("a question needs a crawler or a token")
	}
	if q.Profile != "" && q.Profile != c.Profile {
		c.Profile, c.CrawlDelay = q.Profile, "" // read so, it obeys what the profile obeys, as NAME@PROFILE does
	}
	return c, nil
}

// file returns the outcome of the fetch that a question describes.
func (q *question) file() engine.File {
	f := engine.File{Status: 200, Body: q.RobotsB64}
	if f.Body == nil {
		f.Body = []byte(q.Robots)
	}
	if q.Fetch == nil {
		return f
	}
	if q.Fetch.Status != nil {
		f.Status = *q.Fetch.Status
	} else if q.Fetch.Error != "" {
		f.Status = 0
	}
	f.Error, f.Hops, f.UnreachableHours, f.SiteAvailable = q.Fetch.Error, q.Fetch.Hops, q.Fetch.UnreachableHours, q.Fetch.SiteAvailable
	if q.Fetch.Cached != nil {
		f.Cached = []byte(*q.Fetch.Cached)
	}
	return f
}
