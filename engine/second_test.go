package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// This file implements rfc9309 and bing a second time, in the simplest way and without
// the engine: lines by regular expressions, paths as lists of bytes, and wildcards by
// trying. Both must give the same verdict by the same line.

// secondReader is a reader of the second implementation.
type secondReader struct {
	bing   bool
	tokens []string // of the crawler; rfc9309 uses only the first one
	noStar bool     // it does not obey "*"
}

// secondRule is a rule, with the number of its line.
type secondRule struct {
	allow bool
	path  string
	line  int
}

var (
	secondLineEnd = regexp.MustCompile(`\r\n|\n|\r`)
	secondToken   = regexp.MustCompile(`^[A-Za-z_-]*`)
	secondGlobal  = regexp.MustCompile(`^\*([ \t\n\v\f\r]|$)`)
)

const secondSpace = " \t\n\v\f\r"

// verdict judges a path.
func (s secondReader) verdict(rules []secondRule, path string) (verdict string, line int) {
	path, _, _ = strings.Cut(path, "#")
	url, places := s.write(s.read(path, false))
	if url == "/robots.txt" {
		return "allow", 0
	}
	verdict = "allow"
	longest := -1
	for _, r := range rules {
		if r.path == "" || r.path[0] != '/' && r.path[0] != '*' {
			continue
		}
		text, end := strings.CutSuffix(r.path, "$")
		rule := s.read(text, true)
		length := s.length(rule)
		if end {
			length++
		}
		if length < longest || length == longest && (verdict == "allow" || !r.allow) || !s.matches(rule, url, places, end) {
			continue
		}
		if longest, line, verdict = length, r.line, "disallow"; r.allow {
			verdict = "allow"
		}
	}
	return verdict, line
}

// rules returns the rules of the groups that the crawler obeys, in the order of
// the file.
func (s secondReader) rules(body string) (list []secondRule) {
	body = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(body[:min(len(body), 500<<10)], "\xEF"), "\xBB"), "\xBF")
	type group struct {
		agents []string
		rules  []secondRule
	}
	var groups []*group
	for i, text := range secondLineEnd.Split(body, -1) {
		text, _, _ = strings.Cut(text, "#")
		field, value, found := strings.Cut(text, ":")
		if !found {
			continue
		}
		value = strings.Trim(value, secondSpace)
		switch field = strings.ToLower(strings.Trim(field, secondSpace)); field {
		case "user-agent":
			if len(groups) == 0 || len(groups[len(groups)-1].rules) > 0 {
				groups = append(groups, &group{})
			}
			g := groups[len(groups)-1]
			g.agents = append(g.agents, value)
		case "allow", "disallow":
			if len(groups) > 0 {
				g := groups[len(groups)-1]
				g.rules = append(g.rules, secondRule{field == "allow", value, i + 1})
			}
		}
	}
	tokens := s.tokens
	if !s.bing {
		tokens = tokens[:1]
	}
	named := func(token string) (found bool) {
		for _, g := range groups {
			for _, agent := range g.agents {
				if token == "*" && secondGlobal.MatchString(agent) || token != "*" && strings.EqualFold(secondToken.FindString(agent), token) {
					list, found = append(list, g.rules...), true
					break
				}
			}
		}
		return found
	}
	for _, token := range tokens {
		if named(token) {
			return list
		}
	}
	if !s.noStar {
		named("*")
	}
	return list
}

// secondOctet is a byte of a path as written, or a byte of a rule.
type secondOctet struct {
	text   string // the byte, or its escape in upper case
	octet  byte
	escape bool
	place  byte // 'p' in the path, 'q' in the query; in a rule '*' = either, 0 = a wildcard
}

// read splits a path or a rule into bytes.
func (s secondReader) read(path string, rule bool) (list []secondOctet) {
	place := byte('p')
	for i := 0; i < len(path); i++ {
		o := secondOctet{path[i : i+1], path[i], false, place}
		if i+2 < len(path) && o.octet == '%' {
			if octet, err := strconv.ParseUint(path[i+1:i+3], 16, 8); err == nil {
				o = secondOctet{path[i : i+3], byte(octet), true, place}
				i += 2
			}
		}
		switch {
		case o.octet >= 0x80, o.octet == '*' && !rule && !s.bing:
			o.text, o.escape = fmt.Sprintf("%%%02X", o.octet), true
		case rule || !s.bing:
			if o.escape {
				o.text = strings.ToUpper(o.text)
			}
		}
		if rule && o.text == "*" {
			if o.place = 0; place == 'p' {
				place = '*'
			}
		}
		if list = append(list, o); o.text == "?" {
			place = 'q'
		}
	}
	return list
}

// in returns the compared form of a byte in the path ('p'), in the query ('q'), or
// where it may be either ('*'): the byte itself if its escape equals it (see
// EncodingRFC).
func (s secondReader) in(o secondOctet, place byte) string {
	if s.bing || !o.escape || o.octet >= 0x80 {
		return o.text
	}
	same := ".-_~:@[]!$'(),;abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	switch place {
	case 'p':
		same += "&=+"
	case 'q':
		same += "/?"
	}
	if strings.IndexByte(same, o.octet) >= 0 {
		return string(rune(o.octet))
	}
	return o.text
}

// write returns a path in the compared form, and the place of each byte.
func (s secondReader) write(url []secondOctet) (text, places string) {
	for _, o := range url {
		as := s.in(o, o.place)
		text += as
		places += strings.Repeat(string(rune(o.place)), len(as))
	}
	return text, places
}

