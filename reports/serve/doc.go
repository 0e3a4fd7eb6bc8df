// Package serve is the desk: the pages of runs over HTTP, with what files cannot do beside
// them. It searches all known URLs of a run, says what became of one URL over the runs
// of a history, puts versions of a robots.txt side by side, tries an edited robots.txt on
// all URLs that a run knows, and takes down what somebody answers to an alert.
//
// # What is served
//
// The pages of runs are those of their folders, byte for byte but for a bar above them:
// nothing is told twice. What is worked out for a request is worked out by the same
// comparison as "robots-audit compare" and "simulate", so that figures are equal to
// theirs. Every view is a URL, and answers JSON to whoever accepts application/json alone
// or first.
//
// # Whom it answers
//
// A desk is for the people of one machine, or of those who were given its token. A page on
// the web must learn nothing from it, and get nothing done by it: a request has to name the
// desk by a name that it has (DNS rebinding), its cookies are of the same site, what is
// written wants a form's token, and what costs time wants a content type that no other site
// can send unasked. What a site has said is text, escaped by the templates, under a policy
// that runs no script but the desk's own.
//
// A path of a request leads to plain files of a folder alone: not to hidden ones, and not by
// symbolic links, which cannot leave the folder either. Bodies, times,
// connections and work under way at once are bounded, and so is the memory of sites that
// are held for the editor: the least recently used go first. Nothing is written but what
// somebody saves or answers, and indexes and pages that can be made again.
//
// A run that changes, or goes away while somebody looks at it, is told in a page of its own;
// the desk lives on.
package serve
