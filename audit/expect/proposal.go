package expect

import (
	"fmt"
	"strings"

	"robots-audit/audit"
)

// Proposal is a robots.txt that is judged in place of the one that a host serves by http and https.
// It is judged as if it were served with status 200, without a redirect.
type Proposal struct {
	Host string // "example.com", "example.com:8443", as in an origin
	File string // name of the file
	Body []byte

	used bool // for some origin
}

// ParseProposal reads "HOST=FILE". The caller reads the body.
func ParseProposal(text string) (*Proposal, error) {
	host, file, ok := strings.Cut(text, "=")
	if !ok || host == "" || file == "" {
		return nil, fmt.Errorf("%q is not HOST=FILE, such as example.com=new-robots.txt", text)
	}
	d, why := audit.ParseDomain(host)
	if why != "" {
		return nil, fmt.Errorf("%q: %s", host, why)
	}
	return &Proposal{Host: hostOf(d.Origin("https")), File: file}, nil
}
