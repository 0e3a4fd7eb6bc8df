package expect

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Proposal is a robots.txt that is judged in the place of the one that a host serves, as
// if it were served already: with status 200, and without a redirect.
type Proposal struct {
	Host string // as it was given: "example.com", "example.com:8443", or with a scheme
	File string // name of the file
	Body []byte

	name   string // of the host, with its port
	scheme string // "" = any
	used   bool
}

// ParseProposal reads "HOST=FILE". HOST is a host, which stands for http and https, or
// an origin, which stands for itself. The body is left to the caller.
func ParseProposal(text string) (*Proposal, error) {
	host, file, ok := strings.Cut(text, "=")
	if !ok || host == "" || file == "" {
		return nil, fmt.Errorf("%q: want HOST=FILE, such as example.com=robots.txt", text)
	}
	d, why := audit.ParseDomain(host)
	if why == "" && d.Credentials != nil {
		why = "a name and password have no place here"
	}
	if why != "" {
		return nil, fmt.Errorf("%q: %s", host, why)
	}
	return &Proposal{Host: host, File: file, name: d.Name, scheme: d.Scheme}, nil
}

// governs reports whether the proposal is for an origin.
func (p *Proposal) governs(origin string) bool {
	d, why := audit.ParseDomain(origin)
	return why == "" && d.Name == p.name && (p.scheme == "" || p.scheme == d.Scheme)
}

// served is the proposal as it would be answered.
func (p *Proposal) served() *crawl.RobotsFile {
	body := p.Body
	if body == nil {
		body = []byte{}
	}
	return &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: body}
}
