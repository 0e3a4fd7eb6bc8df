// Package edit finds the smallest change of a robots.txt that allows a set of
// URLs for crawlers, or blocks it, and flips no other known URL; or says exactly
// what else flips where no change of its kind does without.
//
// It is pure: bytes and URLs in, edits out. [Smallest] is the one thing to call.
//
// # What is small
//
// The number of lines that come and go, then the octets of these lines, each
// with its line end: a line that is replaced is one line, and counts with the
// octets of both of its texts. Of two changes of one size the first one by place
// and text is taken, so that equal questions have equal answers.
//
// # What is tried
//
// Every line deleted. Each rule that decides a URL of the set written otherwise:
// with the other field, with or without "$" and "*" at its end, longer by what all
// other URLs that it decides have in common. A crawler's name among those of
// another group. And rules inserted at the top of every group that one of the
// crawlers obeys, or of a new group that repeats the rules which they escape from
// with it: each beginning of a URL of the set, the whole URL, and wildcards in place
// of one segment or of what is not common to the set. Where no single edit does,
// the fewest of them that together do: an exact cover within a bound of steps, and a
// greedy one beyond it.
//
// # What is proved
//
// Candidates are told apart by what the engine says of them on all known URLs: the
// rules to insert in one pass, since a rule on top of a group decides what it matches
// and what the rule that decided before does not keep; whole files many at a
// time. Whatever the choice rests on, the file that comes out is judged beside the
// one that was there, on every known URL, and [Result] holds what that showed.
// Memory is flat in known URLs, and bounded in all else.
package edit
