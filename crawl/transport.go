package crawl

import (
	"cmp"
	"crypto/tls"
	"net/http"
	"time"
)

// maxHeader limits a response header. The largest legitimate ones, with a
// content security policy and a dozen cookies, are about 30 KB.
const maxHeader = 128 << 10

// connBuffer is for a request and its response header. Readers of bodies have larger
// buffers and bypass this one. A server that hangs occupies two of them.
const connBuffer = 1 << 10

// socket sends the requests of a site through its own transport. Sites do not share
// one, because an open connection is a permission: if a site trusts an address, no
// other site may use its connections to it.
type socket struct {
	client    *Client
	dialer    *dialer
	transport *http.Transport // nil = no request yet
	secure    bool            // it has TLS and HTTP/2; many sites wait without them
}

func (s *socket) RoundTrip(req *http.Request) (*http.Response, error) {
	if secure := req.URL.Scheme == "https"; s.transport == nil || secure && !s.secure {
		s.closeIdle() // an active connection is closed after use: only one transport keeps a connection
		s.transport, s.secure = newTransport(s.client, s.dialer), secure
		if secure {
			s.transport.TLSClientConfig = &tls.Config{RootCAs: s.client.RootCAs, CipherSuites: cipherSuites}
			s.transport.ForceAttemptHTTP2 = true
			s.transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 128 << 10, MaxReceiveBufferPerStream: 64 << 10}
		}
	}
	return s.transport.RoundTrip(req)
}

// closeIdle closes the idle connection.
func (s *socket) closeIdle() {
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
}

func newTransport(c *Client, d *dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // the guard could not check the connections of a proxy
		DialContext:            d.dial,
		TLSHandshakeTimeout:    c.timeout(),
		DisableCompression:     true, // inflater decompresses, so that wire bytes and decompressed bytes are counted separately
		MaxIdleConns:           1,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		ReadBufferSize:         connBuffer,
		WriteBufferSize:        connBuffer,
	}
}

// cipherSuites are Go's defaults and those with RSA key exchange that browsers
// still accept: a server that crawlers can read must not count as unreachable.
var cipherSuites = func() []uint16 {
	suites := []uint16{
		tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_256_GCM_SHA384,
		tls.TLS_RSA_WITH_AES_128_CBC_SHA, tls.TLS_RSA_WITH_AES_256_CBC_SHA,
	}
	for _, s := range tls.CipherSuites() {
		suites = append(suites, s.ID)
	}
	return suites
}()

// tripper combines the decorators; the package comment explains them.
func (s *Site) tripper(lim limits) http.RoundTripper {
	var t http.RoundTripper = s.socket
	t = deadlines{next: t, timeout: s.client.timeout(), whole: lim.Whole, waitBudget: s.waitBudget, connect: s.connecting, connected: s.connected}
	t = inflater{next: t, bytes: lim.Bytes}
	t = limiter{next: t, bytes: lim.Bytes}
	t = pacer{next: t, pace: s.pace}
	t = guarded{next: t, guard: s.guard}
	t = authorizer{next: t, login: s.login}
	t = agent{next: t, name: cmp.Or(lim.Agent, s.client.userAgent()), accept: lim.Accept}
	return t
}

// agent sets the User-Agent and the Accept headers.
type agent struct {
	next   http.RoundTripper
	name   string
	accept string
}

func (a agent) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", a.name)
	req.Header.Set("Accept-Encoding", "gzip")
	if a.accept != "" {
		req.Header.Set("Accept", a.accept)
	} else if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "*/*")
	}
	return a.next.RoundTrip(req)
}
