package site

import "robots-audit/audit"

// groundSections are the parts of a site's page that show the reason for its state.
var groundSections = map[string]string{
	audit.GroundAccess: "todo", audit.GroundHome: "todo", audit.GroundShare: "todo", audit.GroundBlocked: "todo", audit.GroundFinding: "todo", audit.GroundSitemaps: "todo",
	audit.GroundPage: "todo", audit.GroundBody: "todo", audit.GroundLogs: "todo",
	audit.GroundBroken: "problems", audit.GroundProblem: "problems", audit.GroundUnread: "hosts", audit.GroundUnclear: "blocked", audit.GroundNoURLs: "sitemaps",
}

// GroundLink returns the place on a site's page with the reason for its state: "#blocked"; "" if
// there is no reason to show. ground is Done.Ground.
func GroundLink(ground string) string {
	if s := groundSections[ground]; s != "" {
		return "#" + s
	}
	return ""
}
