//go:build examples

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"robots-audit/cmd/internal/clitest"
)

// exampleRelease returns the files of a release with a program, by the path of their URL. Their names
// and form are those of .goreleaser.yaml.
func exampleRelease(t *testing.T, repository, version, program string) (files map[string]string, archive string) {
	t.Helper()
	var config struct {
		Archives []struct {
			Name    string `yaml:"name_template"`
			Formats []string
			Wrap    bool `yaml:"wrap_in_directory"`
		}
		Checksum struct {
			Name      string `yaml:"name_template"`
			Algorithm string
		}
	}
	if err := yaml.Unmarshal([]byte(clitest.Read(t, "..", "..", ".goreleaser.yaml")), &config); err != nil {
		t.Fatal(err)
	}
	of := config.Archives[0]
	if !slices.Equal(of.Formats, []string{"tar.gz"}) || !of.Wrap || config.Checksum.Algorithm != "sha256" {
		t.Fatalf("%+v is not the form that the step download expects", config)
	}
	name := strings.NewReplacer("{{ .Version }}", version, "{{ .Os }}", "linux", "{{ .Arch }}", runtime.GOARCH).Replace(of.Name)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	for file, text := range map[string]string{"README.md": "# robots-audit\n", "robots-audit": program} {
		w.WriteHeader(&tar.Header{Name: name + "/" + file, Mode: 0o755, Size: int64(len(text)), Typeflag: tar.TypeReg})
		w.Write([]byte(text))
	}
	w.Close()
	z.Close()
	folder := "/" + repository + "/releases/download/v" + version + "/"
	archive = folder + name + ".tar.gz"
	sums := fmt.Sprintf("%064x  %s.deb\n%x  %s.tar.gz\n", 0, name, sha256.Sum256(packed.Bytes()), name)
	return map[string]string{archive: packed.String(), folder + config.Checksum.Name: sums}, archive
}

// TestExampleGitHubDownloads checks when the action uses the program of a release, when it builds the
// program, and when it fails.
func TestExampleGitHubDownloads(t *testing.T) {
	const program = "#!/bin/sh\necho the program\n"
	// Each case begins with a release 0.2.0 of tools/robots-audit, as the ref v0.2.0 of the action.
	for _, c := range []struct {
		name  string
		env   map[string]string
		edit  func(files map[string]string, archive, sums string)
		code  int
		found bool
		says  string
	}{
		{name: "the release of the ref", found: true},
		{name: "a version", env: map[string]string{"VERSION": "0.2.0", "ACTION_REF": "main"}, found: true},
		{name: "a version as its tag", env: map[string]string{"VERSION": "v0.2.0", "ACTION_REF": "main"}, found: true},
		{name: "the tag of a reusable workflow", env: map[string]string{"ACTION_REF": "tools/robots-audit/.github/workflows/watch.yml@refs/tags/v0.2.0"}, found: true},
		{name: "an action of the same repository", env: map[string]string{"ACTION_REF": "", "ACTION_REPOSITORY": "", "GITHUB_REPOSITORY": "tools/robots-audit", "VERSION": "0.2.0"}, found: true},
		{name: "a branch", env: map[string]string{"ACTION_REF": "main"}, says: "The program is built: the ref is not a version."},
		{name: "a branch that is called like a tag", env: map[string]string{"ACTION_REF": "tools/robots-audit/.github/workflows/watch.yml@refs/heads/v0.2.0"}, says: "The program is built"},
		{name: "a ref without a release", env: map[string]string{"ACTION_REF": "v0.3.0"}, says: "The program is built: "},
		{name: "a version without a release", env: map[string]string{"VERSION": "0.3.0"}, code: 2, says: "version 0.3.0: "},
		{name: "no version", env: map[string]string{"VERSION": "latest"}, code: 2, says: "version: a release, such as 0.2.0"},
		{name: "a version that is a path", env: map[string]string{"VERSION": "0.2.0/../x"}, code: 2, says: "version: a release, such as 0.2.0"},
		{name: "a page in place of the checksums", edit: func(files map[string]string, _, sums string) { files[sums] = "<html>Log in\n" }, says: "The program is built: "},
		{name: "no archive for this machine", edit: func(files map[string]string, _, sums string) {
			files[sums] = strings.ReplaceAll(files[sums], runtime.GOARCH, "mips")
		}, says: "does not list"},
		{name: "no archive for this machine, of a version", env: map[string]string{"VERSION": "0.2.0"}, edit: func(files map[string]string, _, sums string) {
			files[sums] = strings.ReplaceAll(files[sums], runtime.GOARCH, "mips")
		}, code: 2, says: "does not list"},
		{name: "the archive is missing", env: map[string]string{"VERSION": "0.2.0"}, edit: func(files map[string]string, archive, _ string) { delete(files, archive) }, code: 2, says: "could not be downloaded (404)"},
		{name: "another archive", edit: func(files map[string]string, archive, _ string) { files[archive] += "x" }, code: 2, says: "as in checksums.txt. The program is not used."},
		{name: "another archive, of a version", env: map[string]string{"VERSION": "0.2.0"}, edit: func(files map[string]string, archive, _ string) { files[archive] += "x" }, code: 2, says: "The checksum of http"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, archive := exampleRelease(t, "tools/robots-audit", "0.2.0", program)
			if c.edit != nil {
				c.edit(files, archive, strings.TrimSuffix(archive, filepath.Base(archive))+"checksums.txt")
			}
			server := serveFiles(t, files)
			dir := t.TempDir()
			env := map[string]string{"VERSION": "", "ACTION_REF": "v0.2.0", "ACTION_REPOSITORY": "tools/robots-audit", "PROGRAM": dir, "GITHUB_SERVER_URL": server.URL}
			for name, value := range c.env {
				env[name] = value
			}
			code, said, outputs := actionStep(t, "download", "", env)
			if code != c.code || (outputs == "found=true\n") != c.found || !strings.Contains(said, c.says) || (code != 0) != strings.Contains(said, "::error ") {
				t.Errorf("code %d, outputs %q, %s", code, outputs, said)
			}
			info, err := os.Stat(filepath.Join(dir, "robots-audit"))
			if (err == nil) != c.found || err == nil && (info.Mode()&0o111 == 0 || clitest.Read(t, dir, "robots-audit") != program) {
				t.Errorf("the program: %v, %v", info, err)
			}
		})
	}
	// Nobody answers.
	for version, want := range map[string]int{"": 0, "0.2.0": 2} {
		if code, said, outputs := actionStep(t, "download", "", map[string]string{"VERSION": version, "ACTION_REF": "v0.2.0", "ACTION_REPOSITORY": "", "PROGRAM": t.TempDir(), "GITHUB_SERVER_URL": "http://127.0.0.1:1"}); code != want || outputs != "" || !strings.Contains(said, "could not be downloaded (000, curl exit code 7)") {
			t.Errorf("code %d, outputs %q, %s", code, outputs, said)
		}
	}
}

// serveFiles serves files by their paths.
func serveFiles(t *testing.T, files map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server
}
