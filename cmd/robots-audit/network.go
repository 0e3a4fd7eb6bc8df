package main

import (
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"robots-audit/crawl"
)

// network are the flags of every command that fetches: how a server is
// reached, and as whom.
type network struct {
	timeout      time.Duration
	retries      int
	userAgent    string
	contact      string
	connectTo    list
	caCert       list
	allowPrivate bool
}

func (n *network) flags(f *flag.FlagSet) {
	f.DurationVar(&n.timeout, "timeout", 30*time.Second, "longest `time` to connect and for an answer to begin")
	f.IntVar(&n.retries, "retries", 2, "`number` of further tries after temporary trouble; 0 or -1 is none")
	f.StringVar(&n.userAgent, "user-agent", "", "User-Agent `header` (default robots-audit/<version>, with -contact)")
	f.StringVar(&n.contact, "contact", "", "`URL` or mail address that the User-Agent names, for site owners with questions")
	f.Var(&n.connectTo, "connect-to", "`H1:P1:H2:P2`: connect to H2:P2 where H1:P1 is meant, as curl does; may be repeated")
	f.Var(&n.caCert, "ca-cert", "PEM `file` of a certificate authority to trust as well; may be repeated")
	f.BoolVar(&n.allowPrivate, "allow-private", false, "let redirects and sitemap lines lead to private addresses")
}

// client makes the client that the settings describe, but for what concerns many sites.
func (n *network) client() (*crawl.Client, error) {
	var errs []error
	if n.timeout <= 0 {
		errs = append(errs, fmt.Errorf("-timeout %v: must be more than nothing", n.timeout))
	}
	for _, to := range n.connectTo {
		if strings.Contains(to, "@") {
			errs = append(errs, errors.New("-connect-to: names and passwords have no place in it; want HOST1:PORT1:HOST2:PORT2"))
		} else if _, err := crawl.ParseConnectTo(to); err != nil {
			errs = append(errs, fmt.Errorf("-%w", err))
		}
	}
	c := &crawl.Client{
		UserAgent: n.agent(), Timeout: n.timeout, Retries: n.retries, ConnectTo: n.connectTo, AllowPrivate: n.allowPrivate,
	}
	if n.retries == 0 {
		c.Retries = -1 // the zero value of Client means the default
	}
	if len(n.caCert) > 0 {
		var err error
		if c.RootCAs, err = authorities(n.caCert); err != nil {
			errs = append(errs, err)
		}
	}
	return c, errors.Join(errs...)
}

// agent returns the User-Agent that requests carry.
func (n *network) agent() string {
	if n.userAgent != "" {
		return n.userAgent
	}
	agent := "robots-audit/" + version
	if n.contact != "" {
		agent += " (+" + n.contact + ")"
	}
	return agent
}

// authorities returns the system's certificate authorities and those of the files.
func authorities(files []string) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	for _, name := range files {
		pem, err := readBounded(name, maxAuthorities)
		if err != nil {
			return nil, fmt.Errorf("-ca-cert: %w", err)
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("-ca-cert %s: no certificate in PEM form in it", name)
		}
	}
	return pool, nil
}
