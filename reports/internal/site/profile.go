package site

import "robots-audit/engine"

// ProfileNote says what a profile is taken from.
type ProfileNote struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Dated  string `json:"dated"`
	Source string `json:"source"`
}

// NoteOf returns a profile's note; of a profile that this program does not
// know, the name alone.
func NoteOf(name string) ProfileNote {
	if p, ok := engine.ProfileByName(name); ok {
		return ProfileNote{p.Name, p.Title, p.Dated, p.Source}
	}
	return ProfileNote{Name: name}
}
