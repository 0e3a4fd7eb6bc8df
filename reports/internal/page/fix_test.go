package page

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"robots-audit/reports/internal/site"
)

// TestFix makes the edit of an address in a file, and refuses it for another one.
func TestFix(t *testing.T) {
	const body = "\xEF\xBB\xBFUser-agent: *\r\nDisallow: /a\r\nDisallow: /ü"
	for _, c := range []struct {
		fix        site.Fix
		body, want string
	}{
		{site.Fix{Op: site.DeleteLines, Lines: []int{2}}, body, "\xEF\xBB\xBFUser-agent: *\r\nDisallow: /ü"},
		{site.Fix{Op: site.DeleteLines, Lines: []int{1, 2, 3}}, body, "\xEF\xBB\xBF"},
		{site.Fix{Op: site.ReplaceLines, Lines: []int{1, 3}, Text: "x & y"}, body, "\xEF\xBB\xBFx & y\r\nDisallow: /a\r\nx & y"},
		{site.Fix{Op: site.InsertBelow, Lines: []int{2}, Text: "Allow: /a?b=1#$"}, body, "\xEF\xBB\xBFUser-agent: *\r\nDisallow: /a\r\nAllow: /a?b=1#$\r\nDisallow: /ü"},
		{site.Fix{Op: site.InsertBelow, Lines: []int{3}, Text: "Allow: /b"}, body, body + "\r\nAllow: /b"},
		{site.Fix{Op: site.DeleteLines, Lines: []int{2}}, "a\r\rb", "a\rb"},
	} {
		query := fixQuery(&c.fix, lineTexts([]byte(c.body)))
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadFix(q)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if got, err := read.Apply([]byte(c.body)); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v", query, got, err)
		}
		if _, err := read.Apply([]byte("other\n" + c.body)); !errors.Is(err, errStale) {
			t.Errorf("%s: in another file: %v", query, err)
		}
	}
	if query := fixQuery(&site.Fix{Op: site.DeleteLines, Lines: []int{4}}, lineTexts([]byte(body))); query != "" {
		t.Errorf("a line that does not exist: %s", query)
	}
}

// TestReadFix refuses addresses that are no edit.
func TestReadFix(t *testing.T) {
	for _, query := range []string{
		"do=", "do=drop&line=1&was=x", "do=delete", "do=delete&line=1", "do=delete&line=0&was=x", "do=delete&line=-1&was=x", "do=delete&line=2,1&was=x", "do=delete&line=1,1&was=x",
		"do=delete&line=1,,2&was=x", "do=delete&line=1&was=x&text=y", "do=replace&line=1&was=x", "do=insert&line=99999999999999999999&was=x&text=y",
		"do=insert&line=1&was=x&text=" + strings.Repeat("y", maxFixText+1), "do=delete&was=x&line=1" + strings.Repeat(",2", maxFixLines),
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := ReadFix(q); err == nil {
			t.Errorf("%.60s: %+v", query, f)
		}
	}
	if f, err := ReadFix(url.Values{"line": {"3"}}); f != nil || err != nil {
		t.Errorf("a line alone: %v, %v", f, err)
	}
}
