package crawl

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func TestNameTrouble(t *testing.T) {
	tests := []struct {
		name  string
		rcode dnsmessage.RCode
		host  string
		code  string
		tries int
	}{
		{"no such name", dnsmessage.RCodeNameError, "example.test", CodeDNSNotFound, 1},
		{"a name without addresses", dnsmessage.RCodeSuccess, "example.test", CodeDNSNotFound, 1},
		{"server failure", dnsmessage.RCodeServerFailure, "example.test", CodeDNSTemporary, 3},
		{"refused", dnsmessage.RCodeRefused, "example.test", CodeDNSTemporary, 3},
		{"a label of 64 characters", dnsmessage.RCodeSuccess, strings.Repeat("a", 64) + ".test", CodeDNSNotFound, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resolver, _ := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return nil, tt.rcode })
			f := robotsOf(t, &Client{resolver: resolver}, "http://"+tt.host)
			if f.Code != tt.code || f.Tries != tt.tries || f.Status != 0 {
				t.Errorf("got code %q after %d tries (%s)", f.Code, f.Tries, f.Detail)
			}
		})
	}
}

// deafNameServer is a resolver whose name server never answers; changed is its connection.
func deafNameServer(t *testing.T, changed func(*net.UDPConn) net.Conn) *net.Resolver {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// The resolver continues to ask for some seconds after nothing waits for it:
	// the end of the test closes its connections.
	test, end := context.WithCancel(context.Background())
	t.Cleanup(func() { end(); pc.Close() })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		if test.Err() != nil {
			return nil, test.Err()
		}
		c, err := new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
		if err != nil {
			return nil, err
		}
		context.AfterFunc(test, func() { c.Close() })
		return changed(c.(*net.UDPConn)), nil
	}}
}

func TestNameServerIsSilent(t *testing.T) {
	resolver := deafNameServer(t, func(c *net.UDPConn) net.Conn { return c })
	withLongerTimeouts(t, func(timeout time.Duration) string {
		start := time.Now()
		f := robotsOf(t, &Client{resolver: resolver, Timeout: timeout}, "http://example.test")
		if took := time.Since(start); f.Code != CodeDNSTemporary || f.Tries != 1 || took > 5*timeout {
			return fmt.Sprintf("got code %q after %d tries and %v (%s)", f.Code, f.Tries, took, f.Detail)
		}
		return ""
	})
}

// shortDeadlineConn is a connection to a name server with a short timeout, whatever
// the resolver sets.
type shortDeadlineConn struct{ *net.UDPConn }

func (c shortDeadlineConn) SetDeadline(time.Time) error {
	return c.UDPConn.SetDeadline(time.Now().Add(brief / 10))
}

// If a name server does not answer in time, and there is time left, it is asked
// twice more.
func TestNameServerIsLate(t *testing.T) {
	resolver := deafNameServer(t, func(c *net.UDPConn) net.Conn { return shortDeadlineConn{c} })
	if f := robotsOf(t, &Client{resolver: resolver}, "http://example.test"); f.Code != CodeDNSTemporary || f.Tries != 3 {
		t.Errorf("got code %q after %d tries (%s)", f.Code, f.Tries, f.Detail)
	}
}

func TestConnectionRefused(t *testing.T) {
	c := led("127.0.0.1:1")
	c.Retries = 1
	if f := robots(t, c); f.Code != CodeConnectRefused || f.Tries != 2 {
		t.Errorf("got code %q after %d tries (%s)", f.Code, f.Tries, f.Detail)
	}
}

// authority issues certificates for tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

// certificate makes a certificate from a template, signed with its own key if there is
// no parent.
func certificate(t *testing.T, template, parent *x509.Certificate, public, signer any) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, cmp.Or(parent, template), public, signer)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newTestAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{key: newKey(t), pool: x509.NewCertPool()}
	der := certificate(t, &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}, nil, &a.key.PublicKey, a.key)
	var err error
	if a.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	a.pool.AddCert(a.cert)
	return a
}

// leaf is a server's certificate for a name, valid until a time.
func leaf(name string, end time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// issue makes a certificate for a name, valid until a time.
func (a *authority) issue(t *testing.T, name string, end time.Time) tls.Certificate {
	t.Helper()
	return tls.Certificate{Certificate: [][]byte{certificate(t, leaf(name, end), a.cert, &a.key.PublicKey, a.key)}, PrivateKey: a.key}
}

// issueRSA makes one with an RSA key.
func (a *authority) issueRSA(t *testing.T, name string) tls.Certificate {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{certificate(t, leaf(name, time.Now().Add(time.Hour)), a.cert, &key.PublicKey, a.key)}, PrivateKey: key}
}

// selfSigned makes a self-signed certificate.
func selfSigned(t *testing.T, name string) tls.Certificate {
	t.Helper()
	key := newKey(t)
	return tls.Certificate{Certificate: [][]byte{certificate(t, leaf(name, time.Now().Add(time.Hour)), nil, &key.PublicKey, key)}, PrivateKey: key}
}

