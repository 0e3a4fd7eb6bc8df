// Package migrate checks the move of a site before it happens, and after: a map
// of old URLs to new ones, followed redirect by redirect as crawlers follow it.
//
// A redirect works only if it is seen. So each URL on the way is held to the
// robots.txt of its own host, port and scheme: that of the old URL, of every hop
// and of the target, for every crawler. ReadMap reads the map and names all that
// is wrong with it before anything is asked. Migrator.All then yields a Result
// a pair, with all that was met on the way (Remarks) and its class, which is the
// gravest of them. The classes are a table, see Classes. Migrator.Leaks says what
// of a staging site has been left in the new one's robots.txt.
//
// A host is asked one thing at a time, whichever pairs lead there, and this
// program's own group of a host's robots.txt is obeyed for pages: a URL that it
// keeps us from is not asked for, and its pair has no clear result beyond that.
// The staging host is asked all the same, since whoever names it means just that.
// A host that fails MaxFails times, one after the other, is not asked any more.
// What failed for a passing reason is marked (Result.Passing), so that a later
// run may ask again.
//
// Memory grows with the map alone, by some 50 bytes a pair, which tell URLs that
// come twice, circles, and how many old URLs lead to one new one.
package migrate
