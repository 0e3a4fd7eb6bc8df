package engine

// SitemapLines returns every Sitemap line in the order of the file, as
// written, those too that no crawler can use since they are no absolute URLs.
// Sitemaps leaves the latter out.
func (r *Robots) SitemapLines() []Line { return r.sitemaps }
