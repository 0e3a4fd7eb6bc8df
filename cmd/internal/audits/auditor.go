package audits

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/resources"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/reports"
)

// Auditor makes the auditor that the settings describe.
func (s *Settings) Auditor() (*audit.Auditor, error) {
	own, err := s.readCrawlerList()
	if err != nil {
		return nil, err
	}
	crawlers, err := audit.ParseCrawlers(s.Crawlers, own...)
	if err != nil {
		if len(s.Crawlers) > 200 {
			return nil, fmt.Errorf("-crawlers: %w", err)
		}
		return nil, fmt.Errorf("-crawlers %q: %w", s.Crawlers, err)
	}
	if n := len(crawlers); n > reports.MaxCrawlers {
		return nil, fmt.Errorf("-crawlers: %d crawlers are too many. A run can have %d", n, reports.MaxCrawlers)
	}
	kinds, err := s.otherKinds()
	if err != nil {
		return nil, err
	}
	client, err := s.Client()
	if err != nil {
		return nil, err
	}
	proposed, err := ReadProposed(s.Robots)
	if err != nil {
		return nil, err
	}
	if proposed != nil {
		client.Served = map[string][]byte{}
	}
	for _, p := range proposed {
		client.Served[p.Host] = p.Body
	}
	auditor := s.auditor
	a := &auditor
	a.Client, a.Crawlers, a.Kinds = client, crawlers, kinds
	a.Workers, a.Waiting, client.Extra = resources.SiteLimits(resources.OpenFiles(), resources.Memory(), cmp.Or(s.Workers, audit.DefaultWorkers()))
	if s.Workers == 0 && a.Workers == audit.DefaultWorkers() {
		a.Workers = 0 // so that the number of parallel DNS lookups keeps its own default
	}
	if s.URLs != "" {
		if a.Known, err = s.readKnown("-urls", s.URLs, s.URLOptions()); err != nil {
			return nil, err
		}
	}
	if s.Indexed != "" {
		indexed, err := s.readKnown("-indexed", s.Indexed, table.Options{Encoding: s.Encoding})
		if err != nil {
			return nil, err
		}
		if a.Known == nil {
			a.Known = new(audit.Known)
		}
		a.Known.AddIndexed(indexed)
	}
	if s.SecondLook {
		look := OtherAskers
		a.SecondLook = &look
	}
	if s.AskAs != "" {
		if a.AskAs, err = audit.ParseAskAs(s.AskAs, s.askAsPages, own...); err != nil {
			return nil, fmt.Errorf("-ask-as: %w", err)
		}
	}
	if s.crawl {
		links := s.links
		a.Links = &links
	}
	return a, nil
}

// Preparation is a prepared audit: the auditor, and the options of its reports without their
// folder.
type Preparation struct {
	Auditor *audit.Auditor
	Options reports.Options
	Remarks []string // about the whole run
	Lists   string   // flags that give URLs
}

// Prepared prepares an audit of a fleet. The auditor's known URLs are assigned to the sites of the
// list; nil = there is no list yet.
func (s *Settings) Prepared(started time.Time, list func() (io.ReadCloser, error)) (*Preparation, error) {
	if len(s.Logs) > 0 {
		return nil, errors.New("-logs: a fleet cannot read access logs. Audit on the machine with the logs, or run: robots-audit logs -run RUN access.log")
	}
	auditor, err := s.Auditor()
	if err != nil {
		return nil, err
	}
	p, err := s.prepare(auditor, started)
	if err != nil || auditor.Known == nil || list == nil {
		return p, err
	}
	in, err := list()
	if err != nil {
		return nil, err
	}
	auditor.Known.Assign(audit.Domains(in))
	return p, in.Close()
}

// prepare prepares an audit with an auditor.
func (s *Settings) prepare(auditor *audit.Auditor, started time.Time) (*Preparation, error) {
	failOn, err := s.readFailOn(auditor.Crawlers)
	if err != nil {
		return nil, err
	}
	segments, err := s.readSegments()
	if err != nil {
		return nil, err
	}
	sender, err := s.Brief.Sender()
	if err != nil {
		return nil, err
	}
	p := &Preparation{Auditor: auditor, Options: s.Options, Lists: s.knownFlags(), Remarks: s.tellServed(auditor.Client.Served)}
	o := &p.Options
	o.Brief, o.AllSheets, o.Formats, o.Reports, o.Version, o.Crawlers, o.Segments, o.Started, o.Settings, o.FailOn = sender, s.Sheets == "all", s.formats(), Names(s.Reports), cli.Version, auditor.Crawlers, segments, started, s.Used, failOn
	return p, nil
}

// TokenRemark explains an unlisted crawler whose name is no product token by RFC 9309; "" = no
// remark.
func TokenRemark(c engine.Crawler) string {
	if c.Operator != "" || len(c.Tokens) == 0 || engine.IsProductToken(c.Tokens[0]) {
		return ""
	}
	return fmt.Sprintf("%s: RFC 9309 has only letters, \"-\" and \"_\" in a product token. Some crawlers compare only this part, or do not find its group", c.Name)
}

// readSegments reads the list of segments; nil = none was named.
func (s *Settings) readSegments() ([]reports.Segment, error) {
	if s.Segments == "" {
		return nil, nil
	}
	text, err := cli.ReadBounded(s.Segments, cli.MaxConfig)
	if err != nil {
		return nil, fmt.Errorf("-segments: %w", err)
	}
	list, err := reports.ParseSegments(s.Segments, text, s.Tables.Options())
	if err != nil {
		return nil, fmt.Errorf("-segments %w", err)
	}
	return list, nil
}

// otherKinds reads -kinds.
func (s *Settings) otherKinds() ([]crawl.Kind, error) {
	kinds := []crawl.Kind{} // nil would mean all
	for _, name := range Names(s.Kinds) {
		k := crawl.KindHreflang
		for k <= crawl.KindVideo && k.String() != name {
			k++
		}
		if k > crawl.KindVideo {
			return nil, fmt.Errorf("-kinds: unknown kind %q. Expected hreflang, image or video", name)
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// googlebotAgent is the User-Agent of Googlebot (Google's list of common crawlers). It is sent only
// with -second-look.
const googlebotAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"

// OtherAskers are the other ways in which robots.txt is requested again.
var OtherAskers = crawl.Variants{UserAgents: []string{googlebotAgent}, Scheme: true, WWW: true}

// formats are the additional formats of -format.
func (s *Settings) formats() []string { return Names(s.format) }

// Names splits a list of names.
func Names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
