package main

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"hash/maphash"
	"strconv"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// partSize is the approximate size of the parts in which a long answer is sent.
const partSize = 64 << 10

// answer is the answer to a question while it is written. Finished parts of a long answer are sent
// at once, to save memory.
type answer struct {
	b      []byte
	memory *memory
	sent   bool // a part was sent
	parts  chan<- answerPart
	broken <-chan struct{} // closed when the writer takes no more parts
}

// send sends what is in the buffer.
func (a *answer) send(last bool) {
	select {
	case a.parts <- answerPart{a.b, last}:
	case <-a.broken:
	}
	a.b, a.sent = nil, true
}

// sendFull sends the buffer once it fills a part.
func (a *answer) sendFull() {
	if len(a.b) >= partSize {
		a.send(false)
		a.b = make([]byte, 0, partSize+partSize/8)
	}
}

// write writes the answer to a question, and a line end.
func (a *answer) write(line []byte) {
	var q question
	if err := q.parse(line, a.memory); err != nil {
		a.b = appendError(a.b, idOf(line), "not a question: "+err.Error())
		return
	}
	crawler, err := q.asker()
	if err != nil {
		a.b = appendError(a.b, q.ID, err.Error())
		return
	}
	profile, err := engine.ParseProfile(crawler.Profile)
	if err != nil {
		a.b = appendError(a.b, q.ID, err.Error())
		return
	}
	robots, err := q.read(a.memory, profile)
	if err != nil {
		a.b = appendError(a.b, q.ID, err.Error())
		return
	}
	group := robots.Group(crawler)
	a.b = appendID(append(a.b, '{'), q.ID)
	a.b = append(a.b, `"access":"`...)
	a.b = append(a.b, robots.Access.String()...)
	a.b = append(a.b, `","verdicts":[`...)
	ofGroup := strconv.AppendInt([]byte(`,"group_line":`), int64(group.Line), 10)
	ofGroup = append(append(append(ofGroup, `,"group_reason":"`...), group.Reason...), `"}`...)
	first := true
	var resolve resolver
	for asked := range q.asked() {
		if !first {
			a.b = append(a.b, ',')
		}
		first = false
		a.b = asked.appendName(append(a.b, '{'))
		if problem := cmp.Or(asked.problem, profile.URLProblem(asked.url)); problem != "" {
			a.b = escape.AppendTerminalString(append(a.b, `,"error":`...), "it "+problem)
			a.b = append(a.b, '}')
		} else {
			url := profile.AsURL(asked.url)
			a.b = append(resolve.appendAsked(appendVerdict(a.b, group, url, q.Explain), group, url), ofGroup...)
		}
		a.sendFull()
	}
	a.b = append(a.b, ']')
	if q.Explain {
		a.b = escape.AppendTerminalString(append(a.b, `,"why":`...), audit.ReadWhy(robots.Why))
	}
	a.fileFields(robots, group, &q)
	a.b = append(a.b, '}', '\n')
}

// appendName appends a URL in the form in which the question names it.
func (u *askedURL) appendName(b []byte) []byte {
	if u.b64 {
		return escape.AppendTerminalString(append(b, `"url_b64":`...), u.written)
	}
	return escape.AppendTerminalString(append(b, `"url":`...), u.written)
}

// appendVerdict appends the verdict on a URL after its name, without the fields that are the same
// for all URLs.
func appendVerdict(b []byte, group *engine.Group, url string, explain bool) []byte {
	d := group.Verdict(url)
	b = append(b, `,"verdict":"`...)
	b = append(b, d.Verdict.String()...)
	b = append(b, `","line":`...)
	b = strconv.AppendInt(b, int64(d.Line()), 10)
	b = append(b, `,"rule":`...)
	if d.Rule != nil {
		b = escape.AppendTerminalString(b, d.Rule.String())
	} else {
		b = append(b, `""`...)
	}
	if explain {
		b = appendExplanation(b, group, url)
	}
	return b
}

// fileFields writes what a file contains besides rules, if the profile uses it.
func (a *answer) fileFields(r *engine.Robots, g *engine.Group, q *question) {
	if g.CrawlDelay > 0 {
		a.b = append(a.b, `,"crawl_delay":`...)
		a.b = strconv.AppendFloat(a.b, g.CrawlDelay, 'f', -1, 64)
	}
	if host := r.Host(); host != "" {
		a.b = escape.AppendTerminalString(append(a.b, `,"host":`...), host)
	}
	sitemaps := r.Sitemaps()
	for i, s := range sitemaps {
		if i == 0 {
			a.b = append(a.b, `,"sitemaps":[`...)
		} else {
			a.b = append(a.b, ',')
		}
		a.b = escape.AppendTerminalString(a.b, s.Value)
		a.sendFull()
	}
	if len(sitemaps) > 0 {
		a.b = append(a.b, ']')
	}
	if len(r.CleanParams()) == 0 {
		return
	}
	a.b = append(a.b, `,"clean_param":{`...)
	comma := false
	seen := map[uint64]bool{} // by hash: a question may have millions of URLs
	for asked := range q.asked() {
		canonical := r.Canonical(asked.url)
		if canonical == asked.url || asked.problem != "" { // even a URL that cannot be judged may have parameters: Yandex's help writes none with a scheme
			continue
		}
		if asked.b64 {
			canonical = base64.StdEncoding.EncodeToString([]byte(canonical))
		}
		hash := maphash.String(urlSeed, asked.written)
		if seen[hash] {
			continue
		}
		seen[hash] = true
		if comma {
			a.b = append(a.b, ',')
		}
		comma = true
		a.b = escape.AppendTerminalString(append(escape.AppendTerminalString(a.b, asked.written), ':'), canonical)
		a.sendFull()
	}
	a.b = append(a.b, '}')
}

var urlSeed = maphash.MakeSeed()

// appendExplanation appends the explanation of a verdict, for questions that ask for it. This is
// the reason in words and, if a rule decided, its weight and the runner-up. It adds the verdict
// without the deciding line, or why that is unknown, and the group that the crawler then joins.
func appendExplanation(b []byte, group *engine.Group, url string) []byte {
	e := group.Explain(url)
	b = escape.AppendTerminalString(append(b, `,"why":`...), e.Why)
	if e.Rule == nil {
		return b
	}
	b = strconv.AppendInt(append(b, `,"octets":`...), int64(e.Octets), 10)
	if e.RunnerUp != nil {
		b = strconv.AppendInt(append(b, `,"runner_up_line":`...), int64(e.RunnerUp.Line), 10)
		b = escape.AppendTerminalString(append(b, `,"runner_up":`...), e.RunnerUp.String())
		b = strconv.AppendInt(append(b, `,"margin":`...), int64(e.Margin), 10)
	}
	b = append(append(append(b, `,"without":"`...), e.Without.String()...), '"')
	if e.Without == engine.Unknown {
		b = escape.AppendTerminalString(append(b, `,"without_why":`...), group.Reread(e.Rule.Line))
	}
	if e.Join.Line > 0 {
		b = strconv.AppendInt(append(b, `,"without_joins":`...), int64(e.Join.Line), 10)
		b = strconv.AppendBool(append(b, `,"empty_instead":`...), e.Join.Empty)
	}
	return b
}

func appendError(b []byte, id json.RawMessage, text string) []byte {
	b = appendID(append(b, '{'), id)
	b = escape.AppendTerminalString(append(b, `"error":`...), text)
	return append(b, '}', '\n')
}

// appendID appends the id of a question as written, null if it has none.
func appendID(b []byte, id json.RawMessage) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	return append(escape.AppendTerminalJSON(append(b, `"id":`...), id), ',')
}
