//go:build release

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// The files of a release, made by .ci/release from HEAD, are tested as users download them.
// ROBOTS_AUDIT_RELEASE is their folder.

var platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64", "windows_arm64"}

func releaseFolder(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ROBOTS_AUDIT_RELEASE")
	if dir == "" {
		t.Fatal("ROBOTS_AUDIT_RELEASE names no folder: bash .ci/release DIR")
	}
	return dir
}

var programs = []string{"robots-audit", "robots-audit-fleet"}

func released(t *testing.T, program, platform, ending string) string {
	t.Helper()
	return filepath.Join(releaseFolder(t), program+"_"+cli.NextVersion+"_"+platform+ending)
}

// packed is a file of an archive.
type packed struct {
	text []byte
	mode os.FileMode
}

// unpack reads the content of the one folder in an archive of a release.
func unpack(t *testing.T, program, platform string) map[string]packed {
	t.Helper()
	files := map[string]packed{}
	add := func(name string, mode os.FileMode, r io.Reader) {
		t.Helper()
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		top, rest, _ := strings.Cut(name, "/")
		if top != program+"_"+cli.NextVersion+"_"+platform {
			t.Errorf("%s: %s lies outside of its folder", platform, name)
		}
		files[rest] = packed{text, mode}
	}
	if strings.HasPrefix(platform, "windows") {
		r, err := zip.OpenReader(released(t, program, platform, ".zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, f := range r.File {
			if f.FileInfo().IsDir() {
				continue
			}
			c, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), c)
		}
		return files
	}
	f, err := os.Open(released(t, program, platform, ".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			add(h.Name, h.FileInfo().Mode(), r)
		}
	}
}

// output runs a program and returns its output.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	text, err := exec.Command(name, args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		t.Fatalf("%s %v: %v: %s", name, args, err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// TestReleaseArchives checks every archive: its files, the source of its program, the modules in
// the SBOM, and the licence of each.
func TestReleaseArchives(t *testing.T) {
	commit := output(t, "git", "rev-parse", "HEAD")
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		for _, platform := range platforms {
			t.Run(program+"_"+platform, func(t *testing.T) { releasedArchive(t, program, platform, commit, home) })
		}
	}
}

