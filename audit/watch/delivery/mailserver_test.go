package delivery

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const mailSecret = "correct-horse-battery"

// mailServer is an SMTP server on loopback that records its mails.
type mailServer struct {
	*smtp.Server
	address    string
	roots      *x509.CertPool
	mechanisms []string
	refuse     map[string]*smtp.SMTPError // by recipient, "" = the data
	mu         sync.Mutex
	seen       []letterSeen
	logins     int
}

type letterSeen struct {
	from string
	to   []string
	data string
	user string
	tls  bool
}

func (s *mailServer) all() []letterSeen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen
}

// newMailServer starts a server with STARTTLS and login, which set may change before.
func newMailServer(t *testing.T, set func(*mailServer)) *mailServer {
	t.Helper()
	s := &mailServer{mechanisms: []string{sasl.Plain}, refuse: map[string]*smtp.SMTPError{}}
	var config *tls.Config
	config, s.roots = certificate(t, "127.0.0.1")
	s.Server = smtp.NewServer(s)
	s.Domain, s.TLSConfig = "mail.test", config
	s.ErrorLog = silent{}
	if set != nil {
		set(s)
	}
	if s.address == "" {
		s.address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", s.address)
	noError(t, err)
	s.address = listener.Addr().String()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Serve(listener)
	}()
	t.Cleanup(func() {
		s.Close()
		// Close knows no listener before Serve has begun, and a test that never
		// connects may end before that.
		listener.Close()
		<-done
	})
	return s
}

// channel is the channel that leads to the server.
func (s *mailServer) channel() *Mail {
	return &Mail{
		Route: Route{Name: "mail 1"}, SMTP: s.address, TLS: "starttls", From: "Robots Audit <audit@ops.example>",
		To: []string{"seo@shop.example", "Jürgen Müller <j@shop.example>"}, User: "audit", Password: mailSecret, Roots: s.roots,
	}
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// NewSession starts a session: smtp.Backend.
func (s *mailServer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{server: s, conn: c}, nil
}

type session struct {
	server *mailServer
	conn   *smtp.Conn
	letterSeen
}

func (s *session) Reset()        { s.from, s.to, s.data = "", nil, "" }
func (s *session) Logout() error { return nil }

func (s *session) AuthMechanisms() []string { return s.server.mechanisms }

func (s *session) Auth(mechanism string) (sasl.Server, error) {
	check := func(user, password string) error {
		s.server.mu.Lock()
		s.server.logins++
		s.server.mu.Unlock()
		if user != "audit" || password != mailSecret {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "authentication failed for " + password}
		}
		s.user = user
		return nil
	}
	if mechanism == sasl.Login {
		return &loginServer{check: check}, nil
	}
	return sasl.NewPlainServer(func(_, user, password string) error { return check(user, password) }), nil
}

// loginServer is the server's side of LOGIN, which go-sasl no longer has.
type loginServer struct {
	user  string
	step  int
	check func(user, password string) error
}

func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	l.step++
	switch l.step {
	case 1:
		return []byte("Username:"), false, nil
	case 2:
		l.user = string(response)
		return []byte("Password:"), false, nil
	}
	return nil, true, l.check(l.user, string(response))
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if len(s.server.mechanisms) > 0 && s.user == "" {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if err := s.server.refuse[to]; err != nil {
		return err
	}
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.server.refuse[""]; err != nil {
		return err
	}
	s.data = string(data)
	_, s.tls = s.conn.TLSConnectionState()
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.seen = append(s.server.seen, s.letterSeen)
	return nil
}

// certificate makes a certificate for a host, signed by itself.
func certificate(t *testing.T, host string) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	noError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.ParseIP(host)}, DNSNames: []string{"localhost"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	noError(t, err)
	parsed, err := x509.ParseCertificate(der)
	noError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, roots
}
