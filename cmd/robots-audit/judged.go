package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/expect"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/gate"
	"robots-audit/engine"
	"robots-audit/reports"
)

func (v *verifying) judgeRun() int {
	if why := cutRun(v.run); why != "" && v.site == "" && (v.proposals == nil || v.allSites) {
		v.unread(why)
	}
	for _, site := range v.run.Sites {
		ended := false
		for rec, err := range site.Records() {
			if err != nil {
				return cli.Failed(v.std, err)
			}
			if r := rec.Robots; r != nil && r.File.Status/100 == 2 && r.File.Body == nil && r.File.Bytes > 0 {
				return cli.Usage(v.std, fmt.Errorf("%s: the records of %s have no text of %s/robots.txt. Audit the site again", v.from, site.Name, r.Origin))
			}
			ended = ended || rec.Done != nil
			if d := rec.Done; d != nil && d.State == audit.Undetermined && v.expect == "" && v.judge.Concerns(site.Name) { // otherwise the expectations report it
				v.unread(site.Name + ": the site could not be read: " + d.Why)
			}
			if err := v.out.Add(v.judge.Add(rec)); err != nil {
				return cli.Failed(v.std, err)
			}
		}
		if !ended {
			if v.judge.Concerns(site.Name) {
				v.unread(site.Name + ": its records are incomplete, because the audit stopped early")
			}
			if err := v.out.Add(v.judge.Cut(site.Name)); err != nil {
				return cli.Failed(v.std, err)
			}
		}
	}
	return cli.ExitDone
}

// judgeSites audits sites, and judges the records as they arrive.
func (v *verifying) judgeSites() int {
	s := &v.settings
	log := s.NewLog(v.std.Err)
	s.Crawlers = "Googlebot" // the audit's own verdicts are not used
	if !v.set.Patterns() {
		s.Kinds = ""
	}
	auditor, err := s.Auditor()
	if err != nil {
		return cli.Usage(v.std, err)
	}
	if !v.set.Patterns() {
		auditor.Sitemaps.Files = -1
	}
	in, end, err := s.OpenSites(v.std)
	if err != nil {
		return cli.Usage(v.std, err)
	}
	defer end()
	audits.WarnOfAuditor(log, s, auditor)
	stopping, ctx, release := cli.OnSignals(log)
	defer release()
	if in, err = s.AssignKnown(stopping, auditor.Known, in); err != nil {
		return cli.Usage(v.std, err)
	}
	for rec := range auditor.All(ctx, s.Sites(stopping, in, v.std.Err)) {
		if p := rec.Problem; p != nil && p.Stage == audit.StageList {
			v.unread("the list of sites: " + p.Detail)
		}
		if err := v.out.Add(v.judge.Add(rec)); err != nil {
			return cli.Failed(v.std, err)
		}
	}
	if stopping.Err() != nil {
		cli.Complain(v.std.Err, "stopped by a signal. Nothing is written")
		return cli.ExitSignal
	}
	if err := s.NoSite(); err != nil {
		return cli.Usage(v.std, err)
	}
	return cli.ExitDone
}

