// Package migrate checks the move of a site before and after it happens. It takes a map of old URLs
// to new ones, and follows each redirect as crawlers do.
//
// A redirect works only if crawlers see it. So each URL of a chain is checked with the robots.txt
// of its own host, port and scheme, for every crawler: the old URL, every hop and the target.
// ReadMap reads the map and reports all its errors before the first request. Migrator.All then
// yields a Result for each pair, with everything found on the way (Remarks) and its class, the most
// severe of them. The classes are a table, see Classes. Migrator.Leaks lists what the new site's
// robots.txt still has from a staging site.
//
// A host gets one request at a time, for all pairs together. This program obeys its own group of a
// host's robots.txt for pages: it does not request a blocked URL, and the pair then has no clear
// result. The staging host is requested anyway, because the user asked for it. A host that fails
// MaxFails times in a row gets no more requests. Temporary failures are marked (Result.Passing), so
// that a later run may retry them.
//
// Memory grows only with the map, by some 50 bytes a pair. They are needed to find repeated URLs,
// circles, and the number of old URLs for a new one.
package migrate
