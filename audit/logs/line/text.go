package line

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
)

// part is a value of a text format.
type part struct {
	before []byte // text before the value
	field  field
	rank   uint8  // of several variables for a field the lowest is used
	after  []byte // text that ends the value; nil = the line's end
	quoted bool   // the value is in quotes, with escapes
	loose  bool   // the value may have blanks
	skip   int    // times that the first byte of after is in the value
	name   string // as the user wrote it
}

// nginxNames has the letters of names of variables.
const nginxNames = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// lexNginx splits nginx's log_format into values. The text after the last one is a value without name.
func lexNginx(s string) (parts []part) {
	for {
		before, rest, found := strings.Cut(s, "$")
		if !found {
			return append(parts, part{before: []byte(before)})
		}
		n := len(rest) - len(strings.TrimLeft(rest, nginxNames))
		if strings.HasPrefix(rest, "{") {
			n = strings.IndexByte(rest, '}') + 1
		}
		name := strings.Trim(rest[:n], "{}")
		p := part{before: []byte(before), name: "$" + name}
		p.field, p.rank = lookUp(nginxVariables, name)
		if name == "time_local" {
			p.skip = 1
		}
		parts = append(parts, p)
		s = rest[n:]
	}
}

// lexApache splits Apache's LogFormat into values.
func lexApache(s string) (parts []part) {
	var before []byte
	for len(s) > 0 {
		if s[0] != '%' || len(s) > 1 && s[1] == '%' {
			before = append(before, s[0])
			s = s[1:]
			if before[len(before)-1] == '%' {
				s = s[1:]
			}
			continue
		}
		n := 1 + len(s[1:]) - len(strings.TrimLeft(s[1:], "!,0123456789<>")) // "%!200,304{Referer}i", "%>s"
		argument := ""
		if n < len(s) && s[n] == '{' && strings.Contains(s[n:], "}") {
			end := n + strings.IndexByte(s[n:], '}')
			argument, n = s[n+1:end], end+1
		}
		n = min(n+1, len(s))
		p := part{before: before, name: s[:n]}
		letter := s[n-1 : n]
		switch {
		case letter != "t":
			if argument != "" {
				letter = "{" + strings.ToLower(argument) + "}" + letter
			}
			p.field, p.rank = lookUp(apacheDirectives, letter)
		case argument == "": // the brackets are of the value
			p.before, p.field, p.rank, p.skip = append(p.before, '['), fTime, 1, 1
			s = s[:n] + "]" + s[n:]
		case argument == "%z":
			p.field = fZone
		case !strings.HasSuffix(argument, "_frac"):
			p.field, p.rank, p.skip = fTime, 1, strings.Count(argument, " ")
		}
		parts = append(parts, p)
		before, s = nil, s[n:]
	}
	return append(parts, part{before: before})
}

// textFormat makes a format of its values.
func textFormat(name string, lexed []part) (*Format, error) {
	f := &Format{Name: name, tail: true}
	path := func(x field) bool { return x == fURI || x == fPath || x == fRewritten }
	port := func(p part) bool {
		return p.field == fPort || strings.HasSuffix(p.name, "_port") || strings.HasSuffix(p.name, "}p")
	}
	for _, p := range lexed[:len(lexed)-1] {
		if n := len(f.parts) - 1; n >= 0 {
			last := &f.parts[n]
			switch {
			case len(p.before) == 0 && path(last.field) && (p.field == fQuery || p.field == fNone),
				string(p.before) == ":" && (last.field == fHost || last.field == fAddr) && port(p):
				continue // "$uri$is_args$args" and "$host:$server_port" are one value
			case len(p.before) == 0 && (last.field != fHost || !path(p.field)):
				return nil, fmt.Errorf("the log format has no text between %s and %s, so that they cannot be told apart", last.name, p.name)
			}
			last.after = p.before
		}
		f.parts = append(f.parts, p)
	}
	f.end = lexed[len(lexed)-1].before
	if n := len(f.parts); n > 0 && len(f.end) > 0 {
		f.parts[n-1].after = f.end
	}
	for i := range f.parts {
		p := &f.parts[i]
		opened := bytes.HasSuffix(p.before, []byte(`"`))
		p.quoted = opened && bytes.HasPrefix(p.after, []byte(`"`))
		p.loose = p.field == fNone && len(p.after) > 1
		if p.skip > 0 && (len(p.after) == 0 || p.after[0] != ' ') {
			p.skip = 0
		}
		if p.field == fHost && len(p.after) == 0 && i+1 < len(f.parts) {
			f.parts[i+1].before = nil
		}
		for j := range f.parts[:i] { // two variables for one field
			if o := &f.parts[j]; o.field == p.field && p.field != fNone {
				if o.rank <= p.rank {
					p.field = fNone
				} else {
					o.field = fNone
				}
			}
		}
	}
	for _, p := range f.parts {
		f.has = append(f.has, p.field)
	}
	return f, nil
}

