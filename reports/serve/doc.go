// Package serve is the dashboard. It shows the pages of runs over HTTP, and adds what files cannot do: it
// searches all URLs of a run, shows the history of a URL, compares versions of a robots.txt, tests an
// edited robots.txt on all URLs of a run, and saves answers to alerts.
//
// # Views
//
// The pages of runs are the same as in their folders, with a bar added at the top. The dashboard
// computes with the code of "robots-audit compare" and "simulate", so its figures are the same. Every view is
// a URL. It answers JSON if the request accepts application/json only or first.
//
// # Who gets an answer
//
// A dashboard is for the users of one machine, or for people who have its token. Pages of other sites
// must not read it or change anything:
//
//   - A request must use a known host name, against DNS rebinding.
//   - Cookies are SameSite.
//   - A request that saves something needs a form token.
//   - A request that takes long needs a content type that other sites cannot send without permission.
//   - Templates escape what sites have written, and the policy runs only the dashboard's own scripts.
//
// The path of a request leads only to plain files of a folder: not to hidden files, and not through symbolic
// links. Bodies, times, connections and concurrent work are limited. So is the memory for
// sites in the editor: the least recently used site goes first. The dashboard writes only what users save
// or answer, and indexes and pages that it can make again.
//
// If a run changes or disappears while somebody looks at it, a page says so. The dashboard continues.
package serve
