package sarif

import (
	"net/url"
	"path/filepath"
	"strings"
)

// SourceRoot is the name that SARIF and GitHub use for the folder to which file names are relative.
const SourceRoot = "%SRCROOT%"

// File names a file, relative to the folder root if it is in it or below.
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

// Bases defines SourceRoot for a run whose file names are relative to it.
func Bases(root string) map[string]Artifact {
	return map[string]Artifact{SourceRoot: {URI: strings.TrimSuffix(fileURI(root), "/") + "/"}}
}

// fileURI is the URI of an absolute path.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
