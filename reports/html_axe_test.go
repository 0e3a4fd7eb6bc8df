package reports

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// axeVersion is the version of axe-core, the rules by which the pages are held
// to be fit for those who do not see them, or do not use a mouse.
const axeVersion = "4.14.1"

// axe returns the script of axe-core, which npm fetches for the test: it is
// another's code, and under another licence.
func axe(t *testing.T) string {
	t.Helper()
	npm, err := tool("npm", "npm")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, npm, "install", "--prefix", dir, "--no-save", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@"+axeVersion)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	script, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// TestAccessible holds the pages to all rules of axe-core, in light and in dark
// colours, wide and narrow.
func TestAccessible(t *testing.T) {
	script := axe(t)
	dir := demoRun(t)
	for _, look := range []struct {
		name, scheme string
		width        int
	}{{"light", "light", 1280}, {"dark and narrow", "dark", 390}} {
		t.Run(look.name, func(t *testing.T) {
			b := openTab(t)
			b.look(look.scheme, look.width)
			for _, page := range []string{"index.html", "pages/www.bookshop.example.html", "pages/fragile.example.html", "pages/silent.example.html"} {
				b.open(dir, page)
				if dark := eval[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (look.scheme == "dark") {
					t.Fatal("the colours are not those asked for")
				}
				eval[bool](b, script+`; true`)
				found := eval[[]string](b, `axe.run({resultTypes: ["violations"]}).then(r => r.violations.map(v => v.impact + " " + v.id + ": " + v.help + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 200) + " " + v.nodes[0].failureSummary))`)
				for _, f := range found {
					t.Errorf("%s: %s", page, f)
				}
				if n := eval[int](b, `axe.run({resultTypes: ["passes"]}).then(r => r.passes.length)`); n < 20 {
					t.Errorf("%s: only %d rules looked at anything", page, n)
				}
			}
			b.quiet()
			if !eval[bool](b, `document.body.append(new Image()), axe.run().then(r => r.violations.some(v => v.id === "image-alt"))`) {
				t.Error("a picture without words was not found")
			}
		})
	}
}
