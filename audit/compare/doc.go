// Package compare finds the differences between two sides of one site: two runs, or a run and the
// same run with another robots.txt.
//
// # Sides
//
// A side is the records of one audit of the site. Their old results are not used: this version of
// the engine judges both sides again, from the recorded answers. So an upgrade of the program is
// never reported as a change of the site. If a record lacks its answer, the recorded verdicts are
// used, and Site.Notes says so.
//
// # Flips
//
// A flip is a URL that both sides know and whose verdict for a crawler differs. A URL that only one
// side knows has appeared or vanished. That is not a flip: the runs tested different URLs, and no
// rule had an effect. Two URLs are the same if scheme, host, path and query are equal, as RFC 9309
// compares them, and their kind is the same. A page and an image with one address are two URLs.
//
// Each flip has a cause, the first of these that explains it:
//
//	reader  the crawler is another one: its tokens or its profile differ between the runs, and
//	        the new reader gives the same verdict on the old answers as on the new ones
//	scope   the file of another origin applies to the URL: robots.txt is redirected, or no longer is
//	access  the answer as a whole differs: its status, its size, a network failure,
//	        an HTML page in place of the file
//	group   the crawler obeys another group of the file: by another token, or by "*"
//	rule    the rules of the group differ
//
// # Order of records
//
// Two audits of one site may find its URLs in a different order, and ten million URLs a side must
// not fill the memory. See join.
package compare
