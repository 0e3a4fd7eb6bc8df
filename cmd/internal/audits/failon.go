package audits

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// share is a flag for a share, such as "50%" or 0.5: above 0, up to 1.
type share float64

func (s *share) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(*s), 'g', 6, 64) + "%"
}

// Get lets the help show the allowed values.
func (s *share) Get() any { return *s }

// shareWords describe the allowed values of a share.
const shareWords = "a share above 0 %, up to 100 %, such as 50% or 0.5"

func (s *share) Set(text string) error {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		n /= 100
	}
	if err != nil || !(n > 0 && n <= 1) {
		return errors.New("parse error") // the words of package flag, see flagError
	}
	*s = share(n)
	return nil
}

// Kind describes the values of the flag.
func (s *share) Kind() string { return shareWords }

// readFailOn reads -fail-on and -fail-on-blocked for a run's crawlers.
func (s *Settings) readFailOn(crawlers []audit.Crawler) (reports.FailOn, error) {
	on := reports.FailOn{Severity: s.FailOn}
	for i := range crawlers {
		on.Labels = append(on.Labels, crawlers[i].Label)
	}
	if s.FailOnBlocked == "" {
		return on, nil
	}
	text, name, named := strings.Cut(s.FailOnBlocked, ":")
	var part share
	if part.Set(text) != nil {
		return on, fmt.Errorf("-fail-on-blocked %q: expected %s. A crawler can follow, as in 5%%:Googlebot", s.FailOnBlocked, shareWords)
	}
	on.Share, on.Crawlers = float64(part), audit.Leading(crawlers)
	if !named {
		return on, nil
	}
	for i, label := range on.Labels {
		if strings.EqualFold(label, strings.TrimSpace(name)) {
			on.Crawlers = []int{i}
			return on, nil
		}
	}
	return on, fmt.Errorf("-fail-on-blocked %q: %s", s.FailOnBlocked, notAsked(strings.TrimSpace(name), on.Labels))
}

// notAsked explains why a name is none of the run's crawlers.
func notAsked(name string, labels []string) string {
	if meant := wording.Nearest(name, labels); meant != "" {
		return fmt.Sprintf("the run has no crawler %q. Did you mean %s?", name, meant)
	}
	if _, err := engine.ParseCrawler(name); err == nil {
		return fmt.Sprintf("the run does not test %s. Add it to -crawlers", name)
	}
	return fmt.Sprintf("the run has no crawler %q. It has %s", name, wording.And(labels))
}

// tellFailing prints the sites that make the exit code 1, and why; false = none.
func (s *Settings) tellFailing(w io.Writer, totals reports.Totals) bool {
	if n := totals.BySeverity; n.Sites > 0 {
		cli.Complain(w, "-fail-on %s: %s", s.FailOn, cli.OnOneLine(n.String()))
	}
	if n := totals.ByBlocked; n.Sites > 0 {
		cli.Complain(w, "-fail-on-blocked %s: %s", s.FailOnBlocked, cli.OnOneLine(n.String()))
	}
	return totals.BySeverity.Sites+totals.ByBlocked.Sites > 0
}

// TellUnjudged says that a run without URLs cannot pass -fail-on-blocked; false = it had URLs.
func (s *Settings) TellUnjudged(w io.Writer, totals reports.Totals) bool {
	if s.FailOnBlocked == "" || totals.URLs > 0 {
		return false
	}
	cli.Complain(w, "-fail-on-blocked %s: no URL was found, so nothing could be judged. Name a list with -urls FILE, or add -crawl", s.FailOnBlocked)
	return true
}
