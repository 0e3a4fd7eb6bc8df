// Package line reads access logs of web servers and content delivery networks: it opens a file,
// recognises its format and returns its requests, one for each line. It never keeps or shows the text
// of a line.
package line

import (
	"bytes"
	"cmp"
	"slices"
)

// Request is one line of an access log. Byte slices are valid until the next line.
type Request struct {
	Time    int64   // Unix seconds, UTC. A time without offset is read as UTC
	Host    []byte  // as logged, perhaps with port; nil = the line has none
	Scheme  string  // "http", "https"; "" = not in the line
	Method  []byte  // nil = not in the line
	Target  []byte  // path and query as sent, still percent-encoded. An absolute-form target is split into Scheme, Host and Target. It begins with "/", except for "OPTIONS *", CONNECT and bad requests
	Status  int     // 0 = not in the line
	Agent   []byte  // unescaped; nil = not in the line; empty = the client sent none
	Addr    []byte  // of the client, as text, without port; nil = not in the line
	ID      []byte  // unique id of the request in the log; nil = none
	Sample  float64 // 1 = each request has a line; 0.1 = one of ten has
	Decoded bool    // the server logged a decoded or rewritten path: what was sent is not known for certain
	Sub     bool    // a request that the edge itself made for another request: not one of the crawler
}

// Kind says why a line is no request.
type Kind string

// Kinds of lines that are no request.
const (
	NotHTTP   Kind = "not HTTP"   // the client did not speak HTTP: TLS on a plain port, SSH, binary data
	NoRequest Kind = "no request" // the server logged a connection without request, or the line is about something else
	BadTime   Kind = "time"       // no time, or one before 1970 or after 2099
	TooLong   Kind = "too long"   // longer than Options.MaxLine
	Binary    Kind = "binary"     // control bytes that no log has
	Fields    Kind = "fields"     // of no known format, or not of the format given
)

// Counts says what the lines of a file were: Lines = Requests + Empty + the lines of Errors.
type Counts struct {
	Lines    int64
	Requests int64
	Empty    int64 // empty lines, and those that begin with "#"
	Errors   map[Kind]*ErrorCount
}

// NoLog reports whether there are lines, and none is in a format of logs, with or without a request.
func (c *Counts) NoLog() bool {
	return c.Lines > 0 && c.Requests == 0 && c.Errors[NotHTTP] == nil && c.Errors[NoRequest] == nil && c.Errors[BadTime] == nil
}

// ErrorCount counts the lines of a kind.
type ErrorCount struct {
	Lines int64
	First []Example // at most five, the first lines of the file
}

// Example is a line that is no request. It has only the number, because the text may be about a visitor.
type Example struct {
	Line int64
	Kind Kind
}

// examples limits ErrorCount.First.
const examples = 5

// Add adds the counts of another block of the same file.
func (c *Counts) Add(o *Counts) {
	c.Lines += o.Lines
	c.Requests += o.Requests
	c.Empty += o.Empty
	for kind, e := range o.Errors {
		c.count(kind).add(e.Lines, e.First...)
	}
}

// fail counts a line that is no request.
func (c *Counts) fail(kind Kind, line int64) { c.count(kind).add(1, Example{line, kind}) }

// count returns the count of a kind.
func (c *Counts) count(kind Kind) *ErrorCount {
	e := c.Errors[kind]
	if e == nil {
		if c.Errors == nil {
			c.Errors = map[Kind]*ErrorCount{}
		}
		e = &ErrorCount{}
		c.Errors[kind] = e
	}
	return e
}

// add adds lines, and keeps the examples with the lowest numbers.
func (e *ErrorCount) add(lines int64, first ...Example) {
	e.Lines += lines
	for _, x := range first {
		if n := len(e.First); n == examples && e.First[n-1].Line <= x.Line {
			continue
		}
		at, _ := slices.BinarySearchFunc(e.First, x, func(a, b Example) int { return cmp.Compare(a.Line, b.Line) })
		e.First = slices.Insert(e.First, at, x)
		e.First = e.First[:min(len(e.First), examples)]
	}
}

// Block is a part of a file: whole lines. Blocks are independent of each other, so that several
// goroutines can parse the blocks of a file at once.
type Block struct {
	Data  []byte
	First int64 // number of the first line in the file, from 1

	format  *Format // of its first line; nil = not recognised
	fixed   bool    // the user gave the format: no other is tried
	buf     []byte  // Data and free space after it; nil = not to be used again
	longest int     // longer lines are errors; 0 = 1 MiB; negative = the block is one such line, without its text
}

