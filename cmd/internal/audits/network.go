package audits

import (
	"crypto/x509"
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/crawl"
)

// Network are the flags of every command that fetches: how it reaches a server, and how it
// identifies itself.
type Network struct {
	timeout      time.Duration
	Retries      int
	userAgent    string
	contact      string
	ConnectTo    cli.List
	CACert       cli.List
	allowPrivate bool
}

// Flags declares them.
func (n *Network) Flags(f *flag.FlagSet) {
	f.DurationVar(&n.timeout, "timeout", 30*time.Second, "longest `time` to connect, and to wait for an answer")
	f.IntVar(&n.Retries, "retries", 2, "`number` of retries after temporary errors. 0 or -1 = none")
	f.StringVar(&n.userAgent, "user-agent", "", "User-Agent `header` (default robots-audit/<version>, with -contact)")
	f.StringVar(&n.contact, "contact", "", "`URL` or mail address in the User-Agent, for questions of site owners")
	f.Var(&n.ConnectTo, "connect-to", "`H1:P1:H2:P2`: connect to H2:P2 in place of H1:P1, as curl does. Can be repeated")
	f.Var(&n.CACert, "ca-cert", "PEM `file` of a certificate authority to trust, too. Can be repeated")
	f.BoolVar(&n.allowPrivate, "allow-private", false, "allow redirects and sitemaps at private addresses")
}

// Client makes the client that the flags describe; never nil.
func (n *Network) Client() (*crawl.Client, error) {
	var errs []error
	if n.timeout <= 0 {
		errs = append(errs, fmt.Errorf("-timeout %v: expected more than 0", n.timeout))
	}
	for _, to := range n.ConnectTo {
		if strings.Contains(to, "@") {
			errs = append(errs, errors.New("-connect-to cannot have a name or password. Expected HOST1:PORT1:HOST2:PORT2"))
		} else if _, err := crawl.ParseConnectTo(to); err != nil {
			errs = append(errs, fmt.Errorf("-%w", err))
		}
	}
	c := &crawl.Client{
		UserAgent: n.agent(), Timeout: n.timeout, Retries: n.Retries, ConnectTo: n.ConnectTo, AllowPrivate: n.allowPrivate,
	}
	if n.Retries == 0 {
		c.Retries = -1 // the zero value of Client means the default
	}
	if len(n.CACert) > 0 {
		var err error
		if c.RootCAs, err = authorities(n.CACert); err != nil {
			errs = append(errs, err)
		}
	}
	return c, errors.Join(errs...)
}

// agent returns the User-Agent of requests.
func (n *Network) agent() string {
	if n.userAgent != "" {
		return n.userAgent
	}
	agent := "robots-audit/" + cli.Version
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
		pem, err := cli.ReadBounded(name, cli.MaxAuthorities)
		if err != nil {
			return nil, fmt.Errorf("-ca-cert %w", err)
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("-ca-cert %s: no certificate in PEM form. Expected a file that begins with -----BEGIN CERTIFICATE-----", name)
		}
	}
	return pool, nil
}
