package edit

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// partSize is the number of URLs in the first sample of a long list, and the number added in each
// further step.
const partSize = 200

// Find finds the smallest change that fulfils a wish. Describe puts the result into words. The
// error says why the site cannot be edited as wished, or is a [RecordsError].
func Find(ctx context.Context, w *Wish, records Records) (*Answer, error) {
	f, err := findFile(w, records)
	if err != nil {
		return nil, err
	}
	a := &Answer{}
	for _, r := range f.robots {
		a.Origins = append(a.Origins, r.Origin)
	}
	req, err := f.request(w, a)
	if err != nil {
		return nil, err
	}
	var fault error
	if err := a.countUnknown(f, records); err != nil {
		return nil, err
	}
	part := spread(f.urls, min(len(f.urls), maxSet))
	if len(f.urls) > maxSet {
		part = spread(f.urls, partSize)
	}
	before := len(f.urls)
	for len(part) <= maxSet {
		req.Set = part
		req.Known = func() iter.Seq[string] { return f.others(f.known(records, &fault), len(part) < len(f.urls)) }
		a.Result, err = smallestChange(ctx, req)
		if fault != nil {
			return nil, fault
		}
		if err != nil {
			return nil, err
		}
		left := f.left(&req, a.Result)
		if len(left) == 0 || a.Edits == nil {
			return a, nil
		}
		if len(part)+len(left) > maxSet && len(left) > before-2*partSize { // a change that works for a sample works for hardly any other URL
			break
		}
		before = len(left)
		part = append(part, spread(left, min(len(left), partSize))...)
	}
	return nil, fmt.Errorf("%s have too little in common for one change. A change for %s of them did not work for the others. Name at most %s", wording.Plural(len(f.urls), "URL"), wording.Thousands(len(part)), wording.Thousands(maxSet))
}

// octetsOfURL is the memory for a URL of a wish, in addition to that of the sample.
const octetsOfURL = 300

// Memory estimates how many bytes [Find] uses at most, in addition to the records, for a number of
// URLs, a robots.txt and the crawlers of a run.
func Memory(robots string, urls int, crawlers []audit.Crawler) int64 {
	profiles := map[string]bool{}
	for _, c := range crawlers {
		profiles[c.Profile] = true
	}
	lines := 1 + strings.Count(robots, "\n") + strings.Count(robots, "\r")
	return 1<<20 + int64(urls)*octetsOfURL + searchMemory(len(robots), lines, min(urls, maxSet), len(crawlers), len(profiles))
}

// request makes the request for the crawlers of a wish. Other crawlers of the run must not flip for
// any URL.
func (f *governed) request(w *Wish, a *Answer) (req request, err error) {
	req.Want = w.Want
	chosen := w.Crawlers
	if chosen == nil {
		chosen = f.crawlers
	}
	isChosen := func(c audit.Crawler) bool {
		return slices.ContainsFunc(chosen, func(o audit.Crawler) bool { return strings.EqualFold(o.Label, c.Label) })
	}
	for _, c := range chosen {
		if !slices.ContainsFunc(f.crawlers, func(o audit.Crawler) bool { return strings.EqualFold(o.Label, c.Label) }) {
			a.Further = append(a.Further, c)
		}
		if err = f.add(&req, &req.Crawlers, c); err != nil {
			return req, err
		}
	}
	for _, c := range f.crawlers {
		if !isChosen(c) {
			if err = f.add(&req, &req.Others, c); err != nil {
				return req, err
			}
		}
	}
	return req, nil
}

// add adds a crawler with its view of the file.
func (f *governed) add(req *request, to *[]Crawler, c audit.Crawler) error {
	robot, profile, ok := c.Robot()
	if !ok {
		return fmt.Errorf("crawler %s: this version of the program has no profile %s", c.Label, c.Profile)
	}
	file := f.answers.File(f.robots[0].Index, profile, robot)
	*to = append(*to, Crawler{Label: c.Label, Crawler: robot, Profile: profile, HopBlocked: file.HopBlocked})
	file.HopBlocked = false
	req.File = file
	return nil
}

// countUnknown counts the URLs of the wish that the run does not know.
func (a *Answer) countUnknown(f *governed, records Records) error {
	known := make([]bool, len(f.urls))
	var fault error
	for url := range f.known(records, &fault) {
		if at, asked := f.at[wishedPath(url)]; asked {
			known[at] = true
		}
	}
	for i, is := range known {
		if !is {
			if a.Unknown++; a.Unknown == 1 {
				a.UnknownURL = f.urls[i]
			}
		}
	}
	return fault
}

// others omits the wished URLs if only a sample of them is tested: their changes are wanted.
func (f *governed) others(known iter.Seq[string], leaveOut bool) iter.Seq[string] {
	if !leaveOut {
		return known
	}
	return func(yield func(string) bool) {
		for url := range known {
			if _, wished := f.at[wishedPath(url)]; !wished && !yield(url) {
				return
			}
		}
	}
}

// left judges all URLs of a wish by the new file, and returns those outside the sample that are not
// as wished. It counts the others in the result like those of the sample.
func (f *governed) left(req *request, r *Result) (left []string) {
	if len(req.Set) == len(f.urls) {
		return nil
	}
	asked := map[string]bool{}
	for _, url := range req.Set {
		asked[url] = true
	}
	silent := func(label string) bool {
		return slices.ContainsFunc(r.NoLine, func(n Reason) bool { return n.Crawler == label })
	}
	all := slices.Concat(req.Crawlers, req.Others)
	was, is := fileGroups(req.File, all), fileGroups(withBody(req.File, r.Body), all)
	old, new := engine.NewMatrix(was...), engine.NewMatrix(is...)
	before, after := make([]engine.Decision, len(all)), make([]engine.Decision, len(all))
	for _, url := range f.urls {
		if asked[url] {
			continue
		}
		old.Verdicts(url, before)
		new.Verdicts(url, after)
		lacks, flips := false, false
		for i, c := range all {
			switch is := after[i].Verdict; {
			case i >= len(req.Crawlers):
				if is != before[i].Verdict {
					r.Flips++
					flips = true
					if r.ByLabel == nil {
						r.ByLabel = map[string]int64{}
					}
					r.ByLabel[c.Label]++
					if len(r.Samples) < maxSamples {
						r.Samples = append(r.Samples, Flip{URL: url, Crawler: c.Label, Was: before[i].Verdict, Is: is})
					}
				}
			case before[i].Verdict == req.Want:
				r.Had++
			case silent(c.Label):
			default:
				r.Needed++
				lacks = lacks || is != req.Want
			}
		}
		if lacks {
			left = append(left, url)
		}
		if flips {
			r.URLs++
		}
	}
	return left
}

// fileGroups reads a file as each crawler does.
func fileGroups(file engine.File, crawlers []Crawler) (groups []*engine.Group) {
	for _, c := range crawlers {
		file.HopBlocked = c.HopBlocked
		groups = append(groups, c.Profile.Read(file).Group(c.Crawler))
	}
	return groups
}

func withBody(file engine.File, body []byte) engine.File {
	file.Body = body
	return file
}

// spread returns n elements spread evenly over a list.
func spread(list []string, n int) []string {
	part := make([]string, n)
	for i := range part {
		part[i] = list[i*len(list)/n]
	}
	return part
}
