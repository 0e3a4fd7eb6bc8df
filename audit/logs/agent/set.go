// Package agent says which crawler sent a request: by the user agent, and whether the address
// proves it.
package agent

import (
	"slices"
	"strings"
	"time"

	"robots-audit/engine"
)

// Identity says whether an address proves that a request is from the crawler that it names.
type Identity uint8

// Identities.
const (
	Unknown Identity = iota // no range is published, or the list is of another time
	Genuine                 // the operator publishes the address
	Claimed                 // the operator publishes other addresses
)

// Crawler is a crawler as logs show it.
type Crawler struct {
	engine.Crawler
	UserTriggered bool   // fetches for a person, and its operator does not say that it obeys robots.txt
	Ranges        string // address of the published list; "" = none is known
	RangesDated   string // day of the list that is used: "2026-05-05"; "" = there is none
	DNS           string // suffixes of its host names, separated by commas; "" = none is published
}

// Options change what New makes.
type Options struct {
	Own    []engine.Crawler // crawlers of the user: they replace listed ones of the same name
	Ranges string           // folder with newer lists of addresses; "" = none
}

// Set knows crawlers by user agent and address. Several goroutines may use it.
type Set struct {
	names   map[string][]phrase // by the first word in small letters
	begins  [256]uint64         // lengths of the first words, by their first letter
	listed  int                 // crawlers that are listed, and the id of OtherCrawlers
	lists   []*list             // by crawler; nil = none
	related []addresses         // by crawler: those of all crawlers of its operator
	oldest  string              // day of the oldest list
	hosts   map[string]string   // by operator: ends of the host names of its crawlers, separated by commas

	crawlers []Crawler // the listed ones, then OtherCrawlers
}

// OtherCrawlers is the name of all crawlers that are not listed and for which there is no space.
const OtherCrawlers = "other crawlers"

// New makes the set of the crawler list and the own crawlers of the user.
func New(o Options) (*Set, error) {
	lists := embeddedLists()
	if o.Ranges != "" {
		if err := readFolder(o.Ranges, lists); err != nil {
			return nil, err
		}
	}
	s := &Set{names: map[string][]phrase{}, hosts: map[string]string{}}
	own := map[string]bool{}
	for _, c := range o.Own {
		own[strings.ToLower(c.Name)] = true
		s.add(c, lists)
	}
	for _, c := range engine.Crawlers() {
		if !own[strings.ToLower(c.Name)] {
			s.add(c, lists)
		}
	}
	s.listed = len(s.crawlers)
	s.crawlers = append(s.crawlers, Crawler{Crawler: engine.Crawler{Name: OtherCrawlers, Purpose: otherPurpose, Profile: "rfc9309"}})
	s.addNames()
	operators := map[string]addresses{}
	for id, l := range s.lists {
		if operator := s.crawlers[id].Operator; l != nil {
			operators[operator] = append(operators[operator], l.addrs...)
			s.hosts[operator] += "," + l.hosts
		}
	}
	for operator, of := range operators {
		of.join()
		operators[operator] = of
	}
	for _, c := range s.crawlers[:s.listed] {
		s.related = append(s.related, operators[c.Operator])
	}
	return s, nil
}

// add adds a listed crawler.
func (s *Set) add(c engine.Crawler, lists []*list) {
	k := Crawler{Crawler: c, UserTriggered: c.Obeys != "yes" && (c.Purpose == "user fetch" || c.Purpose == "abuse")}
	var of *list
	for _, l := range lists {
		if !l.covers(c.Name) {
			continue
		}
		of = l
		k.Ranges, k.DNS = l.address, l.hosts
		if !l.day.IsZero() {
			k.RangesDated = l.day.Format(time.DateOnly)
			if s.oldest == "" || k.RangesDated < s.oldest {
				s.oldest = k.RangesDated
			}
		}
	}
	s.crawlers = append(s.crawlers, k)
	s.lists = append(s.lists, of)
}

// otherPurpose is the purpose of a crawler that is not listed.
const otherPurpose = "unknown"

// Unlisted returns a crawler that is not listed.
func Unlisted(name string) Crawler {
	return Crawler{Crawler: engine.Crawler{Name: name, Purpose: otherPurpose, Profile: "rfc9309", Tokens: []string{name}, Agent: name}}
}

// Crawlers returns the listed crawlers in the order of their ids, then OtherCrawlers.
func (s *Set) Crawlers() []Crawler { return slices.Clone(s.crawlers) }

// Dated returns the day of the oldest list of addresses, and the first day for which it is too old to
// call a request Claimed: "2026-05-05", "2026-11-01".
func (s *Set) Dated() (day, until string) {
	t, err := time.Parse(time.DateOnly, s.oldest)
	if err != nil {
		return "", ""
	}
	return s.oldest, t.Add(Believed).Format(time.DateOnly)
}

func (i Identity) String() string { return [...]string{"unknown", "genuine", "claimed"}[i] }
