package compare

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Unreachable reports whether robots.txt could not be fetched: 5xx, 429, no answer, or an
// incomplete one.
func (a *Answer) Unreachable() bool { return a.class() == AnswerUnreachable }

// Asked reports whether the request was sent, and not prevented by our own limits or an
// interruption.
func (a *Answer) Asked() bool { return a.class() != AnswerOurs }

// Trouble says in words why the body was not read completely; "" = it was, or the status explains
// it.
func (a *Answer) Trouble() string {
	if a.Code == "" || a.Code == crawl.CodeHTTPStatus {
		return ""
	}
	return audit.Meaning(a.Code)
}

// Words describe the answer: "HTTP 404 Not Found", "HTTP 200", "no answer within the time allowed".
func (a *Answer) Words() string {
	switch {
	case a.Given:
		return "your draft of robots.txt"
	case a.Code != "" && a.Code != crawl.CodeHTTPStatus && a.Code != crawl.CodeBodyTooLarge:
		return audit.Meaning(a.Code)
	case http.StatusText(a.Status) != "":
		return fmt.Sprintf("HTTP %d %s", a.Status, http.StatusText(a.Status))
	}
	return fmt.Sprintf("HTTP %d", a.Status)
}

// addAnswer reports differences in the answer to the request for robots.txt.
func (c *comparison) addAnswer(o *Origin) {
	old, new := o.Old, o.New
	if old.class() == AnswerOurs || new.class() == AnswerOurs {
		return
	}
	what := o.Name + "/robots.txt"
	given := old.Given || new.Given // then the server's behaviour is unknown, and only the content is compared
	if a, b := old.Words(), new.Words(); a != b && !(given && old.class() == new.class()) {
		c.addStatus(o, what, a, b)
	}
	if !given && (old.FinalURL != new.FinalURL || old.Hops != new.Hops) {
		if old.class() != AnswerUnreachable && new.class() != AnswerUnreachable {
			severity := Info
			if hostOf(originOf(old.FinalURL)) != hostOf(originOf(new.FinalURL)) {
				severity = Medium
			}
			c.add(Change{Kind: KindRedirect, What: what, Before: old.way(), After: new.way(), Severity: severity, Condition: ""})
		}
	}
	if old.class() != AnswerRead || new.class() != AnswerRead {
		return
	}
	if was, is := old.typeWords(), new.typeWords(); was != is && !given {
		severity := Info
		if isPlain(old.Type) && !isPlain(new.Type) {
			severity = Medium
		}
		c.add(Change{Kind: KindType, What: what, Before: was, After: is, Severity: severity, Condition: ""})
	}
	if !old.HasAnswer || !new.HasAnswer || o.sameBody() {
		return
	}
	c.addBody(o, what)
	c.addSize(what, old, new)
	if old.Kind == BodyText && new.Kind == BodyText {
		c.addEncoding(what, old, new)
	}
}

// addStatus reports a different status of robots.txt.
func (c *comparison) addStatus(o *Origin, what, was, is string) {
	ch := Change{Kind: KindStatus, What: what, Before: was, After: is, Severity: Info, Condition: "", Short: is}
	switch old, new := o.Old.class(), o.New.class(); {
	case old == new:
	case new == AnswerUnreachable:
		ch.Severity, ch.Condition = Critical, "AL03"
		ch.After += ": " + c.meanings(o)
		ch.Subjects, ch.URLs = []string{o.Name}, o.NewlyBlocked
	case old == AnswerRead: // missing, or a redirect without a target
		ch.Severity = Medium
		ch.After += ": everything is allowed now"
		if blocksAnything(o.Old) {
			ch.Severity, ch.Condition = High, "AL04"
			if n := o.NewlyAllowed; n > 0 {
				ch.After += ", " + wording.URLs(n) + " newly allowed"
			}
			ch.Subjects, ch.URLs = []string{o.Name}, o.NewlyAllowed
		}
	case new == AnswerRead:
		ch.Condition = ended
	}
	c.add(ch)
}

// blocksAnything reports whether a file has a rule that blocks something for any crawler.
func blocksAnything(a *Answer) bool {
	if !a.HasAnswer || a.Kind != BodyText {
		return true // not known
	}
	for _, r := range rfc9309.Parse(a.Body).Rules() {
		if !r.Allow && r.Value != "" {
			return true
		}
	}
	return false
}

