package job

import (
	"os"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// ListedCredentials are those of an origin in lists of sites, which are read anew at each call:
// whoever changes a password there need not start the schedule again. nil = they have none.
func ListedCredentials(lists []string, origin string) *crawl.Credentials {
	for _, name := range lists {
		if c := credentialsIn(name, origin); c != nil {
			return c
		}
	}
	return nil
}

func credentialsIn(list, origin string) *crawl.Credentials {
	file, err := os.Open(list)
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
