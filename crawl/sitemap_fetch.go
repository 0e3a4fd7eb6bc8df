package crawl

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"robots-audit/crawl/internal/sitemap"
	"robots-audit/engine/wording"
)

// The protocol's limits of one file (sitemaps.org, "Sitemap file limits"). They
// are noted, not enforced: crawlers treat larger files differently.
const (
	protocolURLs  = 50_000
	protocolBytes = 50 << 20
)

// sitemapHops is how many redirects of a sitemap are followed. No standard
// defines it; Google's crawlers follow up to 10 for a page.
const sitemapHops = 10

// fetch requests one sitemap and yields its URLs while reading. It returns the
// result, and the queue of its sitemaps if it is an index.
func (w *traversal) fetch(p *sitemapRef, key uint64) (*SitemapFile, *queue) {
	w.fetched++
	file := &SitemapFile{Index: w.next(), Parent: p.parent, Line: p.line, Depth: p.depth}
	q := &queue{walk: w, key: key, index: file.Index, depth: p.depth}
	body, out := w.site.open(w.ctx, p.url, limits{Bytes: w.budget.Bytes, Hops: sitemapHops, Agent: w.budget.Agent, Allowed: w.budget.Allowed})
	q.base = p.url
	if n := len(out.Hops); n > 0 {
		q.base = out.Hops[n-1].URL
	}
	if out.Code == "" && w.redirectedToRead(q, file) {
		file.end(body, 0, 0, file.worst())
	} else if out.Code == "" {
		own := locationOf(p.url, q.base)
		inflated, empty, why := w.readBody(body, fileName(out), out.Type, file, q, own)
		file.Own, file.Others = own.own, own.others
		file.end(body, inflated, empty, why)
		file.noteParent(p)
		w.read[key], w.read[q.key] = file.Format, file.Format
	} else {
		file.end(body, 0, 0, nil)
	}
	q.seen = nil
	return file, q
}

// readBody yields the URLs of a body while reading, and stores the data about it. It returns its size,
// the number of gzip members without content, and the file's error.
func (w *traversal) readBody(body io.Reader, name, contentType string, file *SitemapFile, q *queue, own *location) (inflated, empty int64, why *Error) {
	c := sitemap.NewContent(body, name, contentType, w.budget.Bytes)
	begin := sitemap.NewScanner
	if w.locating {
		begin = sitemap.NewLocatingScanner
	}
	s := begin(c)
	stopped := w.scan(s, file, q, own)
	empty = c.EmptyMembers()
	why = file.take(c, s, q, stopped)
	return c.Bytes, empty, why
}

// take stores the data about a file that was read, and returns its error.
func (f *SitemapFile) take(c *sitemap.Content, s *sitemap.Scanner, q *queue, stopped *Error) *Error {
	s.Finish()
	c.Free()
	f.Gzip = c.Gzip()
	f.Notes = append(append(append(f.Notes, c.Notes...), s.Notes...), q.notes...)
	for _, n := range q.notes {
		if n.Code == CodeSitemapDepth || n.Code == CodeSitemapBudget {
			f.Unread += n.Count
		}
	}
	if !s.NotSitemap {
		f.Format = s.Format
	}
	if stopped == nil {
		stopped = f.judge(c, s)
	}
	s.Free()
	return stopped
}

// noteParent notes that a sitemap is named where none may be: an index in an index, or any sitemap as
// a page.
func (f *SitemapFile) noteParent(p *sitemapRef) {
	switch {
	case f.Format == "":
	case p.page:
		f.Notes = append(f.Notes, Note{Code: NoteListedAsPage, Count: 1})
	case f.Format == "index" && p.parent >= 0:
		f.Notes = append(f.Notes, Note{Code: NoteNestedIndex, Count: 1})
	}
}

// end closes the body and takes its outcome. inflated is the size of the content, and empty
// the number of gzip members without content. why is an error in addition to the outcome's.
func (f *SitemapFile) end(body *body, inflated, empty int64, why *Error) {
	body.Close()
	f.noteEmpty(empty + body.trace.empty)
	f.Outcome = *body.out
	if inflated > 0 {
		f.Bytes = inflated
	}
	if f.Code == "" && why != nil {
		f.setError(why)
	}
}

// noteEmpty notes gzip members without content, from the second on.
func (f *SitemapFile) noteEmpty(members int64) {
	if members > 1 {
		f.Notes = append(f.Notes, Note{Code: NoteEmptyMembers, Count: members})
	}
}

// fileName returns the URL of a response, since its ending says whether to
// expect gzip. It returns "" if a Content-Encoding was decoded already, which
// servers also use for .gz files.
func fileName(out *Outcome) string {
	if len(out.Hops) == 0 {
		return out.URL
	}
	last := out.Hops[len(out.Hops)-1]
	if last.Header.Get("Content-Encoding") != "" {
		return ""
	}
	return last.URL
}

// redirectedToRead reports whether redirects led to a sitemap that was already read.
// If not, the target now counts as read.
func (w *traversal) redirectedToRead(q *queue, file *SitemapFile) bool {
	key, err := w.key(q.base)
	if err != nil || key == q.key {
		return false
	}
	format, known := w.read[key]
	if !known {
		q.key = key
		return false
	}
	code := NoteRepeated
	if q.isAbove(key) {
		code = CodeSitemapLoop
	}
	file.Format = format
	file.Notes = append(file.Notes, Note{Code: code, Count: 1, Detail: "redirects to a sitemap that was read already"})
	return true
}

