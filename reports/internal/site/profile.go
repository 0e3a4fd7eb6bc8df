package site

import "robots-audit/engine"

// ProfileInfo says what a profile is taken from.
type ProfileInfo struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Dated  string `json:"dated"`
	Source string `json:"source"`
}

// ProfileInfoOf returns a profile's note; of a profile that this program does not
// know, the name alone.
func ProfileInfoOf(name string) ProfileInfo {
	if p, ok := engine.ProfileByName(name); ok {
		return ProfileInfo{p.Name, p.Title, p.Dated, p.Source}
	}
	return ProfileInfo{Name: name}
}
