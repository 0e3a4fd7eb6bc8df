package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// packageRule is what the files of one package may do, without tests. Each allowance must be needed
// by some file.
type packageRule struct {
	std    []string // packages of the standard library that it may import, if it must be pure; nil = any
	others []string // modules and packages that it may import, with those below them
	goes   bool     // may start goroutines
}

// house is the dependency rule: each package of this module with its permissions.
var house = map[string]packageRule{
	// Bytes in, verdicts out: no network, no files, no clock.
	"engine": {std: []string{"cmp", "embed", "errors", "fmt", "iter", "maps", "math/bits", "net/netip", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "unicode", "unicode/utf8", "unsafe"},
		others: []string{"robots-audit/engine/internal/", "robots-audit/engine/escape", "robots-audit/engine/wording", "golang.org/x/net/idna"}},
	"engine/internal/match":           {std: []string{"cmp", "math", "math/bits", "slices", "strings", "sync"}},
	"engine/internal/match/matchtest": {std: []string{"embed", "math/rand/v2", "os", "slices", "strconv", "strings", "sync", "testing", "time"}},
	// Foreign text, made visible; and numbers for people.
	"engine/escape":  {std: []string{"fmt", "strings", "unicode", "unicode/utf8"}},
	"engine/wording": {std: []string{"fmt", "strconv", "strings"}},
	// Fetches from the web and returns bytes and URLs; makes no verdicts.
	"crawl": {others: []string{"robots-audit/crawl/errno", "robots-audit/crawl/internal/", "robots-audit/engine/wording", "github.com/gocolly/colly/v2", "code.dny.dev/ssrf", "github.com/jlaffaye/ftp", "golang.org/x/"}},
	// Meaning of system errors on every system.
	"crawl/errno": {std: []string{"errors", "io/fs", "syscall"}, others: []string{"golang.org/x/sys/windows"}},
	"crawl/internal/cachefile": {std: []string{"bufio", "bytes", "context", "database/sql", "errors", "fmt", "hash/crc32", "io/fs", "net/url", "os", "path/filepath", "strconv", "strings", "sync", "syscall", "time"},
		others: []string{"modernc.org/sqlite"}},
	"crawl/internal/sitemap": {std: []string{"bufio", "bytes", "encoding/binary", "errors", "fmt", "io", "mime", "slices", "strings", "sync", "time", "unicode", "unicode/utf8"},
		others: []string{"robots-audit/crawl/internal/weburl", "robots-audit/crawl/internal/wellformed", "robots-audit/engine/wording", "github.com/klauspost/compress/gzip", "golang.org/x/net/html/charset", "golang.org/x/text/"}},
	"crawl/internal/weburl":     {std: []string{"bytes", "encoding/binary", "errors", "fmt", "net", "net/netip", "net/url", "strconv", "strings", "unicode/utf8"}, others: []string{"golang.org/x/net/idna"}},
	"crawl/internal/wellformed": {std: []string{"bytes", "encoding/binary", "regexp", "slices", "strconv", "strings", "unicode/utf8"}},
	// The core: takes a domain, returns records. It owns the goroutines.
	"audit": {others: []string{"robots-audit/audit/internal/", "robots-audit/audit/pattern", "robots-audit/audit/table", "robots-audit/engine", "robots-audit/crawl", "golang.org/x/net/idna", "golang.org/x/sync/errgroup"}, goes: true},
	// The change that a user wants in a robots.txt: takes records and URLs, returns the smallest
	// change.
	"audit/edit": {std: []string{"bytes", "cmp", "context", "crypto/sha256", "encoding/binary", "errors", "fmt", "iter", "maps", "math/bits", "slices", "strings"},
		others: []string{"robots-audit/audit", "robots-audit/crawl", "robots-audit/engine"}},
	// Tables and lists of people, in all their forms, within limits: takes a file, returns rows.
	"audit/table": {std: []string{"archive/zip", "bufio", "bytes", "cmp", "compress/gzip", "embed", "encoding/csv", "encoding/xml", "errors", "fmt", "io", "iter", "maps", "math", "net/url", "os", "path", "regexp", "slices", "strconv", "strings", "sync", "unicode", "unicode/utf8"},
		others: []string{"robots-audit/engine/escape", "robots-audit/engine/wording", "golang.org/x/text/"}},
	"audit/expect": {std: []string{"bytes", "encoding/json", "errors", "fmt", "io", "iter", "path", "slices", "strings", "unicode/utf8"},
		others: []string{"robots-audit/audit", "robots-audit/crawl", "robots-audit/engine"}},
	// Follows maps of old URLs to new ones, many pairs at a time.
	"audit/migrate":           {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/crawl", "golang.org/x/sync/errgroup"}, goes: true},
	"audit/internal/findings": {std: []string{"cmp", "embed", "fmt", "maps", "slices", "strings"}, others: []string{"robots-audit/engine", "robots-audit/crawl"}},
	"audit/internal/hosts":    {std: []string{"embed", "net/netip", "strings"}},
	// The language versions of pages and their return links: takes hashes and texts, returns notes.
	"audit/internal/hreflang": {std: []string{"bytes", "cmp", "encoding/binary", "iter", "math/bits", "slices", "strings", "unicode/utf8"}, others: []string{"robots-audit/crawl", "golang.org/x/text/language"}},
	// The answers of a server to requests in different names: takes answers, returns differences.
	"audit/internal/treatment": {std: []string{"bytes", "mime", "net/url", "slices", "strings"}, others: []string{"robots-audit/crawl", "robots-audit/engine/escape"}},
	// Files with a policy for AI, and the directives of a page: bytes in, statements out.
	"audit/internal/policyfile": {std: []string{"bytes", "encoding/json", "encoding/xml", "errors", "fmt", "io", "net/url", "regexp", "slices", "strings", "unicode/utf8"},
		others: []string{"robots-audit/engine/escape", "golang.org/x/net/html"}},
	// Two sides of a site: changed verdicts and their causes. Verdicts come from audit; it reads
	// only its own temporary files.
	"audit/compare": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/crawl"}},
	// URLs by the template that made their addresses.
	"audit/pattern": {std: []string{"cmp", "iter", "maps", "slices", "strings"}},
	// Access logs: files → requests of crawlers → what they did, by the robots.txt that they could know.
	"audit/logs": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/crawl", "github.com/klauspost/compress/zstd", "github.com/axiomhq/hyperloglog"}},
	// A log in any format: bytes → requests.
	"audit/logs/line": {others: []string{"robots-audit/engine/wording", "github.com/klauspost/compress/"}},
	// A user agent and an address → a crawler, and whether it is genuine. It may ask DNS.
	"audit/logs/agent": {others: []string{"robots-audit/engine"}, goes: true},
	// When runs are due: data only, with no clock except Wait's timer.
	"audit/watch/schedule": {std: []string{"bufio", "context", "errors", "fmt", "io", "regexp", "slices", "strconv", "strings", "time", "time/tzdata"}, others: []string{"robots-audit/engine/wording", "github.com/robfig/cron/v3"}},
	// The data of all runs: one SQLite file.
	"audit/watch/history": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/crawl", "github.com/gofrs/flock", "modernc.org/sqlite"}},
	// Takes runs and versions, returns the past of one URL: no database, no clock.
	"audit/watch/history/urlpast": {std: []string{"fmt", "slices", "strings", "time"}, others: []string{"robots-audit/audit", "robots-audit/crawl", "robots-audit/engine"}},
	// Takes compared runs, returns alerts: no clock, no file.
	"audit/watch/alert": {others: []string{"robots-audit/audit", "robots-audit/engine"}},
	// Messages to people: by mail, by webhook, into a file.
	"audit/watch/delivery": {others: []string{"robots-audit/audit/compare", "robots-audit/audit/watch/history", "robots-audit/audit/watch/alert", "robots-audit/audit/watch/schedule", "robots-audit/engine/escape", "robots-audit/crawl", "robots-audit/engine", "github.com/wneessen/go-mail"}},
	// Files with secrets, which only their owner may read.
	"audit/secretfile": {std: []string{"fmt", "io", "io/fs", "os", "syscall"}},
	// A fleet's server with its secrets, and the connection to it. A cluster's node watches its
	// leader.
	"audit/fleet/node": {others: []string{"robots-audit/audit/secretfile", "robots-audit/crawl/errno", "github.com/gofrs/flock", "github.com/nats-io/nats-server/v2/server", "github.com/nats-io/nats.go"}, goes: true},
	// One audit on many machines: a queue of sites, its workers, and the merging of results.
	"audit/fleet": {others: []string{"robots-audit/audit", "robots-audit/audit/fleet/store", "robots-audit/engine/escape", "robots-audit/engine/wording", "github.com/nats-io/nats.go", "github.com/prometheus/client_golang/prometheus", "golang.org/x/sync/errgroup"}, goes: true},
	// A fleet's bucket: complete objects, in a folder or with a gocloud driver.
	"audit/fleet/store": {others: []string{"robots-audit/crawl/errno", "gocloud.dev/", "golang.org/x/sys/unix"}},
	// Takes records, writes files: the run's folder, its journal, and the list of outputs.
	"reports": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/", "github.com/klauspost/compress/zstd", "github.com/gofrs/flock", "golang.org/x/mod/module", "golang.org/x/mod/semver"}},
	// A comparison's folder, the statements about a comparison as data, and the outputs.
	"reports/changes": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/changes/internal/", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/site", "github.com/gofrs/flock"}},
	"reports/changes/internal/model": {std: []string{"cmp", "container/heap", "fmt", "iter", "net/http", "slices", "strings", "time", "unicode/utf8"},
		others: []string{"robots-audit/audit", "robots-audit/engine"}},
	"reports/changes/internal/book": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/changes/internal/model", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/site", "robots-audit/reports/internal/xlsx", "github.com/klauspost/compress/zstd"}},
	"reports/changes/internal/page": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/changes/internal/model", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/layout", "robots-audit/reports/internal/sidebyside", "robots-audit/reports/internal/site"}},
	// HTTP for the users of one machine.
	"reports/serve/localhttp": {std: []string{"context", "errors", "io", "log", "net", "net/http", "net/netip", "slices", "strings", "sync", "time"}},
	// The dashboard: pages of runs over HTTP, with functions that files cannot have. An index of a
	// run's URLs is made after the response to its request.
	"reports/serve": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports", "robots-audit/reports/changes", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/layout", "robots-audit/reports/internal/page", "robots-audit/reports/internal/sidebyside", "golang.org/x/sync/semaphore"}, goes: true},
	// Takes results of a map, writes the folder of a pre-migration check.
	"reports/migration": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/layout", "robots-audit/reports/internal/xlsx", "github.com/gofrs/flock"}},
	// Takes what access logs say, writes the folder of the command logs.
	"reports/logs": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/crawls", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/layout", "robots-audit/reports/internal/plot", "robots-audit/reports/internal/site", "robots-audit/reports/internal/xlsx"}},
	// Statements about crawlers in access logs, and the columns of their tables.
	"reports/internal/crawls":   {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/site", "robots-audit/reports/internal/xlsx"}},
	"reports/internal/enforced": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/crawls", "robots-audit/reports/internal/site"}},
	// Statements about a site and a run: data, without files or markup.
	"reports/internal/site": {std: []string{"bytes", "cmp", "encoding/binary", "encoding/json", "fmt", "hash/maphash", "iter", "maps", "net/mail", "regexp", "slices", "strconv", "strings", "time"},
		others: []string{"robots-audit/audit", "robots-audit/engine"}},
	"reports/internal/summary": {std: []string{"bytes", "cmp", "encoding/json", "fmt", "slices", "strconv", "strings", "time"},
		others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/site"}},
	// The outputs, each for one kind of file.
	"reports/internal/book":   {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/crawls", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/enforced", "robots-audit/reports/internal/site", "robots-audit/reports/internal/summary", "robots-audit/reports/internal/xlsx"}},
	"reports/internal/page":   {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/crawls", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/enforced", "robots-audit/reports/internal/layout", "robots-audit/reports/internal/plot", "robots-audit/reports/internal/site", "robots-audit/reports/internal/summary"}},
	"reports/internal/brief":  {others: []string{"robots-audit/audit", "robots-audit/engine/escape", "robots-audit/engine/wording", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/site", "robots-audit/reports/internal/summary"}},
	"reports/internal/export": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/crawls", "robots-audit/reports/internal/disk", "robots-audit/reports/internal/site", "robots-audit/reports/internal/summary", "github.com/klauspost/compress/", "github.com/parquet-go/parquet-go"}},
	// Common writers of the outputs, which know no site.
	"reports/internal/layout": {std: []string{"bufio", "bytes", "crypto/sha256", "embed", "encoding/base64", "encoding/hex", "errors", "html/template", "io", "io/fs", "strings"},
		others: []string{"robots-audit/engine/escape", "robots-audit/engine/wording", "robots-audit/reports/internal/disk"}},
	"reports/internal/plot": {std: []string{"cmp", "embed", "math", "slices", "strconv", "strings"}},
	"reports/internal/sidebyside": {std: []string{"embed", "slices", "strings", "unicode/utf8"},
		others: []string{"robots-audit/audit/compare", "robots-audit/engine/escape", "robots-audit/engine/wording"}},
	// Chromium for tests with the tag browser.
	"reports/internal/browsertest": {others: []string{"github.com/chromedp/cdproto/", "github.com/chromedp/chromedp"}},
	"reports/internal/disk":        {std: []string{"crypto/rand", "errors", "fmt", "hash/crc32", "io", "io/fs", "os", "path", "path/filepath", "runtime", "slices", "strings", "sync", "syscall", "time"}, others: []string{"robots-audit/crawl/errno", "github.com/gofrs/flock", "golang.org/x/sys/unix", "golang.org/x/sys/windows"}},
	"reports/internal/xlsx": {std: []string{"archive/zip", "bytes", "cmp", "encoding/binary", "encoding/xml", "fmt", "hash/crc32", "io", "io/fs", "iter", "os", "regexp", "slices", "strconv", "strings", "sync", "time", "unicode/utf8"},
		others: []string{"robots-audit/engine/escape", "robots-audit/reports/internal/disk", "github.com/xuri/excelize/v2", "github.com/klauspost/compress/flate"}},
	// Search for the URLs of a run: a file next to it, made from its URLs.
	"reports/serve/internal/urlindex": {others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports/internal/disk", "github.com/klauspost/compress/zstd", "golang.org/x/net/idna", "golang.org/x/sync/errgroup"}, goes: true},
	// A team's decisions about findings: data, without files.
	"cmd/internal/suppression": {std: []string{"bytes", "crypto/sha256", "encoding/json", "errors", "fmt", "maps", "net/url", "path", "regexp", "slices", "strconv", "strings"},
		others: []string{"robots-audit/cmd/internal/configfile", "robots-audit/engine", "github.com/BurntSushi/toml"}},
	// Limits of the system.
	"cmd/internal/resources": {std: []string{"bytes", "math", "os", "runtime", "runtime/debug", "runtime/metrics", "strconv", "syscall", "time", "unsafe"}, others: []string{"golang.org/x/sys/"}},
	// Signals from the start of the process: it initializes before slower packages.
	"cmd/internal/signals": {std: []string{"os", "os/signal", "syscall"}},
	// Lines of JSON, checked for unknown keys.
	"cmd/robots-audit/internal/jsonline": {std: []string{"bytes", "encoding/binary", "encoding/json", "fmt", "io", "iter", "math/bits", "reflect", "slices", "strconv", "unicode/utf16", "unicode/utf8"}, others: []string{"robots-audit/engine/wording"}},
	// Results of expectations, for people and build servers.
	"cmd/robots-audit/internal/gate": {std: []string{"bufio", "cmp", "crypto/sha256", "encoding/binary", "encoding/hex", "encoding/json", "encoding/xml", "fmt", "html", "io", "iter", "maps", "os", "path/filepath", "regexp", "slices", "strings"},
		others: []string{"robots-audit/audit", "robots-audit/cmd/robots-audit/internal/codequality", "robots-audit/cmd/robots-audit/internal/sarif", "robots-audit/cmd/internal/suppression", "robots-audit/engine", "robots-audit/reports/migration"}},
	// Answers to assistants, over the dashboard's views: no file but the comparison of two runs.
	"cmd/robots-audit/internal/assist": {std: []string{"bytes", "cmp", "context", "encoding/json", "errors", "fmt", "io", "iter", "maps", "net/http", "net/url", "os", "path/filepath", "runtime/debug", "slices", "strconv", "strings", "sync", "time"},
		others: []string{"robots-audit/audit", "robots-audit/cmd/internal/pairs", "robots-audit/crawl", "robots-audit/engine", "robots-audit/reports", "github.com/google/jsonschema-go/jsonschema", "github.com/modelcontextprotocol/go-sdk"}},
	// The sites of two stored runs in pairs.
	"cmd/internal/pairs": {std: []string{"errors", "fmt", "iter", "slices"},
		others: []string{"robots-audit/audit", "robots-audit/engine", "robots-audit/reports"}},
	// The state of schedules, over HTTP.
	"cmd/internal/health": {std: []string{"cmp", "context", "fmt", "io", "maps", "net", "net/http", "slices", "strings", "sync", "time", "unicode/utf8"},
		others: []string{"robots-audit/engine/escape", "robots-audit/reports/serve/localhttp", "github.com/prometheus/client_golang/prometheus"}},
	// The tables of the configuration file for schedules and fleets, with all errors in them.
	"cmd/internal/configfile": {std: []string{"cmp", "crypto/x509", "errors", "flag", "fmt", "maps", "net", "net/url", "os", "path/filepath", "regexp", "slices", "strconv", "strings", "time"},
		others: []string{"robots-audit/audit/compare", "robots-audit/audit/secretfile", "robots-audit/audit/watch/delivery", "robots-audit/audit/watch/schedule", "robots-audit/engine/wording", "github.com/BurntSushi/toml"}},
	// One scheduled job from start to end; requests from many sites at a time.
	"cmd/internal/job": {others: []string{"robots-audit/audit", "robots-audit/crawl", "robots-audit/engine", "robots-audit/reports", "robots-audit/cmd/internal/health", "robots-audit/cmd/internal/pairs", "robots-audit/cmd/internal/resources", "golang.org/x/sync/errgroup"}, goes: true},
	// Reports for code review: data and a writer.
	"cmd/robots-audit/internal/codequality": {std: []string{"crypto/sha256", "encoding/hex", "encoding/json", "io", "path/filepath", "strings"}, others: []string{"robots-audit/cmd/internal/cli"}},
	"cmd/robots-audit/internal/sarif":       {std: []string{"encoding/json", "io", "net/url", "path/filepath", "strings"}, others: []string{"robots-audit/cmd/internal/cli"}},
	// The work of a fleet: between its queue, which knows nothing of sites, and audits and reports,
	// which know no queue.
	"cmd/robots-audit-fleet/internal/fleetwork": {others: []string{"robots-audit/audit", "robots-audit/cmd/internal/audits", "robots-audit/crawl", "robots-audit/reports", "github.com/gofrs/flock"}},
	// The common part of the commands. It receives signals, and reads a list that may block.
	"cmd/internal/cli": {others: []string{"robots-audit/audit", "robots-audit/cmd/internal/", "robots-audit/crawl/errno", "robots-audit/engine", "robots-audit/reports", "golang.org/x/sys/windows", "golang.org/x/term"}, goes: true},
	// The main job: flags and the audit, whose reports are written in parallel.
	"cmd/internal/audits": {others: []string{"robots-audit/audit", "robots-audit/cmd/internal/", "robots-audit/crawl", "robots-audit/engine", "robots-audit/reports", "github.com/BurntSushi/toml", "github.com/vbauerster/mpb/v8", "golang.org/x/sync/errgroup"}, goes: true},
	// The command schedule, with a fleet or without.
	"cmd/internal/scheduling": {others: []string{"robots-audit/audit", "robots-audit/cmd/internal/", "robots-audit/crawl", "robots-audit/engine/escape", "robots-audit/engine/wording"}, goes: true},
	// Shared by the tests of the programs.
	"cmd/internal/clitest": {others: []string{"robots-audit/cmd/internal/cli", "github.com/rogpeppe/go-internal/testscript", "github.com/xuri/excelize/v2"}},
	// Commands; the demo's server and check -jsonl need goroutines.
	"cmd/robots-audit": {others: []string{"robots-audit/", "github.com/vbauerster/mpb/v8", "golang.org/x/sync/errgroup"}, goes: true},
	// The commands of a fleet.
	"cmd/robots-audit-fleet": {others: []string{"robots-audit/audit", "robots-audit/cmd/", "robots-audit/crawl", "robots-audit/engine/escape", "github.com/nats-io/nats.go/jetstream", "github.com/prometheus/client_golang/prometheus", "gocloud.dev/blob/", "golang.org/x/sync/errgroup"}, goes: true},
}

// apart are packages that must never lead to others, even through other imports. Outputs never
// import each other. Statements about a site or a run know no output and no workbook. The writer of
// workbooks knows nothing of audits. The rule also applies to packages that do not exist yet. The
// program for one machine has no fleet, whose libraries are a quarter of the other program.
var apart = []struct{ from, to []string }{
	{[]string{"cmd/robots-audit"}, []string{"audit/fleet", "audit/fleet/node", "audit/fleet/store"}},
	{outputs, outputs},
	{[]string{"reports/internal/site", "reports/internal/summary"}, append(slices.Clone(outputs), "reports/internal/xlsx")},
	{[]string{"reports/internal/xlsx", "reports/internal/layout"}, append(slices.Clone(outputs), "reports/internal/site", "audit", "engine", "crawl")},
}

// outputs are packages that each make one kind of file.
var outputs = []string{"reports/internal/book", "reports/internal/page", "reports/internal/brief", "reports/internal/export", "reports/changes/internal/book", "reports/changes/internal/page"}

// TestHouse checks every package against the rule.
func TestHouse(t *testing.T) {
	faults, err := houseFaults(os.DirFS(filepath.Join("..", "..")), house)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults {
		t.Error(fault)
	}
	if len(faults) > 0 {
		t.Log("what each package may import and start is in the table house, in cmd/robots-audit/house_test.go")
	}
}

// TestHouseDrawn checks that the tree in CONTRIBUTING.md has the existing packages.
func TestHouseDrawn(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	var drawn, above []string // above: the packages above the current line
	for _, line := range regexp.MustCompile(`(?m)^    ((?:[│├└─ ]{3})*)([a-z][\w/-]*)  .*[^;]$`).FindAllStringSubmatch(string(text), -1) {
		depth := utf8.RuneCountInString(line[1]) / 3
		if depth > len(above) { // a second line of text
			continue
		}
		above = append(above[:depth], path.Join(append(above[:depth:depth], line[2])...))
		above[depth] = line[2]
		if dir := path.Join(above...); dir != "cmd/internal" {
			drawn = append(drawn, dir)
		}
	}
	slices.Sort(drawn)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(house)), drawn); diff != "" {
		t.Errorf("the tree in .github/CONTRIBUTING.md has other packages than there are (-are +drawn):\n%s", diff)
	}
}