// scan yields the URLs of one file. It returns an error if the limit of URLs is
// reached in it.
func (w *traversal) scan(s *sitemap.Scanner, file *SitemapFile, q *queue, own *location) *Error {
	for s.Next() {
		if trouble := w.takeURL(s, file, q, own); trouble != nil || w.loopLeft {
			return trouble
		}
	}
	return nil
}

// takeURL yields the scanner's current URL, or queues it if it is a sitemap's.
func (w *traversal) takeURL(s *sitemap.Scanner, file *SitemapFile, q *queue, own *location) *Error {
	u := &s.URL
	child := u.Kind == sitemap.Child
	if child || u.Kind == sitemap.Page {
		file.URLs++
	}
	loc, written := own.resolve(u)
	own.noteURL(u, loc, written, &s.Notes)
	if child {
		if !u.TooLong {
			q.push(u.Loc)
			s.LocateURL(q.notes)
		}
		return nil
	}
	if u.Kind == sitemap.Page && s.Format == "urlset" {
		q.pushPage(loc)
	}
	if w.urls == w.budget.URLs {
		w.ended = true
		return &Error{CodeURLBudget, fmt.Errorf("the limit of %s URLs is reached here; the rest is not read", wording.Thousands(w.budget.URLs))}
	}
	w.urls++
	w.url = SitemapURL{Loc: loc, Written: written, LastMod: u.LastMod, Lang: u.Lang, Kind: urlKinds[u.Kind], First: u.First}
	if u.TooLong {
		w.url.LeftOut = LeftOutTooLong
	}
	w.yieldItem(SitemapItem{URL: &w.url, Sitemap: file.Index})
	return nil
}

// urlKinds are the kinds of URLs that are yielded.
var urlKinds = [...]Kind{sitemap.Page: KindLoc, sitemap.Alternate: KindHreflang, sitemap.Image: KindImage, sitemap.Video: KindVideo}

// judge returns the error of a file that was read, nil if there is none. It
// adds the notes that are only known at its end.
func (f *SitemapFile) judge(c *sitemap.Content, s *sitemap.Scanner) *Error {
	var own *Error
	switch {
	case errors.As(s.Err, &own):
		return own
	case errors.Is(s.Err, sitemap.ErrTooLarge):
		return &Error{CodeBodyTooLarge, errTooLarge}
	case s.Err != nil && s.Err != io.EOF:
		return &Error{CodeSitemapBroken, s.Err}
	case s.Empty && f.has(NoteUnsupported):
		return &Error{CodeNotASitemap, errNotASitemap}
	case s.Empty:
		f.Notes = append(f.Notes, Note{Code: NoteEmptyFile, Count: 1})
		return &Error{CodeEmptyFile, errors.New("the file is empty")}
	case f.Format == "":
		if s.Root != "" && atom.Lookup([]byte(strings.ToLower(s.Root))) == 0 { // no page without its beginning
			f.Notes = append(f.Notes, Note{Code: NoteUnsupported, Count: 1, Detail: "its first element is " + s.Root})
		}
		return &Error{CodeNotASitemap, errNotASitemap}
	}
	var big error
	if f.URLs > protocolURLs {
		big = fmt.Errorf("%s entries, but only %s are allowed", wording.Thousands(f.URLs), wording.Thousands(protocolURLs))
	} else if c.Bytes > protocolBytes {
		big = fmt.Errorf("%s bytes, but only %s are allowed", wording.Thousands(c.Bytes), wording.Thousands(protocolBytes))
	}
	if big != nil {
		f.Notes = append(f.Notes, Note{Code: CodeSitemapTooBig, Count: 1, Detail: big.Error()})
	}
	switch {
	case f.URLs > 0 || s.Broken != "" || f.has(noURLs...):
	case s.News:
		f.Notes = append(f.Notes, Note{Code: NoteEmptyNews, Count: 1})
	default:
		f.Notes = append(f.Notes, Note{Code: NoteEmptySitemap, Count: 1})
	}
	if s.Broken != "" {
		return &Error{CodeSitemapBroken, errors.New(s.Broken)}
	}
	return f.worst()
}

var errNotASitemap = errors.New("neither a sitemap nor a feed nor a list of URLs")

// has reports whether there is a note with one of the codes.
func (f *SitemapFile) has(codes ...string) bool {
	return slices.ContainsFunc(f.Notes, func(n Note) bool { return slices.Contains(codes, n.Code) })
}

// noURLs are notes that say why a sitemap has no URL, so that it is not called empty.
var noURLs = []string{NoteNotWellFormed, NoteMissingLoc, NoteEmptyLoc, NoteNesting}

// worst returns the most severe note that is an error of the site.
func (f *SitemapFile) worst() *Error {
	for _, trouble := range troubles {
		for _, n := range f.Notes {
			if n.Code == trouble.code {
				format := trouble.many
				if n.Count == 1 {
					format = trouble.one
				}
				return &Error{n.Code, fmt.Errorf(format, wording.Thousands(n.Count), n.Detail)}
			}
		}
	}
	return nil
}

// troubles are the notes that are errors of the site, most severe first. Each has
// formats for a Count of one and of more, which take Count and Detail.
var troubles = [...]struct{ code, one, many string }{
	{CodeSitemapLoop, "%s entry leads back to a sitemap above: %s", "%s entries lead back to a sitemap above: %s"},
	{CodeSitemapDepth, "%s sitemap not read, because indexes are nested too deep: %s", "%s sitemaps not read, because indexes are nested too deep: %s"},
	{CodeSitemapBudget, "%s sitemap not read, because of the limit: %s", "%s sitemaps not read, because of the limit: %s"},
	{CodeSitemapTooBig, "%[2]s", "%[2]s"},
}
