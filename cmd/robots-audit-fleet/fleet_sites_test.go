//go:build soak

package main

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// manySites is a server for any number of sites, s0.fleet.example and so on, that records which
// machine (address) requests what. Its responses never change.
type manySites struct {
	urls  int           // of a site
	lease time.Duration // of the fleet that asks

	mu       sync.Mutex
	hosts    map[string]*asked
	leave    map[string]time.Time // until when a machine may be returning sites, by its address
	overlaps []string             // of two machines that requested from one host at a time, or alternately
	requests int
}

// asked are the requests to a host.
type asked struct {
	by   map[string]*asker // by address
	last string            // the address that asked last
	at   time.Time
	told []string // the last requests, with time and machine
}

type asker struct {
	open, requests int
	robots         int // requests for robots.txt, the number of audits begun
}

// trouble is the problem of a site, by its number.
func trouble(n int) string {
	switch {
	case n%53 == 7:
		return "none" // it has no robots.txt
	case n%101 == 13:
		return "down"
	case n%67 == 5:
		return "slow"
	case n%499 == 3:
		return "very slow"
	}
	return ""
}

func (s *manySites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Date"] = nil
	var number int
	fmt.Sscanf(r.Host, "s%d.fleet.example", &number)
	what := trouble(number)
	defer s.enter(r, what)()
	switch what {
	case "slow":
		time.Sleep(300 * time.Millisecond)
	case "very slow":
		time.Sleep(2 * time.Second)
	}
	switch {
	case r.URL.Path == "/robots.txt" && what == "none":
		http.Error(w, "none", http.StatusNotFound)
	case r.URL.Path == "/robots.txt" && what == "down":
		http.Error(w, "down", http.StatusServiceUnavailable)
	case r.URL.Path == "/robots.txt":
		fmt.Fprintf(w, "User-agent: *\nDisallow: /3\nDisallow: /7/1\nSitemap: http://%s/list.txt\n", r.Host)
	case r.URL.Path == "/list.txt":
		var list strings.Builder
		for i := range s.urls {
			fmt.Fprintf(&list, "http://%s/%d/%d\n", r.Host, i%10, i)
		}
		w.Write([]byte(list.String()))
	default:
		http.NotFound(w, r)
	}
}

// enter records a request until it is answered.
func (s *manySites) enter(r *http.Request, what string) (leave func()) {
	from, _, _ := net.SplitHostPort(r.RemoteAddr)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	h := s.hosts[r.Host]
	if h == nil {
		h = &asked{by: map[string]*asker{}}
		s.hosts[r.Host] = h
	}
	a := h.by[from]
	if h.told = append(h.told, fmt.Sprintf("%s .%s %s", time.Now().Format("05.000"), from[len(from)-2:], r.URL.Path)); len(h.told) > 40 {
		h.told = h.told[1:]
	}
	for address, other := range h.by {
		if address != from && other.open > 0 {
			s.overlap(h, "%s%s: %s asks while %s waits for an answer", r.Host, r.URL.Path, from, address)
		}
	}
	switch since := time.Since(h.at); {
	case h.last == "" || h.last == from:
	case r.URL.Path != "/robots.txt": // each audit begins with robots.txt
		s.overlap(h, "%s%s: %s goes on %v after %s did", r.Host, r.URL.Path, from, since, h.last)
	case since < s.lease/2 && what != "down" && time.Now().After(s.leave[h.last]): // a site that is down is retried soon, by any machine
		s.overlap(h, "%s%s: %s begins %v after %s has asked, which has not given it back", r.Host, r.URL.Path, from, since, h.last)
	}
	if a == nil {
		a = &asker{}
		h.by[from] = a
	}
	a.open++
	a.requests++
	if r.URL.Path == "/robots.txt" {
		a.robots++
	}
	h.last, h.at = from, time.Now()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		a.open--
		h.at = time.Now()
	}
}

// overlap records that two machines requested from one host; s.mu is locked.
func (s *manySites) overlap(h *asked, format string, values ...any) {
	s.overlaps = append(s.overlaps, fmt.Sprintf(format, values...)+": "+strings.Join(h.told, "; "))
}

// leaving records that a machine may return its sites from now until a time, so that another may
// begin at once.
func (s *manySites) leaving(address string, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave[address] = until
}

// done is the number of sites with requests.
func (s *manySites) done() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.hosts)
}

// again is the number of sites that were audited more than once. Sites that are down are retried;
// downs is the number of audits of these.
func (s *manySites) again() (sites, downs int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, h := range s.hosts {
		n := 0
		for _, a := range h.by {
			n += a.robots
		}
		var number int
		fmt.Sscanf(name, "s%d.fleet.example", &number)
		switch {
		case trouble(number) == "down":
			downs += n
		case n > 1:
			sites++
		}
	}
	return sites, downs
}

// machines are the addresses that sent requests.
func (s *manySites) machines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]bool{}
	for _, h := range s.hosts {
		for address := range h.by {
			all[address] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}