const module = "robots-audit/"

// houseFaults reads every package below root, and lists violations of the rule. These are a
// forbidden import or goroutine, an import across apart, an unknown package, and an unused
// allowance.
func houseFaults(root fs.FS, house map[string]packageRule) (faults []string, err error) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	imports := map[string][]string{} // by package: all imports of its files, sorted
	goes := map[string]bool{}        // packages that start goroutines
	for name, err := range goFiles(root) {
		if err != nil {
			return nil, err
		}
		dir := path.Dir(name)
		rule, ok := house[dir]
		if !ok {
			fault("%s: the house has no room %q", name, dir)
			continue
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(rule.allowances(), func(a string) bool { return covers(a, imported) }) && !(rule.std == nil && standard(imported)) {
				fault("%s imports %s, which %s may not", name, imported, dir)
			}
			if at, found := slices.BinarySearch(imports[dir], imported); !found {
				imports[dir] = slices.Insert(imports[dir], at, imported)
			}
		}
		if startsGoroutine(file) {
			goes[dir] = true
			if !rule.goes {
				fault("%s starts a goroutine, which %s may not", name, dir)
			}
		}
		if imports[dir] == nil {
			imports[dir] = []string{} // a package may have no imports
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(house)) {
		rule := house[dir]
		if imports[dir] == nil {
			fault("the house has a room %s, where no package is", dir)
			continue
		}
		for _, a := range rule.allowances() {
			if !slices.ContainsFunc(imports[dir], func(imported string) bool { return covers(a, imported) }) {
				fault("%s may import %s, and does not", dir, a)
			}
		}
		if rule.goes && !goes[dir] {
			fault("%s may start goroutines, and does not", dir)
		}
	}
	for _, wall := range apart {
		for _, from := range wall.from {
			for _, to := range wall.to {
				if way := wayTo(imports, from, to); from != to && way != nil {
					fault("%s must not lead to %s: %s", from, to, strings.Join(way, " imports "))
				}
			}
		}
	}
	return faults, nil
}

