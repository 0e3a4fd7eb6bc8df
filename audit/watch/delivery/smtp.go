package delivery

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// stepTime bounds each step of the communication: connecting, a command, an answer.
var stepTime = 30 * time.Second

// patience is the number of tries that wait for temporarily refused recipients, as with
// greylisting, before the mail is sent only to the others.
const patience = 5

// post sends a letter to the server. The letter is accepted once the server says so after the last
// byte, even if the connection breaks then. That is why it does not use go-mail's client, which
// would report that as a failure.
func (m *Mail) post(ctx context.Context, l *letter, tries int) (r receipt, err error) {
	conn, err := m.connect(ctx)
	if err != nil {
		return r, m.failed("cannot be reached", "", err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	c, err := m.greet(conn)
	if err != nil {
		return r, err
	}
	step := func() { conn.SetDeadline(time.Now().Add(stepTime)) }
	step()
	if err := c.Mail("<" + l.from + ">"); err != nil {
		return r, m.failed("refused the sender "+l.from, "Check from. If the server wants a login, add user and password_file", err)
	}
	refused, passing, err := m.recipients(c, l, step)
	switch {
	case err != nil:
		return r, err
	case len(refused) == len(l.to):
		return r, &failure{what: fmt.Sprintf("%s refused every recipient: %s", m.SMTP, strings.Join(refused, "; ")), lasting: !passing, remedy: "Check to"}
	case passing && tries < patience:
		return r, &failure{what: fmt.Sprintf("%s refused recipients for now: %s", m.SMTP, strings.Join(refused, "; ")), remedy: "Try again in some minutes"}
	}
	step()
	w, err := c.Data()
	if err != nil {
		return r, m.failed("refused the mail", refusedMail, err)
	}
	deadline, _ := ctx.Deadline()
	conn.SetDeadline(deadline)
	_, err = l.WriteTo(w)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		f := m.failed("refused the mail", refusedMail, err)
		f.ofMessage = f.lasting // 552, 554: its size, its content
		return r, f
	}
	step()
	c.Quit() // it is accepted
	r.answer = m.SMTP
	if said, ok := w.(interface{ ServerResponse() string }); ok {
		r.answer += ": 250 " + said.ServerResponse()
	}
	if len(refused) > 0 {
		r.note = "not taken for " + strings.Join(refused, "; ")
	}
	return r, nil
}

// connect connects, with TLS from the start if configured.
func (m *Mail) connect(ctx context.Context) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: stepTime}
	if m.TLS == "tls" {
		ctx, cancel := context.WithTimeout(ctx, stepTime)
		defer cancel()
		return (&tls.Dialer{NetDialer: dialer, Config: m.tlsConfig()}).DialContext(ctx, "tcp", m.SMTP)
	}
	conn, err := dialer.DialContext(ctx, "tcp", m.SMTP)
	if err != nil {
		return nil, err
	}
	if addr, ok := conn.RemoteAddr().(*net.TCPAddr); m.TLS == "none" && (!ok || !addr.IP.IsLoopback()) {
		conn.Close()
		return nil, errors.New(`it is not on this machine, so tls = "none" is not allowed`)
	}
	return conn, nil
}

func (m *Mail) tlsConfig() *tls.Config {
	host, _, _ := net.SplitHostPort(m.SMTP)
	return &tls.Config{ServerName: host, RootCAs: m.Roots, MinVersion: tls.VersionTLS12}
}

// greet says hello, and continues with TLS and login as configured.
func (m *Mail) greet(conn net.Conn) (*smtp.Client, error) {
	host, _, _ := net.SplitHostPort(m.SMTP)
	conn.SetDeadline(time.Now().Add(stepTime))
	c, err := smtp.NewClient(conn, host)
	if err != nil {
		return nil, m.failed("did not greet", "", err)
	}
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsAny(name, " \r\n") {
		name = "localhost"
	}
	if err := c.Hello(name); err != nil {
		return nil, m.failed("did not answer to EHLO", "", err)
	}
	if m.TLS == "starttls" {
		if offered, _ := c.Extension("STARTTLS"); !offered {
			return nil, &failure{what: m.SMTP + ` has no STARTTLS. Use tls = "tls", or another port`, lasting: true}
		}
		if err := c.StartTLS(m.tlsConfig()); err != nil {
			return nil, m.failed("could not change to TLS", "", err)
		}
	}
	if m.User == "" {
		return c, nil
	}
	auth, err := m.login(c, host)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(stepTime))
	if err := c.Auth(auth); err != nil {
		return nil, m.failed(fmt.Sprintf("refused the login of user %q", m.User), "Check user and its password", err)
	}
	return c, nil
}

// login returns the first login method that the server offers. The password is sent only through
// TLS, or stays on this machine.
func (m *Mail) login(c *smtp.Client, host string) (smtp.Auth, error) {
	password := string(m.Password)
	_, offered := c.Extension("AUTH")
	ways := strings.Fields(strings.ToUpper(offered))
	for _, w := range []struct {
		name string
		auth smtp.Auth
	}{
		{"PLAIN", smtp.PlainAuth("", m.User, password, host, m.TLS == "none")},
		{"LOGIN", smtp.LoginAuth(m.User, password, host, m.TLS == "none")},
		{"SCRAM-SHA-256", smtp.ScramSHA256Auth(m.User, password)},
		{"CRAM-MD5", smtp.CRAMMD5Auth(m.User, password)},
	} {
		if slices.Contains(ways, w.name) {
			return w.auth, nil
		}
	}
	if len(ways) == 0 {
		return nil, &failure{what: m.SMTP + " offers no login", lasting: true, remedy: "Check the port and tls, or remove user and its password"}
	}
	return nil, &failure{what: m.SMTP + " has no supported login, only " + strings.Join(ways, ", "), lasting: true, remedy: "Use another mail server"}
}

// recipients sends the recipients to the server. refused are those that it does not accept, with
// its answers; passing says that some may be accepted later.
func (m *Mail) recipients(c *smtp.Client, l *letter, step func()) (refused []string, passing bool, err error) {
	for _, to := range l.to {
		step()
		err := c.Rcpt("<" + to + ">")
		var answer *textproto.Error
		switch {
		case err == nil:
		case !errors.As(err, &answer):
			return nil, false, m.failed("stopped at the recipient "+to, "", err)
		default:
			refused = append(refused, fmt.Sprintf("%s (%d %s)", to, answer.Code, answer.Msg))
			passing = passing || answer.Code < 500
		}
	}
	return refused, passing, nil
}

// refusedMail is what to do if a server accepts sender and recipients, but not the mail.
const refusedMail = "Ask the operator of the mail server"

// failed is an error in plain words, and what to do if the server's answer is the error. An answer
// of 500 or more is permanent.
func (m *Mail) failed(what, todo string, err error) *failure {
	var answer *textproto.Error
	if errors.As(err, &answer) {
		return &failure{what: fmt.Sprintf("%s %s: it answered %d %s", m.SMTP, what, answer.Code, answer.Msg), lasting: answer.Code >= 500, remedy: todo}
	}
	why, remedy := explain(err)
	return &failure{what: fmt.Sprintf("%s %s: %s", m.SMTP, what, why), remedy: remedy}
}
