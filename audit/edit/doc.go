// Package edit finds the smallest change of a robots.txt that allows or blocks a set of URLs for
// crawlers, and flips no other known URL. If no such change is found, it lists exactly what else
// flips.
//
// A [Wish] names the URLs and crawlers, and [Find] answers it. Find looks up the file for the URLs
// in a site's records, and calls smallestChange. That function is pure: bytes and URLs in, edits
// out. [ReadList] reads a list of URLs.
//
// smallestChange takes at most maxSet URLs at a time. For a longer list, Find starts with a sample
// spread over the list. URLs that the change does not affect join the sample, and Find tries again
// until the change works for the whole list. The list is kept in memory; known URLs are read again
// for each pass.
//
// # Order of changes
//
// The better of two changes is decided by the first of these rules that distinguishes them:
//
//   - It flips fewer URLs outside the set.
//   - It edits only rules. Deleting "User-agent: *" is one line, but unblocks everything that its
//     rules match, known or not, so it is the last resort if no rule works.
//   - It has fewer inserted and deleted lines; a replaced line counts once.
//   - It inserts or deletes no rule with a wildcard, which may match more than the known URLs.
//   - It reads better. A pattern should end at the end of a directory or a whole URL of the set
//     ("/update/android/", "/post/123"), else at the end of a word ("/post/new-"). The last choice
//     is within a word ("/j"), which also matches other URLs by chance. Deleted rules are rated in
//     the same way. A rule is not added against one with the same path: that one is deleted.
//   - It has fewer octets: each line with its line end, a replaced line with both of its texts.
//
// Among equals, the first one by text is taken, so that equal requests have equal answers.
//
// # Candidates
//
// Rules that decide a URL of the set are deleted or rewritten: with the other field, with or
// without "$" and "*" at the end, or with the common prefix of all other URLs that they decide.
//
// Rules are inserted at three places. The first is the top of every group that one of the crawlers
// obeys. The second is between two of its user-agent lines, if the lines below name all crawlers
// again. The third is a new group, which repeats the rules that its crawlers lose. The patterns are
// each prefix of a URL of the set, the whole URL, and wildcards in place of one segment or of the
// parts that differ within the set.
//
// If no single edit works, the fewest of them that work together are searched: an exact cover,
// within a bound of steps. If no clean change is found, each line that is no rule is deleted, and a
// crawler's name is added to each other group.
//
// Every loop is bounded, by rules, URLs and crawlers together. [Result].Bounded says if a bound was
// reached, because then a smaller change may exist. Groups that the same crawlers obey, such as
// groups with the same name, count as one place: a rule has the same effect in each. searchMemory
// is the memory bound of a search.
//
// # Proof
//
// The engine judges the effect of candidates on all known URLs. Inserted rules are judged in one
// pass: a rule at the top of a group decides the URLs that it matches, unless the previous rule
// wins. Whole files are judged many at a time, after a first check with the set and a few URLs of
// the line. In the end, the new file is compared with the old one on every known URL, and [Result]
// has the outcome. Memory does not grow with known URLs, and is bounded in all else.
package edit
