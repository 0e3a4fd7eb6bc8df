// Package edit finds the smallest change of a robots.txt that allows a set of
// URLs for crawlers, or blocks it, and flips no other known URL; or says exactly
// what else flips where no change of its kind does without.
//
// A [Wish] names the URLs and crawlers, and [Find] answers it: it finds in a site's records
// the file that governs the URLs, and looks for the smallest change of it (smallestChange),
// which is pure: bytes and URLs in, edits out. [ReadList] reads a list of URLs.
//
// smallestChange takes at most maxSet URLs at a time. Of a longer list Find asks about a
// part, spread over it. URLs that the change leaves as they were join the part, and Find asks
// again, until the change does what is wished for the whole list. The list is held in
// memory; known URLs are not, and are read again for each pass.
//
// # What is small, and what is right
//
// Of two changes the one is taken, by the first of these that tells them apart,
//
//   - that flips less beside the set;
//   - that is of rules alone: to delete "User-agent: *" is one line, but frees whatever
//     its rules are for, known or not, and it is the last resort where no rule does;
//   - that has fewer lines, of those that come and go: one that is replaced is one line;
//   - in which no rule with a wildcard comes or goes, which reaches further than what is known;
//   - that reads better: a pattern ends where a directory or a whole URL of the set does
//     ("/update/android/", "/post/123"), else where a word does ("/post/new-"), and only else
//     within a word ("/j"), which hits what begins alike by chance; a rule that goes is read
//     likewise, and none stands against one with the same path: that one goes;
//   - that has fewer octets, each line with its end, a line that is replaced with both of
//     its texts.
//
// Of equal ones the first one by text is taken, so that equal questions have equal answers.
//
// # What is tried
//
// Each rule that decides a URL of the set deleted, or written otherwise: with the other
// field, with or without "$" and "*" at its end, longer by what all other URLs that it
// decides have in common. Rules inserted at the top of every group that one of the
// crawlers obeys, between two of its user-agent lines where those below name all crawlers
// again, or of a new group that repeats the rules which they escape from
// with it: each beginning of a URL of the set, the whole URL, and wildcards in place
// of one segment or of what is not common to the set. Where no single edit does,
// the fewest of them that together do: an exact cover, within a bound of steps. Where
// nothing clean is found, each line deleted that is no rule, and a crawler's name added to
// each other group.
//
// Every loop is bounded, by rules, URLs and crawlers together; what a bound cuts is told in
// [Result].Bounded, since then a smaller change may be there. Groups that the same crawlers
// obey, as those of one name, are one place: a rule does the same in each. searchMemory is what
// a search may hold.
//
// # What is proved
//
// Candidates are told apart by what the engine says of them on all known URLs: the
// rules to insert in one pass, since a rule on top of a group decides what it matches
// and what the rule that decided before does not keep; whole files many at a
// time, but for those that the set or a few of the URLs which the line decides refute.
// Whatever the choice rests on, the file that comes out is judged beside the
// one that was there, on every known URL, and [Result] holds what that showed.
// Memory is flat in known URLs, and bounded in all else.
package edit