// length counts the bytes of a rule.
func (s secondReader) length(rule []secondOctet) (n int) {
	for _, o := range rule {
		n += len(s.in(o, o.place))
	}
	return n
}

// matches tries each position for each wildcard.
func (s secondReader) matches(rule []secondOctet, url, places string, end bool) bool {
	at, star, again := 0, -1, 0
	for i := 0; ; {
		if at < len(rule) && rule[at].place == 0 {
			star, again = at, i
			at++
			continue
		}
		if at == len(rule) && (!end || i == len(url)) {
			return true
		}
		if at < len(rule) && i < len(url) {
			if text := s.in(rule[at], places[i]); strings.HasPrefix(url[i:], text) {
				at, i = at+1, i+len(text)
				continue
			}
		}
		if star < 0 || again >= len(url) {
			return false
		}
		again++
		at, i = star+1, again
	}
}

// secondReaders are the readers that are compared, by the crawler of the engine.
var secondReaders = map[string]secondReader{
	"token:FooBot@rfc9309": {tokens: []string{"FooBot"}},
	"Bingbot":              {bing: true, tokens: []string{"bingbot", "msnbot"}},
	"AdIdxBot":             {bing: true, tokens: []string{"adidxbot"}, noStar: true},
}

// checkSecond compares both implementations for all paths.
func checkSecond(t testing.TB, body string, paths []string) (asked int) {
	for name, second := range secondReaders {
		c := mustCrawler(t, name)
		g := mustProfile(t, c.Profile).Parse([]byte(body)).Group(c)
		rules := second.rules(body)
		for _, path := range paths {
			asked++
			d := g.Verdict(path)
			if verdict, line := second.verdict(rules, path); d.Verdict.String() != verdict || d.Line() != line {
				t.Errorf("%s on %q: %v, line %d; by the second implementation %s, line %d\n%q", name, path, d.Verdict, d.Line(), verdict, line, body[:min(len(body), 500)])
			}
		}
	}
	return asked
}

// secondParts are the parts of random rules and URLs.
var secondParts = strings.Fields("/ / / ? ? & = + %2F %2f %3F %3D %3d %26 %2B %3A : * * * $ %2A %24 a b c ab %61 %62 é %C3%A9 %c3%a9 % %4 %zz ~ %7e \" %22 . ; %25")

// randomText returns a text of up to n parts.
func randomText(r *rand.Rand, n int) string {
	var text strings.Builder
	for range r.IntN(n + 1) {
		text.WriteString(secondParts[r.IntN(len(secondParts))])
	}
	return text.String()
}

// pathFor returns a path that a rule may match, with a text for each wildcard and
// some escapes in another spelling.
func pathFor(r *rand.Rand, rule string) string {
	rule = strings.TrimSuffix(rule, "$")
	var path strings.Builder
	for i := 0; i < len(rule); i++ {
		switch c := rule[i]; {
		case c == '*':
			path.WriteString(randomText(r, 3))
		case c == '%' && i+2 < len(rule):
			if octet, err := strconv.ParseUint(rule[i+1:i+3], 16, 8); err == nil && octet != '#' && octet != '%' && r.IntN(3) == 0 {
				path.WriteByte(byte(octet))
			} else {
				path.WriteString(rule[i : i+3])
			}
			i += 2
		case r.IntN(12) == 0 && c != '/':
			fmt.Fprintf(&path, "%%%02X", c)
		default:
			path.WriteByte(c)
		}
	}
	if text := path.String() + randomText(r, 1); strings.HasPrefix(text, "/") {
		return text
	}
	return "/a" + path.String()
}

// randomQuestions returns a robots.txt of a few rules, and paths to judge.
func randomQuestions(r *rand.Rand, asks int) (body string, paths []string) {
	var text strings.Builder
	text.WriteString([]string{"User-agent: *\n", "User-agent: FooBot\nUser-agent: bingbot\nUser-agent: AdIdxBot\n", "User-agent: msnbot/2 x\nUser-agent: * \n"}[r.IntN(3)])
	var rules []string
	for range 1 + r.IntN(4) {
		rules = append(rules, []string{"/", "/", "/", "*", "", "/*"}[r.IntN(6)]+randomText(r, 6))
		text.WriteString([]string{"Disallow: ", "Allow:"}[r.IntN(2)] + rules[len(rules)-1] + "\n")
	}
	for i := range asks {
		if path := "/a" + randomText(r, 6); i%4 == 0 {
			paths = append(paths, path)
		} else {
			paths = append(paths, pathFor(r, rules[r.IntN(len(rules))]))
		}
	}
	return text.String(), paths
}

// TestSecondImplementation compares both with random files; TEST_QUESTIONS sets how many, TEST_SEED
// which.
func TestSecondImplementation(t *testing.T) {
	t.Parallel()
	questions, err := strconv.Atoi(os.Getenv("TEST_QUESTIONS"))
	if err != nil {
		questions = 50_000
	}
	seed, _ := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
	r := rand.New(rand.NewPCG(seed, 9309))
	asked := 0
	for asked < questions && !t.Failed() {
		body, paths := randomQuestions(r, 20)
		asked += checkSecond(t, body, paths)
	}
	t.Logf("%d questions", asked)
}

func FuzzSecondImplementation(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*%3D\nAllow: *%2F$\n", "/z?q%3Dx%2f")
	f.Fuzz(func(t *testing.T, body, path string) {
		if strings.HasPrefix(path, "/") && wideText(body) == "" && !strings.Contains(path, "\x00") {
			checkSecond(t, body, []string{path})
		}
	})
}
