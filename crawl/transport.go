package crawl

import (
	"cmp"
	"crypto/tls"
	"net/http"
	"time"
)

// maxHeader bounds a response header. The largest honest ones, with a content
// security policy and a dozen cookies, are about 30 KB.
const maxHeader = 128 << 10

// connBuffer is for a request and the header of its answer; what reads bodies
// has larger buffers, and they go past this one. A server that hangs holds two of them.
const connBuffer = 1 << 10

// socket asks for a site by a transport of its own. One a site, and not one for all,
// because an open connection is a permission: a site that trusts an address
// must not leave a connection to it where another site would find it.
type socket struct {
	client    *Client
	dialer    *dialer
	transport *http.Transport // nil = nothing was asked for yet
	secure    bool            // it has what HTTPS takes, TLS and HTTP/2; many sites wait without
}

func (s *socket) RoundTrip(req *http.Request) (*http.Response, error) {
	if secure := req.URL.Scheme == "https"; s.transport == nil || secure && !s.secure {
		s.closeIdle() // what is in use now is closed after it: there is one transport that keeps a connection
		s.transport, s.secure = newTransport(s.client, s.dialer), secure
		if secure {
			s.transport.TLSClientConfig = &tls.Config{RootCAs: s.client.RootCAs, CipherSuites: cipherSuites}
			s.transport.ForceAttemptHTTP2 = true
			s.transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 128 << 10, MaxReceiveBufferPerStream: 64 << 10}
		}
	}
	return s.transport.RoundTrip(req)
}

// closeIdle closes the connection that is not in use.
func (s *socket) closeIdle() {
	if s.transport != nil {
		s.transport.CloseIdleConnections()
	}
}

func newTransport(c *Client, d *dialer) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // a proxy would connect where the guard cannot look
		DialContext:            d.dial,
		TLSHandshakeTimeout:    c.timeout(),
		DisableCompression:     true, // inflater does it, so that wire bytes can be told from decompressed ones
		MaxIdleConns:           1,
		MaxIdleConnsPerHost:    1,
		IdleConnTimeout:        30 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		ReadBufferSize:         connBuffer,
		WriteBufferSize:        connBuffer,
	}
}

// cipherSuites are Go's own and those of RSA key exchange that browsers still
// take: a server that crawlers can read must not count as unreachable.
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

// tripper puts the decorators together; see the package comment for who does what.
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

// agent says who asks and what for.
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
