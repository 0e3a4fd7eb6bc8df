package site

import "robots-audit/audit"

// groundSections are the parts of a site's page that show what gives the site its state.
var groundSections = map[string]string{
	audit.GroundBroken: "problems", audit.GroundUnread: "hosts", audit.GroundAccess: "hosts", audit.GroundBody: "hosts",
	audit.GroundHome: "crawlers", audit.GroundShare: "blocked", audit.GroundBlocked: "blocked", audit.GroundUnclear: "blocked",
	audit.GroundFinding: "findings", audit.GroundSitemaps: "sitemaps", audit.GroundNoURLs: "sitemaps", audit.GroundProblem: "problems",
}

// GroundLink returns where on a site's page the reason for its state is: "#blocked"; ""
// where there is no reason to show. ground is Done.Ground.
func GroundLink(ground string) string {
	if s := groundSections[ground]; s != "" {
		return "#" + s
	}
	return ""
}