// goFiles yields the names of the Go files below root, without tests.
func goFiles(root fs.FS) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && name != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")) { // Go ignores these folders
				return fs.SkipDir
			}
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !yield(name, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield("", err)
		}
	}
}

// allowances are all imports that a rule allows.
func (r packageRule) allowances() []string { return slices.Concat(r.std, r.others) }

// covers reports whether an allowance is for a package or, outside the standard library, for one
// above it.
func covers(allowance, imported string) bool {
	return imported == allowance || !standard(allowance) && strings.HasPrefix(imported, strings.TrimSuffix(allowance, "/")+"/")
}

// standard reports whether a package is of the standard library.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".") && first != strings.TrimSuffix(module, "/")
}

// startsGoroutine reports whether a file has a go statement, or calls a method Go or TryGo.
// errgroup.Group and sync.WaitGroup have these methods, and no other type here. Functions of timers
// do not count, since they end at once.
func startsGoroutine(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = true
		case *ast.SelectorExpr: // called, or passed as a value
			found = found || n.Sel.Name == "Go" || n.Sel.Name == "TryGo"
		}
		return !found
	})
	return found
}

// wayTo returns the packages through which one of this module imports another, both included; nil =
// it does not.
func wayTo(imports map[string][]string, from, to string) []string {
	seen := map[string]bool{}
	var search func(dir string) []string
	search = func(dir string) []string {
		if dir == to {
			return []string{dir}
		}
		if seen[dir] {
			return nil
		}
		seen[dir] = true
		for _, imported := range imports[dir] {
			if next, ours := strings.CutPrefix(imported, module); ours {
				if way := search(next); way != nil {
					return append([]string{dir}, way...)
				}
			}
		}
		return nil
	}
	return search(from)
}