// text reads the values of a line of a text format.
func (p *parser) text(f *Format, line []byte) bool {
	s := line
	for i := range f.parts {
		q := &f.parts[i]
		if len(s) < len(q.before) || string(s[:len(q.before)]) != string(q.before) {
			return false
		}
		s = s[len(q.before):]
		end := q.find(s, f.tail, i == len(f.parts)-1)
		if end < 0 {
			return false
		}
		if q.field != fNone {
			p.vals[q.field] = s[:end:end]
		}
		s = s[end:]
	}
	if len(s) == 0 {
		return true // also if the line was cut inside of the user agent
	}
	if !bytes.HasPrefix(s, f.end) {
		return false
	}
	s = s[len(f.end):]
	return len(s) == 0 || f.tail && s[0] == ' '
}

// find returns the length of the value that s begins with; negative = it does not end.
func (q *part) find(s []byte, tail, last bool) int {
	if len(q.after) == 0 {
		stop := byte(' ')
		switch {
		case !last: // a host with the path after it
			stop = '/'
		case q.field == fAgent:
			return len(s)
		}
		if end := bytes.IndexByte(s, stop); end >= 0 {
			return end
		}
		return len(s)
	}
	first := q.after[0]
	if !q.quoted && !q.loose && q.skip == 0 {
		return bytes.IndexByte(s, first)
	}
	for from, skip := 0, q.skip; ; from++ {
		i := bytes.IndexByte(s[from:], first)
		if i < 0 {
			if last && from == 0 && q.field == fAgent {
				return len(s)
			}
			return -1
		}
		from += i
		switch {
		case skip > 0:
			skip--
			continue
		case q.quoted && escaped(s, from), !bytes.HasPrefix(s[from:], q.after):
			continue
		case last && tail && from+len(q.after) < len(s) && s[from+len(q.after)] != ' ':
			continue
		case q.loose && !q.quoted && bytes.IndexByte(s[:from], '"') >= 0:
			return -1
		}
		return from
	}
}

// escaped says that the byte at i has an odd number of backslashes before it.
func escaped(s []byte, i int) bool {
	n := 0
	for n < i && s[i-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// split reads the columns of a W3C line.
func (p *parser) split(f *Format, line []byte) bool {
	sep := byte(' ')
	if f.percent || bytes.IndexByte(line, '\t') >= 0 {
		sep = '\t'
	}
	for _, x := range f.columns {
		if line == nil {
			return false
		}
		value := line
		if end := bytes.IndexByte(line, sep); end >= 0 {
			value, line = line[:end], line[end+1:]
		} else {
			line = nil
		}
		if x != fNone {
			p.vals[x] = value[:len(value):len(value)]
		}
	}
	return f.percent || line == nil
}

// prefixEnds end what other programs write before a line.
var prefixEnds = [...][]byte{[]byte(" stdout F "), []byte(" stderr F "), []byte(" - - - "), []byte(": "), []byte(" | "), []byte("Z "), []byte(" - - ")}

// withoutPrefix returns what may be the line without the words that syslog, journald, a container
// runtime or a log service wrote before it: "Oct 11 22:14:15 web nginx: ", "web-1 | ", "… stdout F ".
func withoutPrefix(line []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		head := line[:min(len(line), 160)]
		for _, end := range prefixEnds {
			if i := bytes.Index(head, end); i > 0 && !yield(bytes.TrimLeft(line[i+len(end):], " ")) {
				return
			}
		}
	}
}
