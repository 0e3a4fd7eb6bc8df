package job

import (
	"robots-audit/audit"
	"robots-audit/crawl"
)

// ListedCredentials are the credentials of an origin in lists of sites; nil = none. Each call reads
// the lists again, so that a changed password needs no restart of the schedule.
func ListedCredentials(lists []string, origin string) *crawl.Credentials {
	for _, name := range lists {
		if c := credentialsIn(name, origin); c != nil {
			return c
		}
	}
	return nil
}

func credentialsIn(list, origin string) *crawl.Credentials {
	file, _, err := audit.OpenDomains(list, "", "")
	if err != nil {
		return nil
	}
	defer file.Close()
	for d, err := range audit.Domains(file) {
		if err == nil && d.Credentials != nil && d.Origin(d.Scheme) == origin {
			return d.Credentials
		}
	}
	return nil
}
