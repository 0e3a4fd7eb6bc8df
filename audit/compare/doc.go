// Package compare says what differs between two sides of one site: two runs, or a
// run and the same run with another robots.txt put in its place.
//
// # Sides
//
// A side is the records of one audit of the site. What it said then is not
// believed: both sides are judged again by this version of the engine, from the
// answers that the records hold, so that an upgrade of the program is never reported
// as a change of the site. Where a record lacks its answer, the verdicts that were
// recorded are used, and Site.Notes says so.
//
// # Flips
//
// A flip is a URL that both sides know and whose verdict for a crawler differs.
// A URL that one side alone knows has appeared or vanished, which is no flip: the
// site was asked about other URLs, and no rule did anything. URLs are the same
// where scheme, host, path and query are, as RFC 9309 compares them, and where
// they are known as the same: a page and an image of one address are two.
//
// Each flip has a cause, the first of these that accounts for it:
//
//	reader  the crawler is another one: its tokens or its profile differ between the runs, and
//	        the new reader comes to the same verdict on the old answers as on the new ones
//	scope   another origin's file governs the URL: robots.txt is redirected, or no longer is
//	access  the answer as a whole is another one: its status, its size, a network that fails,
//	        a page of HTML in place of the file
//	group   the crawler obeys another group of the file: by another token, or by "*"
//	rule    the rules of the group differ
//
// # Records in no order
//
// Two audits of one site need not come across its URLs in the same order, and ten
// million URLs a side must not fill the memory. See join.
package compare