// Parse calls yield for each request of the block, in order, and adds all lines to c. The request is
// used again for the next line.
func (b *Block) Parse(c *Counts, yield func(*Request)) {
	if b.longest < 0 {
		c.Lines++
		c.fail(TooLong, b.First)
		return
	}
	var p parser
	format, data := b.format, b.Data
	longest := cmp.Or(b.longest, maxLine)
	for number := b.First; len(data) > 0; number++ {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		c.Lines++
		if len(line) > longest {
			c.fail(TooLong, number)
			continue
		}
		if len(line) == 0 || line[0] == '#' || len(bytes.TrimSpace(line)) == 0 {
			c.Empty++
			if f := directive(line); f != nil && (!b.fixed || format.columns != nil) {
				format = f
			}
			continue
		}
		if kind := p.parse(format, b.fixed, line); kind != "" {
			c.fail(kind, number)
			continue
		}
		c.Requests++
		yield(&p.req)
	}
}

// Free gives the memory of the block to the next blocks. Data must not be used after it. A block
// that is not freed is left to the garbage collector.
func (b *Block) Free() {
	if b.buf != nil {
		buffers.Put((*[blockSize]byte)(b.buf[:blockSize]))
		b.buf, b.Data = nil, nil
	}
}

// parser has the fields of a line and the request made of them.
type parser struct {
	vals [fieldCount][]byte
	rank [fieldCount]uint8 // JSON: which of the names for the field was found, from 1
	buf  []byte            // what was unescaped or joined
	in   []byte            // the line that is a value of a JSON line
	req  Request
}

// parse makes the request of a line. If the line is not of the format, it tries the formats that
// are built in, unless the format is fixed.
func (p *parser) parse(f *Format, fixed bool, line []byte) Kind {
	first := Fields
	for ; f != nil; f = f.also {
		kind, fits := p.try(f, line)
		if fits {
			return kind
		}
		if first == Fields {
			first = kind
		}
		for rest := range withoutPrefix(line) {
			if kind, fits = p.try(f, rest); fits {
				return kind
			}
		}
	}
	if !fixed {
		if f, kind := p.search(line); f != nil {
			return kind
		}
	}
	if first == Fields && slices.ContainsFunc(line, func(b byte) bool { return b < '\t' }) {
		return Binary
	}
	return first
}

// search returns the first format that is built in and that the line is of; nil, Fields = none. A
// line that another program put words before is tried without them, too.
func (p *parser) search(line []byte) (*Format, Kind) {
	for _, f := range builtin {
		if kind, fits := p.try(f, line); fits {
			return f, kind
		}
	}
	for rest := range withoutPrefix(line) {
		for _, f := range builtin {
			if kind, fits := p.try(f, rest); fits {
				return f, kind
			}
		}
	}
	return nil, Fields
}

// try makes the request of a line by a format; fits = the line is of the format, even if it is no
// request.
func (p *parser) try(f *Format, line []byte) (kind Kind, fits bool) {
	p.buf, p.vals = p.buf[:0], [fieldCount][]byte{}
	ok := false
	switch {
	case len(line) == 0: // of a value of a JSON line
	case f.json != nil:
		ok = p.object(f, line)
	case f.columns != nil:
		ok = p.split(f, line)
	default:
		ok = p.text(f, line)
	}
	if !ok {
		return Fields, false
	}
	if inner := p.vals[fLine]; inner != nil {
		if len(p.in) > 0 {
			return Fields, false // a line in a line in a line
		}
		p.in = appendUnescaped(p.in, inner)
		found, kind := p.search(bytes.TrimRight(p.in, "\r\n"))
		p.in = p.in[:0]
		return kind, found != nil
	}
	kind = p.finish(f)
	return kind, kind == "" || f.json == nil && (kind == NotHTTP || kind == NoRequest)
}

