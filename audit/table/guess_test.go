package table

import (
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/ianaindex"
)

// Text in the encodings of spreadsheets is read as it was written, or refused.
func TestGuess(t *testing.T) {
	for _, c := range []struct{ encoding, text, want string }{
		{"windows-1252", "URL;Klicks\nhttps://a.example/café/1;3\n", "Windows-1252"},
		{"windows-1252", "https://a.example/crème-brûlée;3\nhttps://a.example/à-propos;3\nhttps://a.example/été\n", "Windows-1252"},
		{"windows-1252", "https://a.example/größe\nhttps://a.example/für-männer\n", "Windows-1252"},
		{"windows-1252", "https://a.example/ação\nhttps://a.example/coração\n", "Windows-1252"},
		{"windows-1252", "https://a.dk/smørrebrød\nhttps://a.dk/æble\n", "Windows-1252 (its top-level domains)"},
		{"windows-1252", "https://a.example/crème\n", "may be Windows-1252"},
		{"windows-1252", "https://a.fr/crème\n", "Windows-1252 (its top-level domains)"},
		{"windows-1252", "https://crème.example/crème\n", "Windows-1252"}, // the host is audited
		{"windows-1250", "https://a.example/łódź/żółw\n", "Windows-1250"},
		{"windows-1250", "https://a.example/český/příliš\n", "Windows-1250"},
		{"windows-1254", "https://a.example/çocuk-ayakkabı\nhttps://a.example/düğün/şarkı\n", "Windows-1254"},
		{"windows-1251", "https://a.example/кафе/меню\n", "Windows-1251"},
		{"windows-1251", "Популярные страницы;Клики\nhttps://a.example/а\n", "Windows-1251"},
		{"windows-1253", "https://a.example/καφές/μενού\n", "Windows-1253"},
		{"windows-1257", "https://a.example/ąžuolas/šiaurė\n", "Windows-1257"},
		{"windows-1255", "https://a.co.il/קפה/שלום\n", "Windows-1255 (its top-level domains)"},
		{"windows-1256", "https://a.example/مقهى/قائمة\n", "Windows-1256"},
		{"shift_jis", "https://a.example/カフェ/日本語\nhttps://a.example/東京\n", "Shift_JIS"},
		{"gbk", "https://a.example/产品/中文\nhttps://a.example/咖啡馆/菜单/你好世界\n", "GBK"},
		{"big5", "https://a.example/產品/繁體中文\nhttps://a.example/咖啡館\n", "Big5"},
		{"euc-kr", "https://a.example/카페/메뉴\nhttps://a.example/한국어-페이지/안녕하세요\n", "EUC-KR"},
		{"koi8-r", "https://a.example/кафе/меню\n", "may be"},
		{"koi8-r", "https://a.ru/кафе/меню\n", "KOI8-R (its top-level domains)"},
		{"koi8-u", "https://a.example/їжа/кава\n", "may be"},
		{"iso-8859-5", "https://a.example/кофе\n", "may be"},
		{"iso-8859-6", "https://a.example/قهوة/أخبار\n", "may be"},
		{"iso-8859-2", "https://a.example/žluťoučký/kůň\n", "ISO-8859-2"},
		{"macintosh", "https://a.example/café/crème\n", "was not recognised"},
		{"ibm866", "https://a.example/кафе/меню\n", "IBM866"},
		{"ibm850", "https://a.example/größe/café\n", "was not recognised"},
		{"ibm850", "https://a.example/größe\n", "was not recognised"},
		{"ibm852", "https://a.example/žluťoučký/kůň\n", "was not recognised"},
	} {
		e, err := ianaindex.IANA.Encoding(c.encoding)
		noError(t, err)
		text, err := e.NewEncoder().String(c.text)
		noError(t, err)
		var s survey
		noError(t, s.look(strings.NewReader(text)))
		set, err := s.charset(func(host string) bool { return host == "crème.example" })
		got := set.name
		if set.note != "" {
			got += " (" + set.note + ")"
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s %q: %s, want %s", c.encoding, c.text, got, c.want)
		}
	}
}

// A few damaged lines do not make UTF-8 another encoding, wherever the parts of the text end.
func TestSurvey(t *testing.T) {
	text := strings.Repeat("https://a.example/größe/東京\n", 30_000)
	for _, c := range []struct {
		text string
		name string
	}{{text, "UTF-8"}, {text + "\xff\n", "UTF-8"}, {strings.ReplaceAll(text, "\n", "/"), "UTF-8"}, {strings.Repeat("a", 600_000) + "\n/caf\xe9\n", "Windows-1252"}} {
		var s survey
		noError(t, s.look(io.MultiReader(strings.NewReader(c.text[:100_001]), strings.NewReader(c.text[100_001:]))))
		if set, err := s.charset(nil); err != nil || set.name != c.name {
			t.Errorf("%.20q: %s, %v", c.text, set.name, err)
		}
	}
}

func TestParseEncoding(t *testing.T) {
	for name, want := range map[string]string{"latin1": "Windows-1252", "WINDOWS-1251": "Windows-1251", "utf8": "UTF-8", "sjis": "Shift_JIS", "cp850": "IBM850"} {
		if got, err := ParseEncoding(name); err != nil || got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if _, err := ParseEncoding("german"); err == nil || !strings.Contains(err.Error(), "windows-1252") {
		t.Error(err)
	}
}
