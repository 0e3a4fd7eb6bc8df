package audit

import "robots-audit/engine"

// Self returns this program as a crawler, and the profile it reads by: what it
// obeys where it asks for pages. Packages beside this one that ask for pages
// obey the same.
func Self() (engine.Crawler, *engine.Profile) { return self, rfc9309 }
