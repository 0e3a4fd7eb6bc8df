// Package crawl fetches from the web: it returns bytes and URLs, and judges nothing. Whether a
// status, a redirect or a truncated body means "allowed" is decided by package engine, and differs
// between profiles.
//
// A Client has the settings. Client.Site starts one site. The state of that site (pacing, trust in
// addresses, connections) belongs to the Site and ends with it. So thousands of independent sites
// can be in progress. Only one goroutine may use a Site at a time, and it starts none of its own.
// It answers four questions:
//
//	Robots    what does this origin answer for /robots.txt?
//	Sitemaps  which URLs are in these sitemaps?
//	Links     which URLs do these pages link to?
//	Peek      does this URL answer, and where does it lead?
//
// A Cache lets Robots reuse the answers of earlier runs. Apart from it, sites share only limits:
// each host gets one request at a time, whichever sites are on it, and few names are looked up at a
// time.
//
// Every result of a request is data: an Outcome with a stable code from errors.go. No error is
// returned, because a site that does not answer is a result. Each redirect is a Hop of its own.
// This package follows it instead of http.Client, since RFC 9309 2.3.1.2 counts hops and a report
// shows them.
//
// The behaviours of HTTP are decorators of http.RoundTripper, one per file. transport.go combines
// them in this order, outermost first:
//
//	agent      sets the User-Agent and Accept headers
//	authorizer sends credentials only to their origin (credentials.go)
//	guard      refuses URLs with a literal special address (guard.go)
//	pacer      waits for the host's turn, its delay, and the run's limits (pacer.go, pace.go, hosts.go, addresses.go)
//	limiter    ends a body at a number of decompressed bytes (limit.go)
//	inflater   decodes Content-Encoding, and limits the compressed bytes too (inflate.go)
//	deadlines  ends slow requests and classifies errors (deadline.go)
//	transport  sockets; its dialer routes connections, checks addresses (dial.go),
//	           and calls the check of the context (check.go)
//
// Parts with few dependencies are packages below internal:
//
//	sitemap     one sitemap: bytes in, URLs and notes out; tolerant gzip
//	wellformed  where a strict XML parser stops in it
//	cachefile   the file of a Cache: keys and values, safe against damage
//	weburl      URLs and hosts in one normal form; shortening of server text
//
// The rest is in one folder, as in net/http: the decorators and the walks of sitemaps and pages
// all depend on Site, Outcome, Error and its codes. They also share types for a request in
// progress.
//
// Everything has a limit: header, body, redirects, retries, time, and idle connections. A
// compressed body is limited both in its inflated size and in its size on the wire.
package crawl
