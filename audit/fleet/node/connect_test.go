package node

import (
	"bufio"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// somebodys is a server that is not of this package's making, with a configuration.
func somebodys(t *testing.T, config string) string {
	t.Helper()
	return somebodysAt(t, server.RANDOM_PORT, config)
}

func somebodysAt(t *testing.T, port int, config string) string {
	t.Helper()
	opts := &server.Options{}
	noError(t, opts.ProcessConfigString(config))
	opts.Host, opts.Port, opts.NoSigs, opts.NoLog, opts.StoreDir = "127.0.0.1", port, true, true, t.TempDir()
	s, err := server.NewServer(opts)
	noError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return "nats://" + s.Addr().String()
}

// old is a server that says a line of information, and answers pings.
func old(t *testing.T, info string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	noError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				fmt.Fprintf(conn, "INFO %s\r\n", info)
				for lines := bufio.NewScanner(conn); lines.Scan(); {
					if strings.HasPrefix(lines.Text(), "PING") {
						fmt.Fprint(conn, "PONG\r\n")
					}
				}
			}()
		}
	}()
	return "nats://" + l.Addr().String()
}

// refused fails unless Connect refuses a server, and says why.
func refused(t *testing.T, s Server, words ...string) {
	t.Helper()
	nc, err := Connect(t.Context(), s)
	if err == nil {
		nc.Close()
	}
	says(t, err, words...)
	if passes := strings.Contains(words[0], "does not answer") || strings.Contains(words[0], "no address") || strings.Contains(words[0], "127.0.0.1:"); Away(err) != passes {
		t.Errorf("%q passes by itself: %v", err, !passes)
	}
}

// noSync is the configuration of a server that is suitable except for one setting.
const noSync = "jetstream: {sync_interval: 10s}\n" + accounts + "no_auth_user: w\n"

func TestConnectRefuses(t *testing.T) {
	t.Parallel()
	users := func(config, fleet string) string {
		return strings.Replace(config, "FLEET {", "FLEET {\n users: [{user: w}]\n"+fleet, 1)
	}
	withSync := strings.Replace(noSync, "10s", "always", 1)
	connected(t, Server{URLs: []string{somebodys(t, users(withSync, ""))}})

	refused(t, Server{URLs: []string{somebodys(t, users(noSync, ""))}}, "sync_interval: always")
	refused(t, Server{URLs: []string{somebodys(t, "jetstream: {sync_interval: always}")}}, "does not say", askStorage)
	refused(t, Server{URLs: []string{somebodys(t, "max_payload: 1MB")}}, "no JetStream")
	refused(t, Server{URLs: []string{somebodys(t, strings.Replace(users(withSync, ""), "jetstream: enabled", "", 1))}}, "no JetStream", "account")
	refused(t, Server{URLs: []string{old(t, `{"server_id":"A","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576,"jetstream":true}`)}}, "2.9.10", MinVersion)
	refused(t, Server{URLs: []string{old(t, `{"server_id":"A","version":"?","proto":1,"headers":true,"max_payload":1048576}`)}}, MinVersion)
	refused(t, Server{URLs: []string{"nats://u:secret@" + freePorts(t, 1)[0]}}, "does not answer", "nats://127.0.0.1")
	refused(t, Server{URLs: []string{"nats://no-such-host.invalid"}}, "has no address")
	refused(t, Server{URLs: []string{"n1.example"}}, "not a URL")
	refused(t, Server{}, "name a server")
}

// One running server of several is enough; if none runs, the error names each.
func TestConnectSeveral(t *testing.T) {
	t.Parallel()
	n := started(t, Options{Listen: "127.0.0.1:0"})
	down := freePorts(t, 2)
	connected(t, Server{URLs: []string{"nats://" + down[0], "nats://" + n.Addr()}})
	refused(t, Server{URLs: []string{"nats://" + down[0], "nats://" + down[1]}}, down[0], down[1])
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	_, mine := secretsOf(t)
	_, others := secretsOf(t)
	n := started(t, Options{Listen: "127.0.0.1:0", Secrets: mine})
	at := []string{"tls://" + n.Addr()}
	connected(t, Server{URLs: at, Secrets: mine})
	connected(t, Server{URLs: urls(n), Secrets: mine})
	connected(t, Server{Node: n})

	refused(t, Server{URLs: at, Secrets: others}, "did not sign")
	wrong := *mine
	wrong.Passwords = others.Passwords
	refused(t, Server{URLs: at, Secrets: &wrong}, "refuses the password")
	refused(t, Server{URLs: at}, "unknown authority", "secrets")
	open := started(t, Options{Name: "n2", Listen: "localhost:0"})
	refused(t, Server{URLs: urls(open), Secrets: mine}, "does not use TLS")
	refused(t, Server{URLs: []string{somebodys(t, "authorization: {user: a, password: b}")}}, "user and a password")
	_, port, _ := net.SplitHostPort(n.Addr())
	refused(t, Server{URLs: []string{"tls://127.0.0.2:" + port}, Secrets: mine}, "does not answer")
}

// A certificate is for the hosts it was made for.
func TestOtherHost(t *testing.T) {
	t.Parallel()
	_, mine := secretsOf(t)
	n := started(t, Options{Listen: "127.0.0.2:0", Secrets: mine})
	refused(t, Server{URLs: urls(n), Secrets: mine}, "127.0.0.2", "certificate only for", "n1.example")
}

// After a reconnection the server is checked again.
func TestRefusedLater(t *testing.T) {
	t.Parallel()
	n := started(t, Options{Listen: freePorts(t, 1)[0]})
	told := make(chan error, 10)
	at := urls(n)
	nc := connected(t, Server{URLs: at, Refused: func(err error) { told <- err }})
	_, text, _ := net.SplitHostPort(n.Addr())
	port, err := strconv.Atoi(text)
	noError(t, err)
	n.Stop()
	for nc.IsConnected() { // the client has yet to see it
		time.Sleep(time.Millisecond)
	}
	if err := nc.Publish("s.a", nil); err == nil {
		t.Error("what is published now would be sent later")
	}
	somebodysAt(t, port, strings.Replace(noSync, "FLEET {", "FLEET {\n users: [{user: w}]\n", 1))
	says(t, <-told, "sync_interval: always")
}
