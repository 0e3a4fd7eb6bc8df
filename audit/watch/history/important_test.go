package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/table"
)

func writeList(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "important.csv")
	noError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// The spelling of a URL does not matter, neither in the list nor in the records.
func TestImportant(t *testing.T) {
	for name, text := range map[string]string{
		"lines":     "# ours\r\nHTTPS://Example.com:443/%61,b\r\n\r\nhttp://münchen.example/x/../y?q#f\r\n",
		"one title": "url\nhttps://example.com/a,b\nhttp://xn--mnchen-3ya.example/y?q\n",
		"table":     "\uFEFFteam;\"URL\"\nsales;https://example.com/a,b\n\"a;b\";\"http://münchen.example/y?q\"\n;https://example.com/a,b\n",
	} {
		if name == "one title" {
			text = strings.Replace(text, "https://example.com/a,b", `"https://example.com/a,b"`, 1)
		}
		list, err := ReadImportant(writeList(t, text), table.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if list.URLs != 2 {
			t.Errorf("%s: %d URLs", name, list.URLs)
		}
		for url, want := range map[string]bool{
			"https://example.com/a,b": true, "https://example.com/%61,b#top": true, "http://münchen.example/y?q": true,
			"http://example.com/a,b": false, "https://example.com/a": false, "a,b": false, "": false,
		} {
			if list.Has(url) != want {
				t.Errorf("%s: %q: %t", name, url, !want)
			}
		}
		if id, _ := audit.URLID(nil, "https://example.com", "/a,b"); !list.HasID(id) {
			t.Errorf("%s: no id %s", name, id)
		}
	}
	if (*Important)(nil).Has("https://example.com/") {
		t.Error("no list has a URL")
	}
}

func TestImportantFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "important.csv: the file has no URL",
		"url\n":                               "important.csv: the file has no URL",
		"https://a.example/\n/b\nmailto:x\n":  "important.csv:2: \"/b\" is not a full http or https URL\nimportant.csv:3: \"mailto:x\" is not a full http or https URL",
		"note,url\na,https://a.example/\nb\n": "important.csv:3: \"\" is not a full http or https URL",
		"https://a.example/\n" + strings.Repeat("x", 64<<10+1): "important.csv:2: longer than 65536 bytes",
	} {
		name := writeList(t, text)
		_, err := ReadImportant(name, table.Options{})
		if err == nil {
			t.Errorf("%.20q: no error", text)
			continue
		}
		if got := strings.ReplaceAll(err.Error(), filepath.Dir(name)+string(filepath.Separator), ""); got != want {
			t.Errorf("%.20q: %s\nwant %s", text, got, want)
		}
	}
	many := writeList(t, strings.Repeat("x\n", 30))
	if _, err := ReadImportant(many, table.Options{}); err == nil || strings.Count(err.Error(), "\n") != maxProblems || !strings.HasSuffix(err.Error(), "10 more lines have errors") {
		t.Error(err)
	}
	if _, err := ReadImportant(filepath.Join(t.TempDir(), "none.csv"), table.Options{}); !os.IsNotExist(err) {
		t.Error(err)
	}
}