// finish makes the request of the fields.
func (p *parser) finish(f *Format) Kind {
	p.req = Request{Sample: 1}
	r, v := &p.req, &p.vals
	if s := v[fStatus]; len(s) > 0 && s[0] != '-' {
		n, ok := number(s)
		if !ok || n > 999 {
			return Fields
		}
		r.Status = int(n)
	}
	kind := p.target(f)
	if !p.time() && (kind == "" || f.json == nil) {
		return BadTime
	}
	if kind != "" {
		return kind
	}
	if host := v[fHost]; r.Host == nil && !none(host) {
		if host[0] != '[' && bytes.Count(host, []byte(":")) > 1 {
			return Fields // not a host but a time
		}
		r.Host = host
	}
	if r.Scheme == "" {
		r.Scheme = scheme(v[fScheme], v[fPort])
	}
	if a := v[fAgent]; a != nil {
		r.Agent = p.agent(f, a)
	}
	r.Addr = address(v[fAddr], v[fForwarded])
	if !none(v[fID]) {
		r.ID = v[fID]
	}
	if s := v[fSample]; s != nil {
		r.Sample = sample(s)
	}
	r.Sub = v[fParent] != nil && !none(v[fParent]) && string(v[fParent]) != "00"
	return ""
}

// none says that a field has no value.
func none(v []byte) bool { return len(v) == 0 || len(v) == 1 && v[0] == '-' }

// time reads the time of the line, which may be in up to three fields.
func (p *parser) time() bool {
	t, date, zone := p.vals[fTime], p.vals[fDate], p.vals[fZone]
	if date != nil || zone != nil {
		start := len(p.buf)
		if date != nil {
			p.buf = append(append(p.buf, date...), 'T')
		}
		p.buf = append(p.buf, t...)
		p.buf = append(p.buf, zone...)
		t = p.buf[start:]
	}
	var ok bool
	p.req.Time, ok = parseTime(t)
	return ok
}

// target reads method and target, and scheme and host if the target has them.
func (p *parser) target(f *Format) Kind {
	r, v := &p.req, &p.vals
	target := v[fURI]
	switch {
	case v[fRequest] != nil:
		var kind Kind
		r.Method, target, kind = requestLine(p.unescape(f, v[fRequest]))
		if kind != "" {
			return kind
		}
	case target != nil:
		target = p.unescape(f, target)
	case v[fPath] != nil:
		target = p.unescape(f, v[fPath])
		r.Decoded = !plain(target)
	case v[fRewritten] != nil:
		target = p.unescape(f, v[fRewritten])
		r.Decoded = true
	case v[fUnsure] != nil:
		target = p.unescape(f, v[fUnsure])
		r.Decoded = bytes.IndexByte(target, '?') < 0
	}
	if none(target) {
		return NoRequest
	}
	if r.Method == nil && !none(v[fMethod]) {
		r.Method = v[fMethod]
	}
	if q := v[fQuery]; !none(q) && bytes.IndexByte(target, '?') < 0 {
		start := len(p.buf)
		p.buf = append(p.buf, target...)
		if q[0] != '?' {
			p.buf = append(p.buf, '?')
		}
		p.buf = append(p.buf, p.unescape(f, q)...)
		target = p.buf[start:]
	}
	if target[0] != '/' {
		target = p.absolute(target)
	}
	r.Target = target
	return ""
}

// absolute splits a URL into scheme, host and target.
func (p *parser) absolute(url []byte) []byte {
	name, rest, ok := bytes.Cut(url, []byte("://"))
	s := scheme(name, nil)
	if !ok || s == "" {
		return url
	}
	end := bytes.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if end == 0 {
		return url
	}
	p.req.Scheme, p.req.Host = s, rest[:end]
	if rest = rest[end:]; len(rest) > 0 && rest[0] == '/' {
		return rest
	}
	start := len(p.buf)
	p.buf = append(append(p.buf, '/'), rest...)
	return p.buf[start:]
}

// agent unescapes the user agent.
func (p *parser) agent(f *Format, a []byte) []byte {
	if none(a) {
		return a[:0:0]
	}
	a = p.unescape(f, a)
	switch {
	case f.percent:
		for n := 0; n < 2 && bytes.IndexByte(a, '%') >= 0; n++ { // CloudFront writes "%2520" for a blank in some of its logs
			start := len(p.buf)
			p.buf = appendUnquoted(p.buf, a)
			a = p.buf[start:]
		}
	case f.columns != nil && bytes.IndexByte(a, '+') >= 0:
		start := len(p.buf)
		p.buf = append(p.buf, a...)
		a = p.buf[start:]
		for i, c := range a {
			if c == '+' {
				a[i] = ' '
			}
		}
	}
	return a
}

// unescape resolves the escapes that servers write in quoted texts.
func (p *parser) unescape(f *Format, v []byte) []byte {
	if f.columns != nil || bytes.IndexByte(v, '\\') < 0 {
		return v
	}
	start := len(p.buf)
	p.buf = appendUnescaped(p.buf, v)
	return p.buf[start:]
}
