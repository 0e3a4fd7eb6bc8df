package site

import (
	"fmt"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// WhyEmpty says why a sheet would have no rows, by its name.
func (s *Site) WhyEmpty(d *audit.Done) map[string]string {
	own := s.Origin(0)
	noFile := "No robots.txt was read: " + Read(own, 0).Why + "."
	why := map[string]string{
		"Disagreements": fmt.Sprintf("All %s get the same verdict on each of the %s.", wording.Plural(len(s.Crawlers), "crawler"), wording.Known(d.URLs)),
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
	case len(s.Crawlers) < 2:
		why["Disagreements"] = "There is nobody to disagree: one crawler was asked about."
	}
	if own.File.Bytes == 0 {
		why["Rules"] = noFile
		if Read(own, 0).Access == "parsed" {
			why["Rules"], why["File"] = "The robots.txt is empty.", "The robots.txt is empty."
		}
	}
	resources := int64(0)
	for _, k := range d.Kinds {
		resources += k.URLs
	}
	if resources > 0 {
		why["Resources"] = fmt.Sprintf("Images, videos, alternates: none is blocked from crawling (%s beside the pages).", wording.Known(resources))
	}
	return why
}