// serveTLS starts an HTTPS server and returns its host:port.
func serveTLS(t *testing.T, config *tls.Config, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.TLS = config
	s.EnableHTTP2 = true
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.Listener.Addr().String()
}

func TestTLSTrouble(t *testing.T) {
	a, stranger := newTestAuthority(t), newTestAuthority(t)
	later, before := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	with := func(cert tls.Certificate) *tls.Config { return &tls.Config{Certificates: []tls.Certificate{cert}} }
	old := with(a.issue(t, "example.test", later))
	old.MaxVersion = tls.VersionTLS11
	old.MinVersion = tls.VersionTLS10
	asks := with(a.issue(t, "example.test", later))
	asks.ClientAuth, asks.NextProtos = tls.RequireAnyClientCert, []string{"http/1.1"}
	rsaOnly := with(a.issueRSA(t, "example.test"))
	rsaOnly.MaxVersion, rsaOnly.CipherSuites = tls.VersionTLS12, []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}
	rsaOnly.NextProtos = []string{"http/1.1"}
	tests := []struct {
		name   string
		config *tls.Config
		talk   func(net.Conn)
		code   string
	}{
		{name: "fine", config: with(a.issue(t, "example.test", later))},
		{name: "RSA key exchange alone, as old servers", config: rsaOnly},
		{name: "expired", config: with(a.issue(t, "example.test", before)), code: CodeTLSExpired},
		{name: "another name", config: with(a.issue(t, "www.example.test", later)), code: CodeTLSWrongHost},
		{name: "an authority nobody trusts", config: with(stranger.issue(t, "example.test", later)), code: CodeTLSUnknownCA},
		{name: "signed by itself", config: with(selfSigned(t, "example.test")), code: CodeTLSUnknownCA},
		{name: "TLS 1.1", config: old, code: CodeTLSInvalid},
		{name: "asks for a client's certificate", config: asks, code: CodeTLSInvalid},
		{name: "HTTP where TLS should be", talk: func(c net.Conn) {
			c.Read(make([]byte, 512))
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
		}, code: CodeTLSInvalid},
		{name: "closed in the handshake", talk: func(c net.Conn) { c.Read(make([]byte, 512)) }, code: CodeTLSInvalid},
		{name: "reset in the handshake", talk: func(c net.Conn) { c.Read(make([]byte, 512)); reset(c) }, code: CodeTLSInvalid},
		{name: "silent in the handshake", talk: silent, code: CodeConnectTimeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var address string
			if tt.config != nil {
				address = serveTLS(t, tt.config, page(200, rules))
			} else {
				address = serveRaw(t, tt.talk)
			}
			inTime(t, tt.code == CodeConnectTimeout, func(timeout time.Duration) string {
				if f := robotsOf(t, &Client{RootCAs: a.pool, ConnectTo: []string{":443:" + address}, Retries: -1, Timeout: timeout}, "https://example.test"); f.Code != tt.code || f.Tries != 1 {
					return fmt.Sprintf("got code %q after %d tries (%s)", f.Code, f.Tries, f.Detail)
				}
				return ""
			})
		})
	}
}

// A redirected connection keeps its name: in the Host header, in the TLS
// handshake, in the certificate. The name is not looked up.
func TestConnectToKeepsTheName(t *testing.T) {
	a := newTestAuthority(t)
	var sni, host, protocol string
	config := &tls.Config{GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		sni = hello.ServerName
		c := a.issue(t, "example.test", time.Now().Add(time.Hour))
		return &c, nil
	}}
	address := serveTLS(t, config, func(w http.ResponseWriter, r *http.Request) { host, protocol = r.Host, r.Proto })
	resolver, questions := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) { return []string{"127.0.0.1"}, 0 })
	c := &Client{RootCAs: a.pool, resolver: resolver, ConnectTo: []string{"other.test:443:127.0.0.1:1", "EXAMPLE.test:443:" + address}}
	f := robotsOf(t, c, "https://Example.Test")
	if f.Code != "" || sni != "example.test" || host != "example.test" || questions.Load() != 0 {
		t.Errorf("got code %q (%s), SNI %q, Host %q, %d questions about names", f.Code, f.Detail, sni, host, questions.Load())
	}
	if protocol != "HTTP/2.0" {
		t.Errorf("spoke %s", protocol)
	}
	if f.Hops[0].Address != address {
		t.Errorf("got address %s, want that of the target, %s", f.Hops[0].Address, address)
	}
}

// From http to https and back, as sites do.
func TestRedirectBetweenSchemes(t *testing.T) {
	a := newTestAuthority(t)
	secure := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "example.test", time.Now().Add(time.Hour))}}, page(200, rules))
	plain := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://example.test"+r.URL.Path, http.StatusMovedPermanently)
	})
	if f := robotsOf(t, &Client{RootCAs: a.pool, ConnectTo: []string{":80:" + plain, ":443:" + secure}}, "http://example.test"); f.Code != "" || f.Redirects() != 1 || string(f.Body) != rules {
		t.Errorf("got code %q, %d redirects (%s)", f.Code, f.Redirects(), f.Detail)
	}
}
