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

// Network are the flags of every command that fetches: how a server is
// reached, and as whom.
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
	f.DurationVar(&n.timeout, "timeout", 30*time.Second, "longest `time` to connect and for an answer to begin")
	f.IntVar(&n.Retries, "retries", 2, "`number` of further tries after temporary trouble; 0 or -1 is none")
	f.StringVar(&n.userAgent, "user-agent", "", "User-Agent `header` (default robots-audit/<version>, with -contact)")
	f.StringVar(&n.contact, "contact", "", "`URL` or mail address that the User-Agent names, for site owners with questions")
	f.Var(&n.ConnectTo, "connect-to", "`H1:P1:H2:P2`: connect to H2:P2 where H1:P1 is meant, as curl does; may be repeated")
	f.Var(&n.CACert, "ca-cert", "PEM `file` of a certificate authority to trust as well; may be repeated")
	f.BoolVar(&n.allowPrivate, "allow-private", false, "let redirects and sitemap lines lead to private addresses")
}

// Client makes the client that the flags describe; never nil.
func (n *Network) Client() (*crawl.Client, error) {
	var errs []error
	if n.timeout <= 0 {
		errs = append(errs, fmt.Errorf("-timeout %v: must be more than nothing", n.timeout))
	}
	for _, to := range n.ConnectTo {
		if strings.Contains(to, "@") {
			errs = append(errs, errors.New("-connect-to: names and passwords have no place in it; want HOST1:PORT1:HOST2:PORT2"))
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

// agent returns the User-Agent that requests carry.
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
			return nil, fmt.Errorf("-ca-cert: %w", err)
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("-ca-cert %s: no certificate in PEM form in it", name)
		}
	}
	return pool, nil
}