// TestHouseFaults violates the rule in each possible way.
func TestHouseFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		tree string // files and their text
		want string
	}{
		{"sound", "", ""},
		{"an import from above", "engine/x.go: import `robots-audit/audit`", "engine/x.go imports robots-audit/audit, which engine may not"},
		{"an import of the standard library", "engine/x.go: import `os`", "engine/x.go imports os, which engine may not"},
		{"a name that begins alike", "audit/x.go: import `robots-audit/engineer`", "audit/x.go imports robots-audit/engineer, which audit may not"},
		{"what is beneath the standard library's", "engine/x.go: import `strings/more`", "engine/x.go imports strings/more, which engine may not"},
		{"a room that nobody knows", "cellar/x.go:", `cellar/x.go: the house has no room "cellar"`},
		{"a go statement", "engine/x.go: func f() { go f() }", "engine/x.go starts a goroutine, which engine may not"},
		{"an errgroup", "engine/x.go: import `strings`; func f(g group) { g.Go(f) }", "engine/x.go starts a goroutine, which engine may not"},
		{"an errgroup that tries", "engine/x.go: func f(g group) { g.TryGo(f) }", "engine/x.go starts a goroutine, which engine may not"},
		{"a method handed on", "engine/x.go: func f(g group) { h(g.Go) }", "engine/x.go starts a goroutine, which engine may not"},
		{"an allowance of the standard library that nobody needs", "engine/engine.go:", "engine may import strings, and does not"},
		{"an allowance of others that nobody needs", "audit/audit.go: func f() { go f() }", "audit may import robots-audit/engine, and does not"},
		{"goroutines that nobody starts", "audit/audit.go: import `robots-audit/engine`", "audit may start goroutines, and does not"},
		{"a room without a package", "reports/internal/book/book.go", "the house has a room reports/internal/book, where no package is"},
		{"an output that imports another", "reports/internal/book/x.go: import `robots-audit/reports/internal/page`",
			"reports/internal/book must not lead to reports/internal/page: reports/internal/book imports reports/internal/page"},
		{"an output that leads to another", "reports/internal/site/x.go: import `robots-audit/reports/internal/page`",
			"reports/internal/book must not lead to reports/internal/page: reports/internal/book imports reports/internal/site imports reports/internal/page"},
		{"a writer that knows audits", "reports/internal/xlsx/x.go: import `robots-audit/engine`",
			"reports/internal/xlsx must not lead to engine: reports/internal/xlsx imports engine"},
	} {
		inside := []string{"robots-audit/reports/internal/", "robots-audit/engine"}
		rules := map[string]packageRule{
			"engine":                {std: []string{"strings"}},
			"audit":                 {others: []string{"robots-audit/engine"}, goes: true},
			"reports/internal/book": {others: inside[:1]}, "reports/internal/page": {}, "reports/internal/site": {others: inside[:1]}, "reports/internal/xlsx": {others: inside[1:]},
		}
		tree := fstest.MapFS{}
		put := func(file string) {
			name, text, whole := strings.Cut(file, ":")
			delete(tree, name)
			if whole {
				tree[name] = &fstest.MapFile{Data: []byte("package p;" + text)}
			}
		}
		for _, file := range []string{
			"engine/engine.go: import `strings`", "audit/audit.go: import `robots-audit/engine`; func f() { go f() }",
			"reports/internal/book/book.go: import `robots-audit/reports/internal/site`", "reports/internal/page/page.go:",
			"reports/internal/site/site.go: import `robots-audit/reports/internal/none`", "reports/internal/xlsx/xlsx.go: import `robots-audit/engine/none`",
			"engine/engine_test.go: import `os`", "testdata/x.go: import `os`", "audit/testdata/x.go: import `os`",
		} {
			put(file)
		}
		if c.tree != "" {
			put(c.tree)
		}
		faults, err := houseFaults(tree, rules)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == "" && len(faults) > 0 || c.want != "" && !slices.Contains(faults, c.want) {
			t.Errorf("%s: %q, want %q", c.name, faults, c.want)
		}
	}
}

// TestTopLevel checks the files at the top level that git knows, if git is available. Lists and
// reports of users who try the program here do not matter.
func TestTopLevel(t *testing.T) {
	allowed := []string{"go.mod", "go.sum", "cmd", "audit", "crawl", "engine", "reports", "config.toml", "README.md", "LICENSE", "CHANGELOG.md"}
	root := filepath.Join("..", "..")
	for _, name := range allowed {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	tracked, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Logf("no list of files from git: %v", err)
	}
	for file := range strings.SplitSeq(string(tracked), "\x00") {
		if name, _, _ := strings.Cut(file, "/"); !strings.HasPrefix(name, ".") && name != "" && !slices.Contains(allowed, name) {
			t.Errorf("%s does not belong at the top level", file)
		}
	}
}