// meanings say what the new answer means to each crawler, now and later.
func (c *comparison) meanings(o *Origin) string {
	g := c.new.originNamed(o.Name)
	var meanings []string
	crawlers := map[string][]string{}
	for i, r := range c.new.readers {
		words := accessWords(o.New.Access[i])
		if g != nil && !g.recorded {
			words += c.new.forecast(g, r)
		}
		if crawlers[words] == nil {
			meanings = append(meanings, words)
		}
		crawlers[words] = append(crawlers[words], c.site.Crawlers[i].Label)
	}
	for i, words := range meanings {
		meanings[i] = names(crawlers[words]) + ": " + words
	}
	return strings.Join(meanings, ". ")
}

// forecast says what an unchanged answer will mean to a reader later: ". After 12 hours, …".
func (s *judged) forecast(g *governed, r reader) (words string) {
	list := s.answers.Forecast(g.record.Index, r.profile, r.robot)
	for _, p := range list {
		if p.Hours == 0 && p.If == "" {
			continue // reported as the current meaning
		}
		when, _ := strings.CutSuffix(p.String(), p.Access.String())
		what := accessWords(p.Access)
		if p.Access == engine.Parsed {
			what = "the rules of that copy apply"
		}
		words += ". " + strings.ToUpper(when[:1]) + when[1:] + what
	}
	return words
}

func accessWords(a engine.Access) string {
	switch a {
	case engine.Parsed:
		return "the rules apply"
	case engine.AllowAll:
		return "everything is allowed"
	case engine.DisallowAll:
		return "everything is blocked"
	}
	return "the effect is unknown"
}

// way says from which URL an answer came.
func (a *Answer) way() string {
	if a.Hops == 0 {
		return a.FinalURL + ", without a redirect"
	}
	return a.FinalURL + ", after " + wording.Plural(a.Hops, "redirect")
}

// typeWords is the normalized Content-Type.
func (a *Answer) typeWords() string {
	if a.Type == "" {
		return "no Content-Type"
	}
	kind, params, err := mime.ParseMediaType(a.Type)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(a.Type))
	}
	for key, value := range params {
		params[key] = strings.ToLower(value)
	}
	return mime.FormatMediaType(kind, params)
}

func isPlain(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	return kind == "" || kind == "text/plain"
}

// bodyWords describe the kinds of a body.
var bodyWords = map[BodyKind]string{
	BodyEmpty: "empty: everything is allowed", BodyText: "text", BodyHTML: "an HTML page: crawlers use only the lines that look like rules",
	BodyBinary: "UTF-16 or binary: crawlers ignore all of its lines",
}

// addBody reports a different kind of body.
func (c *comparison) addBody(o *Origin, what string) {
	old, new := o.Old, o.New
	if old.Kind == new.Kind {
		return
	}
	ch := Change{Kind: KindBody, What: what, Before: bodyWords[old.Kind], After: bodyWords[new.Kind], Severity: High, Condition: ""}
	switch new.Kind {
	case BodyHTML, BodyEmpty:
		ch.Severity, ch.Condition = Critical, "AL05"
		ch.Subjects, ch.URLs = []string{o.Name}, o.Flips()
	case BodyText:
		ch.Severity, ch.Condition = Info, ended
	}
	c.add(ch)
}

// limit is how much of a file a reader reads.
type limit struct {
	reader  string
	profile string // the profile with this limit, current or past
	unit    string
	most    int
	of      func(a *Answer) int
	beyond  string // what happens to the part, or file, beyond it
}

// limits are the limits of readers, see engine.Profile.ByteLimit and
// engine.MaxYandexRules.
var limits = []limit{
	{"Google and RFC 9309", "google", "byte", byteLimit("google"), size, "the rest of the file is ignored"},
	{"Yandex", "yandex", "byte", byteLimit("yandex"), size, "the whole file is ignored, and everything is allowed"},
	{"Yandex", "yandex", "rule", engine.MaxYandexRules, rules, "its checker reports an error"},
	{"Yandex by its help of 2016", "yandex-2016", "byte", byteLimit("yandex-2016"), size, "the whole file is ignored, and everything is allowed"},
}

