package reports

import (
	"fmt"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// TestUnanswered: if no robots.txt could be fetched, no crawler is critical or OK. The effect of
// the missing response is described under the condition that crawlers get none either.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	const condition = "if it cannot read robots.txt either, "
	for _, code := range []string{"tls_wrong_host", "dns_not_found", "timeout", "reset"} {
		records := judged(t, "Googlebot,Bingbot,YandexBot", engine.File{Error: code})
		records[1].Robots.File.Hops[0].Status = 0
		last := records[len(records)-1].Done
		last.State, last.Ground = audit.Undetermined, audit.GroundUnread
		f, page := writtenWithPage(t, Options{AllSheets: true}, records)
		_, crawlers, _ := strings.Cut(page, "<caption>The crawlers tested")
		crawlers, _, _ = strings.Cut(crawlers, "</table>")
		if strings.Count(crawlers, "Unknown") != 3 || strings.Count(crawlers, condition) != 3 || strings.Contains(crawlers, "Critical") || strings.Contains(crawlers, ">OK<") || strings.Contains(crawlers, "the home page is blocked") {
			t.Errorf("%s: %s", code, crawlers)
		}
		if want := "If crawlers cannot read it either, Googlebot and Bingbot fetch nothing from this host for now"; !strings.Contains(page, want) {
			t.Errorf("%s: the page lacks %q", code, want)
		}
		for _, row := range sheetRows(t, f, "Agents") {
			if row["Home page blocked"] == "yes" || row["Home page blocked"] == "no" {
				t.Errorf("%s: home page blocked for %s: %s", code, row["Crawler"], row["Home page blocked"])
			}
		}
		for _, row := range sheetRows(t, f, "Requests for robots.txt") {
			for _, label := range []string{"Googlebot", "Bingbot", "YandexBot"} {
				if words := row["What "+label+" makes of it"]; !strings.HasPrefix(words, condition) {
					t.Errorf("%s: %s makes of it: %s", code, label, words)
				}
			}
		}
		for _, row := range sheetRows(t, f, "AI policy") {
			if row["Access"] != "unknown" || !strings.HasPrefix(row["Inherited from"], "if it cannot read robots.txt either: ") {
				t.Errorf("%s: %s", code, fmt.Sprint(row))
			}
		}
	}
}
