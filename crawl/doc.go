// Package crawl turns the web into bytes and URLs. It judges nothing: whether
// a status, a redirect or a cut body means "allowed" is for package engine to
// say, and differs from reader to reader.
//
// A Client holds settings. Client.Site starts on one site; what belongs to
// that site (pacing, trust in addresses, connections) lives and ends with the
// Site, so that thousands of sites can be in flight without one leaning on
// another. A Site is used by one goroutine at a time and starts none of its
// own. It answers four questions:
//
//	Robots    what does this origin answer for /robots.txt?
//	Sitemaps  which URLs do these sitemaps name?
//	Links     which URLs do these pages link to?
//	Head      does this URL answer, and where does it lead?
//
// A Cache lets Robots remember the answers of earlier runs. Sites share
// nothing else but the order in which they ask: one host is asked one thing
// at a time, whichever sites lie on it, and few names are looked up at a time.
//
// Whatever happens to a request is data, an Outcome with a stable code from
// errors.go: there is no error to return, because a site that does not answer
// is a result. Each redirect is a Hop of its own, followed by us and not by
// http.Client, since RFC 9309 2.3.1.2 counts hops and a report shows them.
//
// The behaviours of HTTP are decorators of http.RoundTripper, one a file, put
// together in transport.go in this order, outermost first:
//
//	agent      who asks, and for what
//	authorizer sends credentials to the origin that they are for, and to no other (credentials.go)
//	guard      refuses URLs with a literal special address (guard.go)
//	pacer      waits for the host's turn, its delay, and the run's limits (pacer.go, pace.go, hosts.go, addresses.go)
//	limiter    ends a body at a number of decompressed bytes (limit.go)
//	inflater   undoes Content-Encoding, whose compressed bytes have the same limit (inflate.go)
//	deadlines  ends what is too slow, names what went wrong (deadline.go)
//	transport  sockets; its dialer leads connections and checks addresses (dial.go),
//	           and asks whether the site may still be asked (check.go)
//
// What leans on little of the rest has a package of its own below internal:
//
//	sitemap     one sitemap: bytes in, URLs and notes out; gzip as the web has it
//	wellformed  where a strict XML parser stops in it
//	cachefile   the file of a Cache: keys and values, whatever happens to it
//	weburl      URLs and hosts in one form each; text from servers, shortened
//
// The rest stays in one folder, as net/http does: the decorators, the walk of
// the sitemaps and that of the pages all lean on Site, Outcome, Error and its
// codes, and on each other's names for a request in flight.
//
// Nothing here is unbounded: header, body, redirects, retries, time, and idle
// connections all have a limit, and a compressed body is limited by what it
// inflates to as well as by what came over the wire.
package crawl
