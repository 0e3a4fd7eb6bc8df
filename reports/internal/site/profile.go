package site

import "robots-audit/engine"

// ProfileInfo describes the source of a profile, for run.json and the workbooks.
type ProfileInfo struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Dated  string `json:"dated"`  // the day or year to which the source refers
	Source string `json:"source"` // URL
}

// ProfileInfoOf returns the info for a profile name; for an unknown one only the name.
func ProfileInfoOf(name string) ProfileInfo {
	if p, ok := engine.ProfileByName(name); ok {
		return ProfileInfo{p.Name, p.Title, p.Dated, p.Source}
	}
	return ProfileInfo{Name: name}
}
