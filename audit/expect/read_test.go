package expect

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"robots-audit/audit/table"
)

// TestReadErrors reads invalid files: the error has the line and the reason.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"e.csv", "", "e.csv:1: the file has no expectations. Write one per line: url,crawler,expect"},
		{"e.csv", "url,crawler,expect\n# nothing yet\n", "e.csv:1: the file has no expectations. Write one per line: url,crawler,expect"},
		{"e.csv", "\xff\xfe/\x00a\x00", `e.csv:1: the column "crawler" is missing`},
		{"e.csv", "/a,Googlebot,allow\n/stra\x81e,Googlebot,allow\n", "e.csv:1: the text is not UTF-8, and its encoding was not recognised. Save it as UTF-8, or name its encoding, as in -encoding windows-1252"},
		{"e.csv", "/a,Googlebot,allow\n\x00", "e.csv:1: this is not a text file"},
		{"e.csv", "url,crawler\n/a,Googlebot\n", `e.csv:1: the column "expect" is missing`},
		{"e.csv", "url,crawler,expect,url\n", `e.csv:1: the column "url" occurs twice`},
		{"e.csv", "url,crawler,expekt\n/a,Googlebot,allow\n", `e.csv:1: unknown column "expekt". The columns are url, crawler, expect, profile, note`},
		{"e.csv", "url,crawler,expect,profil\n", `e.csv:1: unknown column "profil". The columns are url, crawler, expect, profile, note`},
		{"e.csv", "Seite,crawler,expect,regex\n", `e.csv:1: unknown column "regex". The columns are url, crawler, expect, profile, note`},
		{"e.csv", "Page,crawler,expect,URL\n", `e.csv:1: the column "url" occurs twice`},
		{"e.csv", "\n/a,Googlebot\n", `e.csv:2: the column "expect" is missing`},
		{"e.csv", "/a,Googlebot,allow,,x,y\n", "e.csv:1: 6 columns, but the table has 5. Put a cell that contains the separator in quotation marks"},
		{"e.csv", "/a,Googlebot,allow\n\"/b,Googlebot,allow\n", `e.csv:2: the column "crawler" is missing`},
		{"e.csv", "/a,Googlebut,allow\n", `e.csv:1: unknown crawler "Googlebut": did you mean Googlebot? If not, write token:Googlebut`},
		{"e.csv", "/a,Googlebot,allow,gogle\n", `e.csv:1: unknown profile "gogle" in "Googlebot@gogle": did you mean google?`},
		{"e.csv", "/a,Googlebot@google,allow,yandex\n", `e.csv:1: two profiles, "google" and "yandex". Name one`},
		{"e.csv", "/a,Googlebot,allowed\n", `e.csv:1: expect is "allowed". Write allow, disallow or same`},
		{"e.csv", "a,Googlebot,allow\n", `e.csv:1: the url "a" is neither an absolute URL nor a path that begins with "/"`},
		{"e.csv", "a*,Googlebot,allow\n", `e.csv:1: the url "a*" is a pattern that does not begin with "/" or "*"`},
		{"e.csv", "/a b*,Googlebot,allow\n", `e.csv:1: the url "/a b*" contains white space. Write %20 for a space`},
		{"e.csv", "/a#b*,Googlebot,allow\n", `e.csv:1: the url "/a#b*" contains "#", which requested URLs never have. Write %23`},
		{"e.csv", "https://*.example/,Googlebot,allow\n", `e.csv:1: the url "https://*.example/" is a pattern of hosts. Name each host, or give only the path to test every site`},
		{"e.csv", "https://me@a.example/,Googlebot,allow\n", `e.csv:1: the url "https://me@a.example/" contains a user name or a password. Remove them`},
		{"e.csv", "mailto://a.example/,Googlebot,allow\n", `e.csv:1: the url "mailto://a.example/" names no site: only http, https and ftp sites can be audited`},
		{"e.csv", "/a,Googlebot,allow\n\n/a,googlebot@google,allow\n", "e.csv:3: this repeats line 1"},
		{"e.csv", "https://a.example,Googlebot,allow\nHTTPS://A.example:443/,Googlebot,disallow\n", "e.csv:2: this contradicts line 1, which expects allow for the same url and crawler"},
		{"e.jsonl", "{\"url\": \"/a\", \"crawler\": \"Googlebot\"}\n", `e.jsonl:1: the column "expect" is missing`},
		{"e.jsonl", "\n/a,Googlebot,allow\n", `e.jsonl:2: not a JSON object. Write one per line, such as {"url": "/a", "crawler": "Googlebot", "expect": "allow"}`},
		{"e.jsonl", `{"url": "/a", "crawlers": "Googlebot"}`, `e.jsonl:1: unknown key "crawlers". Did you mean crawler?`},
		{"e.jsonl", `{"url": "/a", "url": "/b"}`, `e.jsonl:1: the key "url" occurs twice`},
		{"e.jsonl", `{"url": 7}`, `e.jsonl:1: the value of "url" is not a string`},
		{"e.jsonl", `{"url": "/a"`, "e.jsonl:1: not JSON: EOF"},
		{"e.jsonl", `{"url": "/a", "crawler": "Googlebot", "expect": "allow"} {}`, "e.jsonl:1: more text follows the object. Write one object per line"},
		{"e.csv", "/a,Googlebot,no\n/b,Nobody,allow\n/c,Googlebot,allow\n/d,Googlebot\n", "e.csv:1: expect is \"no\". Write allow, disallow or same\n" +
			"e.csv:2: unknown crawler \"Nobody\": to use a product token that is not in the list, write token:Nobody\ne.csv:4: the column \"expect\" is missing"},
	} {
		set, err := Read(c.name, []byte(c.text), table.Options{})
		if err == nil || err.Error() != c.want || set != nil {
			t.Errorf("%q: %v\nwant %s", c.text, err, c.want)
		}
	}
	_, err := Read("e.csv", []byte(strings.Repeat("/a,Googlebot,no\n", 1000)), table.Options{})
	if lines := strings.Split(err.Error(), "\n"); len(lines) != maxProblems+1 || lines[maxProblems] != "e.csv: 980 more lines have errors" {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

// TestReadForms reads the same expectations in each form.
func TestReadForms(t *testing.T) {
	want := readTable(t, "table.csv")
	var semicolons, titles, export, jsonl strings.Builder
	export.WriteString("Häufigste Seiten;Klicks;CTR;Position;Crawler;Expected;Profile;Comment\n")
	titles.WriteString("note, Expect ,PROFILE,url,agent\n")
	line := 0
	for i := range want.List {
		e := &want.List[i]
		name, profile, _ := strings.Cut(e.Crawler, "@")
		for ; line < e.Line-1; line++ { // of the same numbers
			semicolons.WriteString("\n")
			jsonl.WriteString("\n")
			if line > 0 {
				export.WriteString("#\n")
				titles.WriteString("#\n")
			}
		}
		line++
		fmt.Fprintf(&semicolons, "%s;%s;%s;%s;%q\n", e.URL, name, e.Want, profile, e.Note)
		fmt.Fprintf(&titles, "%q,%s,%s,%s,%s@%s\n", e.Note, strings.ToUpper(e.Want.String()), profile, e.URL, name, profile)
		fmt.Fprintf(&export, "%s;1.234;5,2%%;7,1;%s;%s;%s;%q\n", e.URL, name, e.Want, profile, e.Note)
		object, err := json.Marshal(map[string]string{"url": e.URL, "crawler": e.Crawler, "expect": e.Want.String(), "note": e.Note})
		noError(t, err)
		jsonl.Write(append(object, '\n'))
	}
	for _, text := range []string{semicolons.String(), "\uFEFF" + titles.String(), export.String(), jsonl.String(), strings.ReplaceAll(jsonl.String(), "\n", "\r\n")} {
		got, err := Read("table.csv", []byte(text), table.Options{})
		noError(t, err)
		if !reflect.DeepEqual(got.List, want.List) {
			t.Errorf("%.200s…: %+v, want %+v", text, got.List, want.List)
		}
	}
}

// TestDoubleSlash checks that a path may begin with "//": this does not name a host.
func TestDoubleSlash(t *testing.T) {
	set, err := Read("e.csv", []byte("//admin,Googlebot,allow\n"), table.Options{})
	if err != nil || set.List[0].loc != "//admin" || set.List[0].origin != "" {
		t.Errorf("%+v, %v", set, err)
	}
}

// FuzzRead reads any text: valid expectations can be judged, and errors name their line.
func FuzzRead(f *testing.F) {
	f.Add("e.csv", "url,crawler,expect\n/a*,Googlebot,allow\n")
	f.Add("e.jsonl", `{"url": "https://a.example/$", "crawler": "token:x@google-oss", "expect": "same"}`)
	f.Add("e.csv", "/é%2A;Googlebot;disallow;yandex-2016\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		set, err := Read(name, []byte(text), table.Options{})
		if err != nil {
			for _, line := range strings.Split(err.Error(), "\n"+name+":") {
				if line == "" {
					t.Errorf("an empty line in %q", err)
				}
			}
			return
		}
		j, err := NewJudge(set, &Proposal{Host: "a.example", File: "f"})
		noError(t, err)
		n := 0
		for _, s := range judgeAll(t, j, world()) {
			n += len(s.Results)
		}
		if n < len(set.List) {
			t.Errorf("%d results of %d expectations", n, len(set.List))
		}
	})
}
