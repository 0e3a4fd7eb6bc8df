package site

import "robots-audit/engine"

// ProfileInfo says what a profile is taken from, as run.json and the workbooks have it.
type ProfileInfo struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Dated  string `json:"dated"`  // the day or year that the source speaks of
	Source string `json:"source"` // URL
}

// ProfileInfoOf returns what is known of the profile of that name; of one that this
// program does not know, the name alone.
func ProfileInfoOf(name string) ProfileInfo {
	if p, ok := engine.ProfileByName(name); ok {
		return ProfileInfo{p.Name, p.Title, p.Dated, p.Source}
	}
	return ProfileInfo{Name: name}
}