// releasedArchive checks one of them.
func releasedArchive(t *testing.T, program, platform, commit, home string) {
	files := unpack(t, program, platform)
	binary := program
	if strings.HasPrefix(platform, "windows") {
		binary += ".exe"
	}
	want := []string{"CHANGELOG.md", "LICENSE", "README.md", "THIRD_PARTY_LICENSES.txt", "completions/_" + program, "completions/" + program + ".bash", "completions/" + program + ".fish", "config.toml", "man/" + program + ".1", binary}
	for name := range guides(t) { // README.md links to them
		if name != "README.md" {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Errorf("%s holds %q", platform, got)
	}
	for name, f := range files {
		if mode := map[bool]os.FileMode{true: 0o755, false: 0o644}[name == binary]; f.mode != mode || len(f.text) == 0 {
			t.Errorf("%s: %s has mode %v and %d bytes", platform, name, f.mode, len(f.text))
		}
	}
	text := files[binary].text
	info, err := buildinfo.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", platform, err)
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	for key, want := range map[string]string{"-trimpath": "true", "vcs.revision": commit, "vcs.modified": "false", "CGO_ENABLED": "0", "GOOS": strings.Split(platform, "_")[0], "GOARCH": strings.Split(platform, "_")[1]} {
		if set[key] != want {
			t.Errorf("%s: %s is %q, not %q", platform, key, set[key], want)
		}
	}
	if !bytes.Contains(text, []byte(cli.NextVersion)) {
		t.Errorf("%s: its program does not know its version", platform)
	}
	if at := bytes.Index(text, []byte(home+"/")); at >= 0 {
		t.Errorf("%s: a path of the machine it was built on: %q", platform, text[at:at+60])
	}

	var sbom struct {
		BomFormat  string
		Components []struct {
			Name, Version string
			Evidence      struct{ Licenses []any }
		}
	}
	document, err := os.ReadFile(released(t, program, platform, ".cdx.json"))
	if err == nil {
		err = json.Unmarshal(document, &sbom)
	}
	if err != nil || sbom.BomFormat != "CycloneDX" {
		t.Fatalf("%s: %v, %q", platform, err, sbom.BomFormat)
	}
	named := map[string]bool{}
	for _, c := range sbom.Components {
		named[c.Name+" "+c.Version] = true
	}
	licences := string(files["THIRD_PARTY_LICENSES.txt"].text)
	for _, m := range info.Deps {
		if !named[m.Path+" "+m.Version] {
			t.Errorf("%s: the SBOM lacks %s %s", platform, m.Path, m.Version)
		}
		if !strings.Contains(licences, "\n=== "+m.Path+" "+m.Version+"\n\n--- ") {
			t.Errorf("%s: no licence of %s %s", platform, m.Path, m.Version)
		}
	}
	t.Logf("%s: %.1f MB, %d modules", platform, float64(len(text))/1e6, len(info.Deps))
}

// TestReleaseSize prevents that the programs grow unnoticed.
func TestReleaseSize(t *testing.T) {
	measured := sizes{}
	for _, program := range programs {
		measured["KB "+program] = len(unpack(t, program, "linux_amd64")[program].text) / 1000
	}
	checkSizes(t, measured)
}

// TestReleaseChecksums compares checksums.txt with all other files.
func TestReleaseChecksums(t *testing.T) {
	dir := releaseFolder(t)
	text := clitest.Read(t, dir, "checksums.txt")
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, entry := range list {
		if entry.Name() == "checksums.txt" {
			continue
		}
		data := clitest.Read(t, dir, entry.Name())
		want = append(want, fmt.Sprintf("%x  %s", sha256.Sum256([]byte(data)), entry.Name()))
	}
	got := strings.Split(strings.TrimSpace(text), "\n")
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) || len(want) != len(programs)*(3*len(platforms)-2) {
		t.Errorf("checksums.txt has\n%s\nand the files\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestReleaseAgain builds the program of this system again in another clone: the bytes must be
// equal.
func TestReleaseAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "elsewhere")
	output(t, "git", "clone", "--quiet", filepath.Join("..", ".."), dir)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -X robots-audit/cmd/internal/cli.releaseVersion="+cli.NextVersion, "-o", "again", "./cmd/robots-audit")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	again := clitest.Read(t, dir, "again")
	if first := unpack(t, "robots-audit", "linux_amd64")["robots-audit"].text; string(first) != again {
		t.Errorf("the same commit gave %x and %x", sha256.Sum256(first), sha256.Sum256([]byte(again)))
	}
}

// TestReleasePackages unpacks the packages, and runs the installed programs.
func TestReleasePackages(t *testing.T) {
	commit := output(t, "git", "rev-parse", "HEAD")
	for _, name := range programs {
		t.Run(name, func(t *testing.T) { releasedPackages(t, name, commit) })
	}
}

func releasedPackages(t *testing.T, name, commit string) {
	want := []string{"/usr/bin/" + name, "/usr/share/bash-completion/completions/" + name, "/usr/share/doc/" + name + "/changelog.gz", "/usr/share/doc/" + name + "/examples/config.toml", "/usr/share/fish/vendor_completions.d/" + name + ".fish", "/usr/share/man/man1/" + name + ".1.gz"}
	only := map[string][]string{
		".deb": {"/usr/share/doc/" + name + "/copyright", "/usr/share/zsh/vendor-completions/_" + name},
		".rpm": {"/usr/share/licenses/" + name + "/LICENSE", "/usr/share/zsh/site-functions/_" + name},
	}
	for _, ending := range []string{".deb", ".rpm"} {
		for _, platform := range platforms[:2] {
			root, file := t.TempDir(), released(t, name, platform, ending)
			if ending == ".deb" {
				output(t, "dpkg-deb", "-x", file, root)
				if got, want := output(t, "dpkg-deb", "-f", file, "Package", "Version", "Architecture"), "Package: "+name+"\nVersion: 0.2.0~dev\nArchitecture: "+strings.TrimPrefix(platform, "linux_"); got != want {
					t.Errorf("%s says\n%s", file, got)
				}
			} else {
				output(t, "sh", "-c", `cd "$1" && rpm2cpio "$2" | cpio --quiet -id --no-absolute-filenames`, "sh", root, file)
				if got, want := output(t, "rpm", "-qp", "--qf", "%{NAME} %{VERSION} %{LICENSE}", file), name+" 0.2.0~dev Apache-2.0"; got != want {
					t.Errorf("%s says %s", file, got)
				}
			}
			var got []string
			filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					got = append(got, path.Join("/", strings.TrimPrefix(filepath.ToSlash(name), root)))
				}
				return err
			})
			if all := slices.Sorted(slices.Values(slices.Concat(want, only[ending]))); !slices.Equal(got, all) {
				t.Errorf("%s installs\n%s\nand not\n%s", file, strings.Join(got, "\n"), strings.Join(all, "\n"))
			}
			if platform != "linux_amd64" {
				continue
			}
			program := filepath.Join(root, "usr", "bin", name)
			var b cli.BuildJSON
			if err := json.Unmarshal([]byte(output(t, program, "version", "-json")), &b); err != nil || b.Commit == nil || *b.Commit != commit || b.Version != cli.NextVersion || b.Modified || b.Platform != "linux/amd64" {
				t.Errorf("%s: its version is %+v, %v", file, b, err)
			}
		}
	}
}

