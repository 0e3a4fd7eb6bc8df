package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestTitles tests that each line has a known meaning, a title as normal writes it, and a place, that
// no title occurs twice, and that Search Console's columns are known in its languages.
func TestTitles(t *testing.T) {
	known := []Meaning{URL, Host, Path, Clicks, Impressions, Old, New, Regex, Crawler, Expect, Profile, Note, Domain, Name, Pattern, "ctr", "position", "crawled", "reason", "status"}
	lines := map[string]int{}              // by title
	found := map[string]map[Meaning]bool{} // by language
	n := 0
	for line := range strings.Lines(titleLines) {
		n++
		if line[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || cells[2] == "" {
			t.Errorf("line %d: %q, want three cells", n, line)
			continue
		}
		m, title := Meaning(cells[0]), cells[1]
		if !slices.Contains(known, m) {
			t.Errorf("line %d: unknown meaning %q", n, m)
		}
		if title == "" || title != normal(title) {
			t.Errorf("line %d: %q, want %q", n, title, normal(title))
		}
		if lines[title] > 0 {
			t.Errorf("line %d: %q is in line %d too", n, title, lines[title])
		}
		lines[title] = n
		if languages, ok := strings.CutPrefix(cells[2], "Search Console "); ok {
			for language := range strings.SplitSeq(languages, ", ") {
				if found[language] == nil {
					found[language] = map[Meaning]bool{}
				}
				found[language][m] = true
			}
		}
	}
	for language := range strings.FieldsSeq("ar bg ca cs da de el en es es-419 et fa fi fil fr he hi hr hu id it ja ko lt lv nl no pl pt-BR pt-PT ro ru sk sl sr sv th tr uk vi zh-CN zh-HK zh-TW") {
		for _, m := range []Meaning{URL, Clicks, Impressions, "position"} {
			if !found[language][m] {
				t.Errorf("Search Console %s: no title of %s", language, m)
			}
		}
	}
}

// TestTitlesOfExports tests the titles of exports as people have them.
func TestTitlesOfExports(t *testing.T) {
	for _, test := range []struct {
		titles                   string
		url, clicks, impressions int
	}{
		{"Top pages,Clicks,Impressions,CTR,Position", 0, 1, 2},
		{"Top pages,Last 28 days Clicks,Previous 28 days Clicks,Last 28 days Impressions,Previous 28 days Impressions,Last 28 days CTR,Previous 28 days CTR,Last 28 days Position,Previous 28 days Position", 0, 1, 3},
		{"Page,Clicks,Same period last year Clicks,Impressions,Same period last year Impressions", 0, 1, 3},
		{"Die häufigsten Seiten,Klicks,Impressionen,CTR,Position", 0, 1, 2},
		{"Pages les plus populaires,Clics,Impressions,CTR,Position", 0, 1, 2},
		{"Páginas principales,Clics,Impresiones,CTR,Posición", 0, 1, 2},
		{"Pàgines principals,Clics,Impressions,CTR,Posició", 0, 1, 2},
		{"Pagine principali,Clic,Impressioni,CTR,Posizione", 0, 1, 2},
		{"Páginas principais,Cliques,Impressões,CTR,Posição", 0, 1, 2},
		{"Principais páginas,Cliques,Impressões,CTR,Posição", 0, 1, 2},
		{"Populairste pagina's,Klikken,Vertoningen,CTR,Positie", 0, 1, 2},
		{"Najpopularniejsze strony,Kliknięcia,Wyświetlenia,CTR,Pozycja", 0, 1, 2},
		{"Nejvýznamnější stránky,Prokliky,Zobrazení,CTR,Pozice", 0, 1, 2},
		{"Популярные страницы,Клики,Показы,CTR,Позиция", 0, 1, 2},
		{"Популярные страницы,Kлики,Показы,CTR,Позиция", 0, 1, 2}, // its first letter is Latin
		{"Страници,Кликвания,Импресии,CTR,Позиция", 0, 1, 2},
		{"En çok görüntülenen sayfalar,Tıklamalar,Gösterimler,TO,Konum", 0, 1, 2},
		{"Halaman teratas,Klik,Tayangan,CTR,Posisi", 0, 1, 2},
		{"Trang hàng đầu,Lượt nhấp,Lượt hiển thị,CTR,Vị trí", 0, 1, 2},
		{"Trang hàng đầu,Số lần nhấp,Số lần hiển thị,CTR,Vị trí", 0, 1, 2},
		{"上位のページ,クリック数,表示回数,CTR,掲載順位", 0, 1, 2},
		{"排名靠前的网页,点击次数,展示,点击率,排名", 0, 1, 2},
		{"熱門網頁,點擊,曝光,點閱率,排名", 0, 1, 2},
		{"인기 페이지,클릭수,노출,CTR,게재 순위", 0, 1, 2},
		{"הדפים המובילים,קליקים,חשיפות,CTR,מיקום", 0, 1, 2},
		{"หน้ายอดนิยม,การคลิก,การแสดงผล,CTR,อันดับ", 0, 1, 2},
		{"URL,Период,Показы,Клики,CTR,Позиция,Позиция клика", 0, 3, 2},
		{"Keyword,Page,Impressions,Clicks,CTR,Avg. Position", 1, 3, 2},
	} {
		row := make([]string, strings.Count(test.titles, ",")+1)
		for i := range row {
			row[i] = "1"
		}
		row[test.url] = "https://a.example/"
		file, err := Read(strings.NewReader(test.titles+"\n"+strings.Join(row, ",")+"\n"), Options{Want: []Meaning{URL, Clicks, Impressions}})
		if err != nil {
			t.Fatalf("%s: %v", test.titles, err)
		}
		of := file.Table()
		got := fmt.Sprint(of.TitleLine, of.Column(URL), of.Column(Clicks), of.Column(Impressions))
		if want := fmt.Sprint(1, test.url, test.clicks, test.impressions); got != want {
			t.Errorf("%s: line and columns %s, want %s", test.titles, got, want)
		}
		file.Close()
		for title := range strings.SplitSeq(test.titles, ",") {
			if m, ok := MeaningOf(title); ok && title != "TO" && !slices.Contains([]Meaning{URL, Clicks, Impressions, "ctr", "position"}, m) {
				t.Errorf("%s: %s is %s", test.titles, title, m)
			}
		}
	}
}
