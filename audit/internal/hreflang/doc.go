// Package hreflang checks the hreflang annotations of a site: the language versions that entries of
// sitemaps and pages list.
//
//	c := hreflang.New()
//	for … { c.Begin(); c.SetLoc(url); c.Add(url, lang) … } // each entry of a sitemap
//	notes := c.End(hreflang.Source{URL: …})                            // codes, self-references, repeated codes
//	for source, notes := range c.Links(…) { … }                        // return links, after all sitemaps
//
// URLs are compared by 64-bit hashes of the caller, which must be random: two URLs of n have the same
// one with a probability of n²/2⁶⁵.
//
// # Return links
//
// Each URL must be listed by all URLs that it lists. The entries of all versions of a page usually list
// the same URLs, so a set of URLs is stored once, at 8 bytes a URL. An entry adds 12 bytes. Once each
// URL of a set has an entry with this set, nothing is missing: the sum of the hashes shows this without
// a search. Only entries of other sets are searched in the end. The URLs themselves are kept for
// examples, without the text that they share, as long as there is room (maxText).
package hreflang
