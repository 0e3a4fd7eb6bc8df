package serve

import (
	"iter"
	"net/http"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/edit"
	"robots-audit/engine"
)

// wishView is the smallest edit that allows or blocks the chosen URLs.
type wishView struct {
	Robots  string      `json:"robots"`
	Words   string      `json:"words"`
	Edits   []edit.Edit `json:"edits"`
	Changed bool        `json:"changed"`
	Met     bool        `json:"met"` // the edit does what was asked, and changes no other verdict

	Totals   *compare.Totals `json:"totals,omitempty"` // what the edit alone changes; left out = there is no edit
	Unwanted int64           `json:"unwanted"`         // URLs whose verdict it changes, although this was not asked
	Samples  []edit.Flip     `json:"samples"`          // some of them
}

// maxUnwanted limits the examples of side effects.
const maxUnwanted = 5

// maxWished limits the URLs of one request.
const maxWished = 1000

// viewWish finds the smallest edit of a robots.txt that allows or blocks URLs.
func (d *Desk) viewWish(e *exchange, of *edited) error {
	w := &edit.Wish{URLs: of.URLs}
	switch of.Want {
	case "allow":
		w.Want = engine.Allow
	case "disallow":
		w.Want = engine.Disallow
	default:
		return badRequest(`want: expected "allow" or "disallow"`)
	}
	if len(w.URLs) == 0 || len(w.URLs) > maxWished {
		return badRequest("urls: expected 1 to 1,000 URLs")
	}
	for i, text := range w.URLs {
		w.URLs[i] = strings.TrimSpace(text)
		if !edit.IsURL(w.URLs[i]) {
			return &Refusal{short(text) + " is not a URL. Expected a path such as /shop/, or a URL of this site"}
		}
		if err := edit.Check(w.URLs[i]); err != nil {
			return &Refusal{err.Error()}
		}
	}
	give, err := e.takeForWish(of)
	if err != nil {
		return err
	}
	defer give()
	s, f, leave, err := e.trying()
	if err != nil {
		return err
	}
	defer leave()
	if of.Below {
		if w.URLs, err = s.below(w.URLs); err != nil {
			return err
		}
	}
	for _, label := range of.Crawlers {
		at := slices.IndexFunc(f.site.Crawlers, func(c audit.Crawler) bool { return c.Label == label })
		if at < 0 {
			return &Refusal{"this run did not test the crawler " + short(label)}
		}
		w.Crawlers = append(w.Crawlers, f.site.Crawlers[at])
	}
	a, err := edit.Find(e.r.Context(), w, func() iter.Seq2[audit.Record, error] { return s.proposed([]byte(of.Robots)) })
	switch {
	case e.r.Context().Err() != nil:
		return e.r.Context().Err()
	case err != nil:
		return &Refusal{err.Error()}
	}
	v := wishView{Robots: of.Robots, Words: edit.Describe(a.Result), Edits: append([]edit.Edit{}, a.Edits...), Changed: len(a.Edits) > 0, Met: a.Met(), Unwanted: a.URLs}
	v.Samples = append([]edit.Flip{}, a.Samples[:min(len(a.Samples), maxUnwanted)]...)
	if v.Changed {
		v.Robots = validUTF8(a.Body)
		if v.Totals, err = totalsOf(compare.Sides(s.proposed([]byte(of.Robots)), s.proposed(a.Body), compare.Options{})); err != nil {
			return err
		}
	}
	return e.json(http.StatusOK, v)
}

// totalsOf counts the changed pages of a comparison.
func totalsOf(items iter.Seq2[compare.Item, error]) (totals *compare.Totals, err error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if item.Site != nil {
			totals = &item.Site.Totals
		}
	}
	return totals, nil
}

// takeForWish takes the memory for the search. It reads the site's records for that and releases them, so
// that none are in use while other work has the memory.
func (e *exchange) takeForWish(of *edited) (give func(), err error) {
	_, f, err := e.editingFacts()
	if err != nil {
		return nil, err
	}
	urls := len(of.URLs)
	if of.Below {
		if urls = edit.MaxURLs; f.done != nil {
			urls = min(urls, len(of.URLs)+int(f.done.URLs))
		}
	}
	return e.desk.held.take(e.r.Context(), edit.Memory(of.Robots, urls, f.site.Crawlers))
}

// below are the known URLs of the site's own host that begin with one of the given URLs or paths. A given
// URL without a match is returned itself.
func (s *editing) below(given []string) (list []string, err error) {
	begins := make([]string, len(given))
	found := make([]bool, len(given))
	for i, text := range given {
		begins[i] = text
		if _, rest, whole := strings.Cut(text, "://"); whole {
			host, path, _ := strings.Cut(rest, "/")
			if begins[i] = "/" + path; !strings.EqualFold(host, s.host) {
				begins[i] = "\x00" // no path begins with it: a URL of another host is returned as it is
			}
		}
	}
	for rec, err := range s.records() {
		if err != nil {
			return nil, err
		}
		if rec.URLs == nil {
			continue
		}
		for i := range rec.URLs.List {
			loc := rec.URLs.List[i].Loc
			_, rest, _ := strings.Cut(loc, "://")
			path, isOwn := strings.CutPrefix(rest, s.host)
			if !isOwn || path != "" && path[0] != '/' {
				continue
			}
			at := slices.IndexFunc(begins, func(begin string) bool { return strings.HasPrefix(path, begin) })
			if at < 0 {
				continue
			}
			if found[at] = true; len(list) == edit.MaxURLs {
				return nil, &Refusal{"too many URLs begin with this: at most 200,000 are possible"}
			}
			list = append(list, strings.Clone(loc))
		}
	}
	for i, text := range given {
		if !found[i] {
			list = append(list, text)
		}
	}
	return list, nil
}
