package site

import "robots-audit/audit"

// groundSections are the parts of a site's page that show what gives the site its state.
var groundSections = map[string]string{
	audit.GroundAccess: "todo", audit.GroundHome: "todo", audit.GroundShare: "todo", audit.GroundBlocked: "todo", audit.GroundFinding: "todo", audit.GroundSitemaps: "todo",
	audit.GroundPage: "todo", audit.GroundBody: "todo",
	audit.GroundBroken: "problems", audit.GroundProblem: "problems", audit.GroundUnread: "hosts", audit.GroundUnclear: "blocked", audit.GroundNoURLs: "sitemaps",
}

// GroundLink returns where on a site's page the reason for its state is: "#blocked"; ""
// where there is no reason to show. ground is Done.Ground.
func GroundLink(ground string) string {
	if s := groundSections[ground]; s != "" {
		return "#" + s
	}
	return ""
}
