package audit

import (
	"robots-audit/crawl"
	"robots-audit/engine"
)

// mediaCrawlers are the crawlers that request the images and videos of sitemaps for Google, whichever
// crawlers an audit is about.
var mediaCrawlers = func() []Crawler {
	list, err := ParseCrawlers("Googlebot-Image,Googlebot,Googlebot-Video")
	if err != nil {
		panic(err) // cannot happen: the crawler list has them
	}
	return list
}()

// checkMedia notes an image, thumbnail, video or player of a sitemap that Google may not request. o is the
// origin that judges it.
func (s *site) checkMedia(o *origin, u *URL) {
	var from, to int // of mediaCrawlers
	switch u.Kind {
	case crawl.KindImage:
		to = 1
	case crawl.KindVideo: // Googlebot renders players
		from, to = 1, len(mediaCrawlers)
	default:
		return
	}
	if o.findings == nil {
		return
	}
	if o.media == nil {
		apart(func() { s.readMedia(o) })
	}
	for i := from; i < to; i++ {
		if o.media[i] == nil {
			continue
		}
		if d := o.media[i].Verdict(u.Loc); d.Verdict == engine.Disallow && d.Line() > 0 {
			o.findings.AddMedia(mediaCrawlers[i].Name, u.Kind, int32(d.Line()), u.Loc)
			return
		}
	}
}

// readMedia reads o's robots.txt for the mediaCrawlers. A group that blocks nothing is nil.
func (s *site) readMedia(o *origin) {
	defer s.answers.Forget()
	o.media = make([]*engine.Group, len(mediaCrawlers))
	for i, c := range mediaCrawlers {
		r := s.answers.Read(o.index, c.profile, c.robot)
		if g := r.Group(c.robot); !blocksNothing(r.Access, g) {
			o.media[i] = g
		}
	}
}
