package reports

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"robots-audit/audit"
	"robots-audit/engine"
)

// orderedSites are sites in the order that every summary must have.
var orderedSites = []struct {
	name    string
	state   audit.State
	blocked []int64
	clicks  []int64
}{
	{"few-clicks.example", audit.Critical, []int64{90, 90, 90}, []int64{5, 5, 5}},
	{"half.example", audit.Critical, []int64{50, 50, 50}, nil},
	{"closed.example", audit.Critical, []int64{0, 0, 0}, nil},
	{"shop.example", audit.Warn, []int64{3, 3, 0}, []int64{900, 900, 0}},
	{"parted.example", audit.Warn, []int64{30, 30, 0}, nil}, // 60 together: not the number of any crawler
	{"forty.example", audit.Warn, []int64{0, 29, 0}, nil},
	{"sitemaps.example", audit.Warn, []int64{0, 0, 0}, nil},
	{"silent.example", audit.Undetermined, []int64{0, 0, 0}, nil},
	{"a-fine.example", audit.OK, []int64{0, 0, 0}, nil},
	{"b-fine.example", audit.OK, []int64{0, 0, 0}, nil},
}

// orderedRecords are the records of the i-th site, at a position of the list.
func orderedRecords(i, ordinal int) []audit.Record {
	of := orderedSites[i]
	d := &audit.Done{State: of.state, Why: "the lead of " + of.name, Counts: audit.Counts{URLs: 100, Blocked: of.blocked}, ClicksBlocked: of.clicks, Finished: start.Add(time.Second)}
	for k, n := range of.blocked {
		d.BlockedAny = min(100, d.BlockedAny+n)
		if of.clicks != nil {
			d.Clicks, d.BlockedClicks = 1000, max(d.BlockedClicks, of.clicks[k])
		}
	}
	rows := &audit.URLs{} // for each crawler, its blocked URLs follow those of the one before
	for n := range int(d.URLs) {
		rows.List = append(rows.List, audit.URL{Loc: fmt.Sprintf("https://%s/%d", of.name, n), Verdicts: []engine.Verdict{engine.Allow, engine.Allow, engine.Allow}, Lines: make([]int32, 3)})
	}
	at := int64(0)
	for k, n := range of.blocked {
		for range n {
			rows.List[at%d.URLs].Verdicts[k] = engine.Disallow
			at++
		}
	}
	return []audit.Record{
		{Domain: of.name, Site: &audit.Site{Name: of.name, Line: ordinal + 1, Ordinal: ordinal, Crawlers: testCrawlers, Started: start}},
		{Domain: of.name, URLs: rows},
		{Domain: of.name, Done: d},
	}
}

// TestSummaryOrder checks that all summaries have the same order of sites, whatever the order of
// the list, and of the sites' ends; also in a run that was killed and resumed, and in one made
// again.
func TestSummaryOrder(t *testing.T) {
	t.Parallel()
	var want []string
	for _, of := range orderedSites {
		want = append(want, of.name)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 2 {
		list, ends := random.Perm(len(orderedSites)), random.Perm(len(orderedSites))
		dir := t.TempDir()
		r := openRun(t, testOptions(dir))
		for at, i := range ends {
			if round == 1 && at == 4 {
				kill(t, r)
				o := testOptions(dir)
				o.Resume = true
				r = openRun(t, o)
			}
			writeAll(t, r, orderedRecords(i, list[i]))
		}
		closeRun(t, r)
		check := func(what string, got []string) {
			t.Helper()
			checkEqual(t, fmt.Sprintf("round %d, %s", round, what), got, want)
		}
		var worst []string
		for _, of := range r.Worst() {
			worst = append(worst, of.Name)
		}
		check("terminal", append(worst, want[len(worst):]...))
		if len(worst) != 8 {
			t.Errorf("%d sites named", len(worst))
		}
		check("summary.json", jsonOrder(t, dir))
		check("summary.xlsx", xlsxOrder(t, dir))
		page, mail := readText(t, dir, "index.html"), readText(t, dir, "summary.md")
		check("index.html", namesIn(`(?m)^\["([^"]*)"`, page))
		check("summary.md", append(namesIn(`(?m)^(?:\d+\.|-) (\S+?):? (?:\(\w+\): )?the lead of`, mail), want[8:]...)) // it only counts OK sites
		checkRebuilt(t, dir)
	}
}

func namesIn(pattern, text string) (names []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		names = append(names, strings.TrimSuffix(m[1], ":"))
	}
	return names
}

func jsonOrder(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, of := range entriesOf(t, dir) {
		names = append(names, of.Domain)
	}
	return names
}

func xlsxOrder(t *testing.T, dir string) (names []string) {
	t.Helper()
	f := openBook(t, dir, "summary.xlsx")
	rows := sheetCells(t, f, "Sites")
	at := slices.Index(rows[0], "Site")
	for _, row := range rows[1:] {
		names = append(names, row[at])
	}
	return names
}

// TestSummaryLinks follows every link of the sheet Sites: all lead to files of the run, and that of
// the state to the part of the page with its reason.
func TestSummaryLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	records := siteRecords("example.com", 0, 50)
	records[len(records)-1].Done.Ground = audit.GroundBlocked
	writeAll(t, r, records)
	writeAll(t, r, siteRecords("http://example.com:81", 1, 5))
	closeRun(t, r)
	f := openBook(t, dir, "summary.xlsx")
	rows := sheetCells(t, f, "Sites")
	var got []string
	for y := range rows {
		for x, title := range rows[0] {
			cell, _ := excelize.CoordinatesToCellName(x+1, y+1)
			linked, target, err := f.GetCellHyperLink("Sites", cell)
			noError(t, err)
			if linked {
				got = append(got, title+" "+target)
				file, id, _ := strings.Cut(target, "#")
				if text := readText(t, dir, file); id != "" && !strings.Contains(text, ` id="`+id+`"`) {
					t.Errorf("%s has no part %q", file, id)
				}
			}
		}
	}
	want := []string{
		"Site pages/example.com.html", "State pages/example.com.html#todo", "Workbook example.com.xlsx",
		"Site pages/example.com_81_http.html", "State pages/example.com_81_http.html", "Workbook example.com_81_http.xlsx",
	}
	checkEqual(t, "links", got, want)
}
