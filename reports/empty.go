package reports

import (
	"fmt"

	"robots-audit/audit"
)

// fillEmpty gives every sheet that is always there its header, and where it has
// no rows the reason.
func (b *siteBook) fillEmpty(d *audit.Done) {
	why := b.whyEmpty(d)
	for _, s := range b.Sheets {
		switch {
		case s.Begun() || s.Optional():
		case why[s.Name()] != "":
			s.Note(&b.Workbook, why[s.Name()])
		default:
			s.Open(&b.Workbook)
		}
	}
}

// whyEmpty says why a sheet would have no rows, by its name.
func (b *siteBook) whyEmpty(d *audit.Done) map[string]string {
	own := b.origin(0)
	noFile := "No robots.txt was read: " + read(own, 0).Why + "."
	why := map[string]string{
		"Disagreements": fmt.Sprintf("All %s get the same verdict on each of the %s.", plural(len(b.site.Crawlers), "crawler"), known(d.URLs)),
		"Rules":         "The robots.txt has no line that is a rule.",
		"File":          noFile,
		"Lint":          "Nothing was found that is worth a word.",
		"Sitemaps":      "No sitemap was asked for.",
		"Left out":      "Nothing was left out: every URL that was named has been tested.",
		"Problems":      "There were no problems on the way.",
		"Resources":     "No images, videos or alternates of pages are known of this site.",
	}
	switch {
	case d.URLs == 0:
		why["Disagreements"] = "No known URL was tested."
	case len(b.site.Crawlers) < 2:
		why["Disagreements"] = "There is nobody to disagree: one crawler was asked about."
	}
	if own.File.Bytes == 0 {
		why["Rules"] = noFile
		if read(own, 0).Access == "parsed" {
			why["Rules"], why["File"] = "The robots.txt is empty.", "The robots.txt is empty."
		}
	}
	resources := int64(0)
	for _, k := range d.Kinds {
		resources += k.URLs
	}
	if resources > 0 {
		why["Resources"] = fmt.Sprintf("Images, videos, alternates: none is blocked from crawling (%s beside the pages).", known(resources))
	}
	return why
}