// TestReleaseInstall runs the commands of install.md that install files of a release, and then the
// installed programs.
func TestReleaseInstall(t *testing.T) {
	text := clitest.Read(t, "..", "..", ".github", "docs", "install.md")
	// The machine's own folders stay unchanged: roots are test folders, and apt only simulates.
	home := t.TempDir()
	for _, dir := range []string{"bin", ".local/bin", "root"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(home, "downloads"), os.DirFS(releaseFolder(t))); err != nil {
		t.Fatal(err)
	}
	next := strings.TrimSuffix(cli.NextVersion, "-dev") // the version in install.md
	here := strings.NewReplacer("_"+next+"_", "_"+cli.NextVersion+"_", "sudo apt install", "apt-get --simulate install", "sudo rpm -i", "rpm -i --nodeps --root "+filepath.Join(home, "root"))
	ran := 0
	for _, c := range []struct {
		begins    string
		installed string // path of the program in home; "" = none
		says      string
	}{
		{begins: "sha256sum", says: "robots-audit_" + cli.NextVersion + "_windows_arm64.zip: OK"},
		{begins: "sudo apt", says: "Inst robots-audit "},
		{begins: "sudo rpm", installed: "root/usr/bin/robots-audit"},
		{begins: "tar -xzf robots-audit_" + next + "_linux", installed: ".local/bin/robots-audit"},
		{begins: "tar -xzf robots-audit_" + next + "_darwin", installed: "bin/robots-audit"},
		{begins: "tar -xf robots-audit_" + next + "_windows", installed: "downloads/robots-audit_" + cli.NextVersion + "_windows_amd64/robots-audit.exe"},
	} {
		_, line, found := strings.Cut(text, "\n    "+c.begins)
		line, _, _ = strings.Cut(line, "\n")
		if line, _, _ = strings.Cut(line, "  #"); !found {
			t.Errorf("install.md has no %s", c.begins)
			continue
		}
		ran++
		line = here.Replace(c.begins + line)
		switch { // bsdtar, the tar of macOS and Windows, needs no option for patterns, and reads ZIPs
		case strings.Contains(line, "darwin"):
			line = strings.Replace(line, "tar -xzf", "tar --wildcards -xzf", 1)
		case strings.Contains(line, "windows"):
			line = strings.Replace(line, "tar -xf", "busybox unzip -q", 1)
		}
		cmd := exec.Command("sh", "-ec", line)
		cmd.Dir, cmd.Env = filepath.Join(home, "downloads"), append(os.Environ(), "HOME="+home)
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(said), c.says) {
			t.Errorf("%s: %v, %s", line, err, said)
			continue
		}
		if c.installed == "" {
			continue
		}
		program := filepath.Join(home, filepath.FromSlash(c.installed))
		if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 && filepath.Ext(program) == "" {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if strings.Contains(line, "_linux_amd64") {
			if said := output(t, program, "version"); !strings.HasPrefix(said, "robots-audit "+cli.NextVersion+" ") {
				t.Errorf("%s: its version is %s", line, said)
			}
		}
	}
	lines := 0
	for _, line := range commandLine.FindAllStringSubmatch(text, -1) {
		if strings.Contains(line[1], "checksums.txt") || strings.Contains(line[1], "robots-audit_"+next) {
			lines++
		}
	}
	if lines != ran {
		t.Errorf("%d lines of install.md install a release, %d were run", lines, ran)
	}
}

// TestReleaseWindows runs the program for Windows, if Wine is installed (.ci/install-wine).
func TestReleaseWindows(t *testing.T) {
	if os.Getenv("WINEPREFIX") == "" {
		t.Fatal("WINEPREFIX names no Windows: bash .ci/install-wine DIR")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "robots-audit.exe")
	if err := os.WriteFile(program, unpack(t, "robots-audit", "windows_amd64")["robots-audit.exe"].text, 0o755); err != nil {
		t.Fatal(err)
	}
	var b cli.BuildJSON
	if err := json.Unmarshal([]byte(output(t, "wine", program, "version", "-json")), &b); err != nil || b.Version != cli.NextVersion || b.Platform != "windows/amd64" {
		t.Errorf("its version is %+v, %v", b, err)
	}
	demo := filepath.Join(dir, "demo")
	if said := output(t, "wine", program, "demo", "-out", demo); !strings.Contains(said, "8 sites: 2 critical") {
		t.Errorf("the demo says %s", said)
	}
	for _, name := range []string{"summary.xlsx", "www.bookshop.example.xlsx", "pages/www.bookshop.example.html"} {
		if info, err := os.Stat(filepath.Join(demo, filepath.FromSlash(name))); err != nil || info.Size() == 0 {
			t.Errorf("the demo's %s: %v", name, err)
		}
	}
}