func (v *verifying) judgeRobots(name string) int {
	of := expect.Single{Local: name != "-"}
	if err := noFile(name); err != nil {
		return cli.Usage(v.std, err)
	}
	client, err := v.settings.Client()
	if err != nil {
		return cli.Usage(v.std, err)
	}
	address, credentials := withoutCredentials(name)
	if at, remote := engine.RobotsURL(address); remote {
		of.Name, of.Origin, of.Local = at, strings.TrimSuffix(at, "/robots.txt"), false
		if v.site != "" {
			return cli.Usage(v.std, errors.New("-site names the site of a file. Remove it, because "+at+" is a URL"))
		}
	} else if of.Name = name; name == "-" {
		of.Name = "stdin"
	}
	if v.site != "" {
		d, why := audit.ParseDomain(v.site)
		if why != "" {
			return cli.Usage(v.std, fmt.Errorf("-site %s: %s", v.site, why))
		}
		if d.Scheme == "" {
			d.Scheme = "https"
		}
		of.Origin = d.Origin(d.Scheme)
	}
	if v.settings.URLs != "" {
		known, took, err := audits.ReadKnown(v.settings.URLs, v.settings.URLOptions(), of.Origin)
		if err != nil {
			return cli.Usage(v.std, fmt.Errorf("-urls %s: %w", v.settings.URLs, err))
		}
		if !v.settings.Quiet {
			cli.Complain(v.std.Err, "-urls %s: %s", v.settings.URLs, took)
		}
		for _, p := range known.Unread("the list") {
			cli.Complain(v.std.Err, "-urls %s: %s", v.settings.URLs, p.Detail)
		}
		of.Known = known.All
	} else if v.set.Patterns() {
		return cli.Usage(v.std, errors.New("some expectations are patterns, which need URLs. Name a list with -urls FILE, or a run with -run"))
	}
	if of.Answers, _, err = readRobots(address, credentials, bufio.NewReader(v.std.In), client); err != nil {
		return cli.Usage(v.std, err)
	}
	suite, elsewhere := v.judge.Single(&of)
	if err := v.out.Add(suite); err != nil {
		return cli.Failed(v.std, err)
	}
	if elsewhere > 0 {
		cli.Complain(v.std.Err, "-urls %s: %d of the URLs are not on %s, and are skipped", v.settings.URLs, elsewhere, of.Origin)
	}
	return cli.ExitDone
}

// compare compares the sites of the run with the files proposed for them, if an output or
// -fail-on-flips needs it. Without it, patterns could be met by URLs that no file is proposed for.
func (v *verifying) compare() error {
	shown := v.markdown+v.sarif+v.codeQuality != "" || v.gate.On != nil
	if v.run == nil || v.proposals == nil || !shown && !v.set.Patterns() {
		return nil
	}
	var hosts []string
	for _, p := range v.proposals {
		hosts = append(hosts, p.Host)
	}
	type result struct {
		flips *gate.Flips
		err   error
	}
	compared := func(site reports.StoredSite) result {
		if !slices.Contains(v.judge.Proposed(), site.Name) {
			return result{}
		}
		proposed := site.Records()
		for _, p := range v.proposals {
			proposed = compare.Serve(proposed, p.Host, p.Body)
		}
		flips, err := gate.ReadFlips(compare.Sides(site.Records(), proposed, compare.Options{}))
		if err != nil {
			err = fmt.Errorf("%s: %w", site.Name, err)
		}
		return result{flips, err}
	}
	sum := &v.out.Summary
	sum.Files = map[string]string{}
	for _, p := range v.proposals {
		sum.Files[p.Host] = p.File
	}
	for r := range audit.InOrder(slices.Values(v.run.Sites), compared) {
		if r.err != nil {
			return r.err
		}
		if r.flips == nil {
			continue
		}
		site := r.flips.Site
		why := site.Idle(hosts...)
		if shown {
			sum.Flips = append(sum.Flips, r.flips)
			why = cmp.Or(v.gate.Add(site), site.Unread(), why)
		}
		if why != "" && (v.expect != "" || site.Old.State != audit.Undetermined) { // without expectations, judgeRun reports an unread site
			v.uncompared(site.Name + ": " + why)
		}
	}
	if why := v.gate.Unclear(); why != "" && sum.Uncompared == nil {
		v.uncompared("-fail-on-flips: " + why)
	}
	if v.expect == "" && v.gate.On == nil && sum.Unread == nil && !slices.ContainsFunc(sum.Flips, func(f *gate.Flips) bool { return f.Site.Totals.Known > 0 }) {
		v.uncompared("no URL was found, so nothing could be compared. Give a list of URLs to the audit with -urls FILE")
	}
	sum.FlipsFail = v.gate.Failing()
	for _, text := range sum.FlipsFail {
		cli.Complain(v.std.Err, "-fail-on-flips %s", cli.OnOneLine(text))
	}
	return nil
}

// uncompared notes why changes could not be judged.
func (v *verifying) uncompared(text string) {
	cli.Complain(v.std.Err, "%s", cli.OnOneLine(text))
	v.out.Summary.Uncompared = append(v.out.Summary.Uncompared, text)
}