func byteLimit(profile string) int {
	p, _ := engine.ProfileByName(profile)
	return p.ByteLimit()
}

func size(a *Answer) int { return len(a.Body) }

func rules(a *Answer) int {
	whole := *rfc9309
	whole.Limit = -1
	return len(whole.Parse(a.Body).Rules())
}

// addSize reports limits that the file approached, exceeded, or no longer does. If the meaning is
// the same for several readers, it is reported once.
func (c *comparison) addSize(what string, old, new *Answer) {
	var before, after, subjects, readers []string
	var alike *limit // the previous limit, if its words are the same
	worst, better := Info, true
	condition := ""
	for _, l := range limits {
		asked := slices.ContainsFunc(c.site.Crawlers, func(c Crawler) bool { return c.New.Profile == l.profile })
		if p, _ := engine.ProfileByName(l.profile); p.Superseded && !asked {
			continue
		}
		n, m := l.of(old), l.of(new)
		was, is := l.level(n), l.level(m)
		if was == is {
			continue
		}
		if alike != nil && alike.unit == l.unit && alike.most == l.most && was < 2 && is < 2 {
			readers, before, after = append(readers, strings.Split(l.reader, " and ")...), before[:len(before)-1], after[:len(after)-1]
		} else {
			readers = strings.Split(l.reader, " and ")
		}
		alike = &l
		before, after = append(before, l.words(n, readers)), append(after, l.words(m, readers))
		if is < was {
			continue
		}
		better, worst, condition = false, High, "AL08"
		subjects = append(subjects, fmt.Sprintf("%s: %s %ss", l.reader, levels[is], l.unit))
	}
	if after == nil {
		return
	}
	if better {
		condition = ended
	}
	c.add(Change{Kind: KindSize, What: what, Before: strings.Join(slices.Compact(before), ". "), After: strings.Join(slices.Compact(after), ". "), Short: after[0], Severity: worst, Condition: condition, Subjects: subjects})
}

// levels are the words for each level; the first has none.
var levels = []string{"", "near the limit of", "beyond the limit of"}

// level says whether a size is far below the limit, over four fifths of it, or beyond it.
func (l *limit) level(n int) int {
	switch {
	case n > l.most:
		return 2
	case n > l.most/5*4:
		return 1
	}
	return 0
}

// words describe a size compared to the limit of some readers.
func (l *limit) words(n int, readers []string) string {
	words := wording.Plural(n, l.unit)
	if at := l.level(n); at > 0 {
		words += ", " + levels[at] + " " + wording.And(readers) + " (" + wording.Plural(l.most, l.unit) + ")"
		if at == 2 {
			words += ": " + l.beyond
		}
	}
	return words
}

// addEncoding reports differences in encoding and line ends.
func (c *comparison) addEncoding(what string, old, new *Answer) {
	if was, is := encoding(old.Body), encoding(new.Body); was != is {
		severity := Info
		if utf8.Valid(old.Body) && !utf8.Valid(new.Body) {
			severity = Medium
		}
		c.add(Change{Kind: KindEncoding, What: what, Before: was, After: is, Severity: severity, Condition: ""})
	}
	if was, is := lineEnds(old.Body), lineEnds(new.Body); was != is && was != "" && is != "" {
		c.add(Change{Kind: KindLineEnds, What: what, Before: was, After: is, Severity: Info, Condition: ""})
	}
}

func encoding(body []byte) string {
	words := "UTF-8"
	if !utf8.Valid(body) {
		words = "not UTF-8"
	}
	if strings.HasPrefix(string(body[:min(3, len(body))]), "\xEF\xBB\xBF") {
		words += " with a byte order mark"
	}
	return words
}

// lineEnds lists the line ends of a file: "LF", "CR LF", "CR", or several; "" = none.
func lineEnds(body []byte) string {
	var s sideLines
	s.cut(string(body))
	found := map[string]bool{}
	for _, l := range s.lines {
		if l.end != "" {
			found[map[string]string{"\n": "LF", "\r": "CR", "\r\n": "CR LF"}[l.end]] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " and ")
}
