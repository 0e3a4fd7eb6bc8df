package job

import (
	"robots-audit/audit"
	"robots-audit/crawl"
)

// ListedCredentials are the credentials in lists of sites, by origin. Read them again for each round
// of requests, so that a changed password needs no restart of the schedule.
func ListedCredentials(lists []string) map[string]*crawl.Credentials {
	of := map[string]*crawl.Credentials{}
	for _, name := range lists {
		file, _, err := audit.OpenDomains(name, "", "")
		if err != nil {
			continue
		}
		for d, err := range audit.Domains(file) {
			if err != nil || d.Credentials == nil {
				continue
			}
			if origin := d.Origin(d.Scheme); of[origin] == nil {
				of[origin] = d.Credentials
			}
		}
		file.Close()
	}
	return of
}
