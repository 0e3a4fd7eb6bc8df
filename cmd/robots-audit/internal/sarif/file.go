package sarif

import (
	"net/url"
	"path/filepath"
	"strings"
)

// SourceRoot stands for the folder that files are relative to, by the name that
// SARIF's authors and GitHub have for it.
const SourceRoot = "%SRCROOT%"

// File names a file: one in the folder root, or beneath it, relative to that folder.
func File(root, name string) Artifact {
	if !filepath.IsAbs(name) {
		name = filepath.Join(root, name)
	}
	inside, err := filepath.Rel(root, name)
	if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
		return Artifact{URI: fileURI(name)}
	}
	return Artifact{(&url.URL{Path: filepath.ToSlash(inside)}).String(), SourceRoot}
}

// Bases says what SourceRoot is, for a run that names files relative to it.
func Bases(root string) map[string]Artifact {
	return map[string]Artifact{SourceRoot: {URI: strings.TrimSuffix(fileURI(root), "/") + "/"}}
}

// fileURI is the URI of a file or folder whose name is absolute.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
