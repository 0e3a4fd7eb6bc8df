// Package agent says which crawler sent a request: by the user agent, and whether the address
// proves it.
package agent

import (
	"strings"
	"sync"
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
	listed  int                 // crawlers that are listed; the id of all that Others has no space for
	lists   []*list             // by crawler; nil = none
	related []addresses         // by crawler: those of all crawlers of its operator
	oldest  string              // day of the oldest list

	mu       sync.RWMutex
	crawlers []Crawler      // the listed ones, then "other crawlers", then others by name
	others   map[string]int // id by name in small letters
}

// maxOthers limits the crawlers that are not listed but have a name of their own.
const maxOthers = 100

// OtherCrawlers is the name of all crawlers that are not listed and came after many such.
const OtherCrawlers = "other crawlers"

// New makes the set of the crawler list and the own crawlers of the user.
func New(o Options) (*Set, error) {
	lists := embeddedLists()
	if o.Ranges != "" {
		if err := readFolder(o.Ranges, lists); err != nil {
			return nil, err
		}
	}
	s := &Set{names: map[string][]phrase{}, others: map[string]int{}}
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

// Crawlers returns the crawlers in the order of their ids. It grows while logs are read, because
// a crawler that is not listed gets an id when it is first seen.
func (s *Set) Crawlers() []Crawler {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append([]Crawler(nil), s.crawlers...)
}

// Dated returns the day of the oldest list of addresses, and the first day for which it is too old to
// call a request Claimed: "2026-05-05", "2026-11-01".
func (s *Set) Dated() (day, until string) {
	t, err := time.Parse(time.DateOnly, s.oldest)
	if err != nil {
		return "", ""
	}
	return s.oldest, t.Add(believed).Format(time.DateOnly)
}

// other returns the id of a crawler that is not listed. Of its spellings the first in the order of
// bytes wins, so that the order of lines does not matter.
func (s *Set) other(name string) int {
	key := strings.ToLower(name)
	s.mu.RLock()
	id, ok := s.others[key]
	known := ok && s.crawlers[id].Name <= name
	s.mu.RUnlock()
	if known {
		return id
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok = s.others[key]
	switch {
	case !ok && len(s.others) >= maxOthers:
		return s.listed
	case !ok:
		id = len(s.crawlers)
		s.others[key] = id
		s.crawlers = append(s.crawlers, Crawler{})
	case s.crawlers[id].Name <= name:
		return id
	}
	s.crawlers[id] = Crawler{Crawler: engine.Crawler{
		Name: name, Purpose: otherPurpose, Profile: "rfc9309", Tokens: []string{name}, Agent: name}}
	return id
}

func (i Identity) String() string { return [...]string{"unknown", "genuine", "claimed"}[i] }
