package policyfile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

const site = "https://www.example.com/"

// lines are a file as short lines.
func lines(f *File) (list []string) {
	if !f.Found {
		list = append(list, "not found")
	}
	if f.Fault != "" {
		list = append(list, f.Fault)
	}
	list = append(list, statements(f.Statements)...)
	list = append(list, f.Links...)
	if f.More > 0 {
		list = append(list, fmt.Sprint(f.More, " more"))
	}
	return list
}

// statements are statements as short lines: source:line, what it says, purpose, token, path.
func statements(of []Statement) (list []string) {
	for _, s := range of {
		list = append(list, strings.TrimRight(fmt.Sprintf("%s:%d %s %s %s %s", s.Source, s.Line, s.Says, s.Purpose, s.Token, s.Path), " "))
	}
	return list
}

const (
	htmlFault = "The server sent an HTML page instead of the file."
	rslOpen   = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<rsl xmlns="https://rslstandard.org/rsl">` + "\n"
)

// TestRead: files as their specifications and real sites have them.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		kind, name, body string
		want             []string
	}{
		// The first two are examples of the report of W3C.
		{TDMRep, "whole site", `[ { "location": "/", "tdm-reservation": 1 } ]`, []string{"tdmrep.json:1 no mining"}},
		{TDMRep, "parts", "[\n  {\n  \"location\": \"/directory-a/\",\n  \"tdm-reservation\": 1\n  },\n  {\n  \"location\": \"/directory-b/html/\",\n  \"tdm-reservation\": 1,\n  \"tdm-policy\":\"https://provider.com/policies/policy.json\"\n  },\n  {\n  \"location\": \"/directory-b/images/*.jpg\",\n  \"tdm-reservation\": 0\n  }\n]", []string{
			"tdmrep.json:2 no mining  /directory-a/", "tdmrep.json:6 pay mining  /directory-b/html/", "tdmrep.json:11 yes mining  /directory-b/images/*.jpg"}},
		{TDMRep, "star", "\ufeff[\r\n{\"location\": \"*\", \"tdm-reservation\": 1, \"tdm-policy\": \"https://a.example/p\"}]", []string{"Rule 1 has a \"location\" that does not start with /.", "tdmrep.json:2 pay mining"}},
		{TDMRep, "no array", `{"tdm-reservation": 1, "tdm-policy": "https://a.example/p.json"}`, []string{"The file is not a JSON array of rules."}},
		{TDMRep, "no object", `[1, null, "/"]`, []string{"Rule 1 is not a JSON object."}},
		{TDMRep, "null", `[{"location":"/","tdm-reservation":0}, null]`, []string{"Rule 2 is not a JSON object.", "tdmrep.json:1 yes mining"}},
		{TDMRep, "no location", `[{"tdm-reservation": 1}, {"location":"/a","tdm-reservation":1}]`, []string{"Rule 1 has no \"location\".", "tdmrep.json:1 no mining  /a"}},
		{TDMRep, "URL as location", `[{"location":"https://a.example/","tdm-reservation": 1}]`, []string{"Rule 1 has a \"location\" that does not start with /."}},
		{TDMRep, "text as reservation", `[{"location":"/","tdm-reservation": "1"}]`, []string{"Rule 1 has no \"tdm-reservation\" that is the number 0 or 1."}},
		{TDMRep, "other number", `[{"location":"/","tdm-reservation": 2}]`, []string{"Rule 1 has no \"tdm-reservation\" that is the number 0 or 1."}},
		{TDMRep, "other key", `[{"location":"/","tdm_reservation": 1}]`, []string{"Rule 1 has no \"tdm-reservation\" that is the number 0 or 1."}},
		{TDMRep, "relative policy", `[{"location":"/","tdm-reservation":1,"tdm-policy":"/p.json"}]`, []string{"Rule 1 has a \"tdm-policy\" that is not an absolute URL.", "tdmrep.json:1 no mining"}},
		{TDMRep, "policy without a host", `[{"location":"/","tdm-reservation":1,"tdm-policy":"https:///p"}]`, []string{"Rule 1 has a \"tdm-policy\" that is not an absolute URL.", "tdmrep.json:1 no mining"}},
		{TDMRep, "open with policy", `[{"location":"/","tdm-reservation":0,"tdm-policy":"https://a.example/p"}]`, []string{"tdmrep.json:1 yes mining"}},
		{TDMRep, "no rules", `[]`, nil},
		{TDMRep, "not JSON", `[{"location":"/","tdm-reservation":1},]`, []string{"The file is not valid JSON."}},
		{TDMRep, "deep", strings.Repeat("[", 20_000), []string{"The file is not valid JSON."}},
		{TDMRep, "empty", " \n", []string{"The file is empty."}},
		{TDMRep, "too long", "[" + strings.Repeat(" ", MaxBytes) + "]", []string{"The file is longer than 250,000 bytes, so it was not read."}},
		{TDMRep, "soft 404", "<!DOCTYPE html>\n<html><head><title>Not found</title>", []string{"not found", htmlFault}},

		{AI, "Spawning", "# Spawning AI\n# Prevent datasets from using the following file types\nUser-Agent: *\nDisallow: *.jpg\nAllow: *.txt\nDisallow: /\nDisallow: *\n", []string{
			"ai.txt:4 no training  *.jpg", "ai.txt:5 yes training  *.txt", "ai.txt:6 no training", "ai.txt:7 no training"}},
		{AI, "names", "\ufeffuser-agent: GPTBot\r\nUser-agent : ClaudeBot # Anthropic\r\n\r\nDISALLOW: /a # not this\r\nUser-Agent: *\r\nDisallow:\r\nAllow:\r\n", []string{
			"ai.txt:4 no training GPTBot /a", "ai.txt:4 no training ClaudeBot /a", "ai.txt:6 yes training"}},
		{AI, "before the group", "Disallow: /\nUser-Agent: *\nAllow: /*\n", []string{"Line 1 is before the first User-Agent line.", "ai.txt:3 yes training"}},
		{AI, "another format", "# ai.txt\nAI-Training: disallow\nContact: a@a.example\n", []string{"The file has no User-Agent, Allow or Disallow line."}},
		{AI, "soft 404", "\n<!-- cached -->\n<HTML lang=en><HEAD>", []string{"not found", htmlFault}},
		{AI, "only a type of document", "<!Doctype HTML>\n<title>Home</title>", []string{"not found", htmlFault}},
		{AI, "only an empty line", "Allow:\n", nil},
		{AI, "error page without head", "<body>404</body>", []string{"not found", htmlFault}},

		{LLMs, "links", "# FastHTML\n\n> A library.\n\nNotes, see [this](/notes).\n\n## Docs\n\n- [Quick start](https://www.example.com/quick.html.md): an overview\n* [API](/api?x=1#top)\n1. [Named](<guide/a.md> \"A guide\") here\n  - [Other site](https://other.example/)\n- [Mail](mailto:a@a.example)\n- [FTP](ftp://example.com/a)\n- [With](/wiki/A_(b)): c\n- [Again](/api?x=1)\n\n## Optional\n- [Bare](https://u:secret@example.com/bare)\n```\n- [Code](/code)\n```\n- [Last](/last)\n", []string{
			"https://www.example.com/quick.html.md", "https://www.example.com/api?x=1", "https://www.example.com/guide/a.md", "https://www.example.com/wiki/A_(b)", "https://example.com/bare", "https://www.example.com/last"}},
		{LLMs, "no space", "\ufeff#Title\r\n- [a](/a)\r\n", []string{"https://www.example.com/a"}},
		{LLMs, "no heading", "yeah yeah, peace to all robots\n\n# WELCOME\n- [a](/a)\n", []string{"The file does not begin with a heading of level 1, such as \"# Name of the site\".", "https://www.example.com/a"}},
		{LLMs, "about HTML", "# The element <body> of <html>\n", nil},
		{LLMs, "level 2", "## Docs\n", []string{"The file does not begin with a heading of level 1, such as \"# Name of the site\"."}},
		{LLMs, "soft 404", "<html>", []string{"not found", htmlFault}},

		{RSL, "two licences", rslOpen + `<content url="/articles/*">
  <license><permits type="usage">search</permits><payment type="free"/></license>
  <license>
    <permits type="usage">ai-input ai-index</permits>
    <prohibits type="usage">ai-train</prohibits>
    <payment type="crawl"><amount currency="USD">0.0011</amount></payment>
  </license>
</content></rsl>`, []string{"RSL:4 yes search  /articles/*", "RSL:6 pay input  /articles/*", "RSL:7 no training  /articles/*"}},
		{RSL, "all of AI", rslOpen + `<content url="/"><license><payment type="subscription"/><permits type="usage">ai-all</permits></license></content></rsl>`, []string{"RSL:3 pay training", "RSL:3 pay input"}},
		{RSL, "attribution", rslOpen + `<content url=""><license><permits type="usage">all</permits><payment type="attribution"/></license></content></rsl>`, []string{"RSL:3 pay all"}},
		{RSL, "no payment", rslOpen + `<content url="https://example.com/a/"><license><permits type="usage">all</permits></license></content></rsl>`, []string{"RSL:3 yes all  /a/"}},
		{RSL, "whole site by URL", rslOpen + `<content url="HTTPS://example.com"><license><permits type="usage">all</permits></license></content></rsl>`, []string{"RSL:3 yes all"}},
		{RSL, "another site", rslOpen + `<content url="https://other.example/"><license><permits type="usage">all</permits></license></content></rsl>`, nil},
		{RSL, "only for some", rslOpen + `<content url="/"><license><permits type="usage">ai-train</permits><permits type="user">education</permits></license></content></rsl>`, []string{"RSL:3 pay training"}},
		{RSL, "prohibited for some", rslOpen + `<content url="/"><license><permits type="usage">ai-train</permits><prohibits type="geo">US</prohibits></license></content></rsl>`, []string{"RSL:3 pay training"}},
		{RSL, "server", rslOpen + `<content url="/" server="https://a.example"><license><permits type="usage">ai-train</permits><payment type="free"/></license></content>
<content url="/free"><license><permits type="usage">ai-train</permits></license></content></rsl>`, []string{"RSL:3 pay training", "RSL:4 yes training  /free"}},
		{RSL, "guide", rslOpen + `<content url="/"><license><permits type="usage">train-ai,search</permits></license></content></rsl>`, []string{"RSL:3 yes training", "RSL:3 yes search"}},
		{RSL, "unknown usage", rslOpen + `<content url="/"><license><permits type="usage">ai-summarize</permits></license></content></rsl>`, []string{"Line 3 has a usage that RSL does not have: \"ai-summarize\"."}},
		{RSL, "other name space", rslOpen + `<content url="/" xmlns:x="urn:x"><license><x:permits type="usage">all</x:permits><permits type="usage"><![CDATA[search]]><x:b> all</x:b></permits></license></content></rsl>`, []string{"RSL:3 yes search"}},
		{RSL, "attribute of another name space", rslOpen + `<content xmlns:x="urn:x" x:url="/b" url="/a"><license><permits type="usage">all</permits></license></content></rsl>`, []string{"RSL:3 yes all  /a"}},
		{RSL, "prefix", `<r:rsl xmlns:r="https://rslstandard.org/rsl"><r:content url="/"><r:license><r:prohibits type="usage">all</r:prohibits></r:license></r:content></r:rsl>`, []string{"RSL:1 no all"}},
		{RSL, "no name space", `<rsl><content><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`, []string{"The element <rsl> lacks xmlns=\"https://rslstandard.org/rsl\".", "RSL:1 no training"}},
		{RSL, "no url", rslOpen + `<content><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>`, []string{"The <content> element 1 has no url attribute.", "RSL:3 no training"}},
		{RSL, "no content", rslOpen + `</rsl>`, []string{"The file has no <content> element."}},
		{RSL, "another root", `<feed/>`, []string{"The root element of the file is not <rsl>."}},
		{RSL, "broken", rslOpen + `<content url="/"><license><permits type="usage">all</permits></license><license>all</content>`, []string{"The XML is not well-formed at line 3."}},
		{RSL, "text", `license`, []string{"The file has no <content> element."}},
		{RSL, "entities", `<!DOCTYPE rsl [<!ENTITY a "aaaa">]><rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">&a;</permits></license></content></rsl>`, []string{"The XML is not well-formed at line 1."}},
		{RSL, "deep", rslOpen + strings.Repeat("<a>", 1000), []string{"The XML has too many levels."}},
		{RSL, "Latin 1", "<?xml version='1.0' encoding='ISO-8859-1'?><rsl xmlns='https://rslstandard.org/rsl'><content url='/\xe4'><license><permits type='usage'>all</permits></license></content></rsl>", []string{"RSL:1 yes all  /ä"}},
		{RSL, "XHTML", `<?xml version="1.0"?>` + strings.Repeat(" ", 2000) + `<html xmlns="http://www.w3.org/1999/xhtml">`, []string{"not found", htmlFault}},
	} {
		f := Read(tt.kind, []byte(tt.body), site)
		if diff := cmp.Diff(tt.want, lines(f)); diff != "" {
			t.Errorf("%s, %s:\n%s", tt.kind, tt.name, diff)
		}
		checkBounds(t, f)
	}
}

// checkBounds: a file has not more than its limits, and only UTF-8.
func checkBounds(t *testing.T, f *File) {
	t.Helper()
	if len(f.Statements) > most || len(f.Links) > most {
		t.Errorf("%d statements, %d links", len(f.Statements), len(f.Links))
	}
	for _, s := range f.Statements {
		for _, text := range []string{s.Text, s.Token, s.Path} {
			if len(text) > longest+20 || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") {
				t.Errorf("%q", text)
			}
		}
		if !strings.Contains(" yes no pay ", " "+s.Says+" ") || !strings.Contains(" training images input search mining all ", " "+s.Purpose+" ") {
			t.Errorf("%+v", s)
		}
	}
	for _, link := range f.Links {
		if len(link) > longURL || !utf8.ValidString(link) || !strings.HasPrefix(link, "http") {
			t.Errorf("%q", link)
		}
	}
	if len(f.Fault) > 2*longest || !utf8.ValidString(f.Fault) || f.Fault != "" && !strings.HasSuffix(f.Fault, ".") {
		t.Errorf("%q", f.Fault)
	}
}

// TestReadBounds: what is beyond the limits is counted, and a statement about the whole site is not lost among
// many about parts.
func TestReadBounds(t *testing.T) {
	repeat := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for kind, body := range map[string]string{
		TDMRep: "[" + repeat(1_000, `{"location":"/%d","tdm-reservation":0},`) + `{"location":"/","tdm-reservation":1}]`,
		AI:     "User-Agent: *\n" + repeat(1_000, "Allow: *.%d\n") + "Disallow: /\n",
		LLMs:   "# a\n" + repeat(1_051, "- [a](/%d)\n"),
		RSL:    rslOpen + repeat(1_000, `<content url="/%d"><license><permits type="usage">all</permits></license></content>`) + `<content url="/"><license><prohibits type="usage">all</prohibits></license></content></rsl>`,
	} {
		f := Read(kind, []byte(body), site)
		if kind == LLMs {
			f.Statements, f.Links = make([]Statement, len(f.Links)), nil
			f.More -= 50
			f.Statements[most-1].Says = No
		}
		if n := len(f.Statements); n != most || f.More != 951 || f.Statements[most-1].Path != "" || f.Statements[most-1].Says != No || f.Fault != "" {
			t.Errorf("%s: %d statements, %d more, last %+v, %q", kind, n, f.More, f.Statements[n-1], f.Fault)
		}
	}
	f := Read(AI, []byte(repeat(200, "User-Agent: %d\n")+repeat(200, "Disallow: /#%d\n")), site)
	if len(f.Statements) != most || f.More != 200*most-most {
		t.Errorf("%d statements, %d more", len(f.Statements), f.More)
	}
}

// TestReadHostile: texts are cut, on one line, and UTF-8.
func TestReadHostile(t *testing.T) {
	long := strings.Repeat("ä", 5000)
	for kind, body := range map[string]string{
		TDMRep: `[{"location":"/` + long + `","tdm-reservation":1}]`,
		AI:     "User-Agent: " + long + "\xff\nDisallow: /\xff" + long,
		RSL:    rslOpen + `<content url="/` + long + `"><license><permits type="usage">all ` + long + `</permits></license></content></rsl>`,
	} {
		f := Read(kind, []byte(body), site)
		if len(f.Statements) != 1 || !strings.HasSuffix(f.Statements[0].Path, "… [cut]") {
			t.Errorf("%s: %+v", kind, f)
		}
		checkBounds(t, f)
	}
	f := Read(AI, []byte("User-Agent: a\xff\nDisallow: /\xfe\tb\n"), site)
	if want := (Statement{Source: AI, Text: `Disallow: /\xFE b`, Line: 2, Purpose: Training, Token: `a\xFF`, Path: `/\xFE b`, Says: No}); len(f.Statements) != 1 || f.Statements[0] != want {
		t.Errorf("%+v", f.Statements)
	}
	checkBounds(t, Read(LLMs, []byte("# a\n- ["+long+"](/"+long+")\n- [a](/\xff)\n- [b](/"+long[:2500]+")\n"+strings.Repeat("- [", 100_000)), site))
}

// TestTexts: statements have their text as written.
func TestTexts(t *testing.T) {
	for kind, body := range map[string]string{
		TDMRep: "[{\n \"location\": \"/\", \"tdm-reservation\": 1}]",
		AI:     "User-Agent: *\n  Disallow:  *.jpg  # images\n",
		RSL:    rslOpen + "<content url='/'><license><permits type='usage'>\n ai-train\n <!-- a --> search</permits></license></content></rsl>",
	} {
		want := map[string]string{TDMRep: `{"location":"/","tdm-reservation":1}`, AI: "Disallow: *.jpg", RSL: `<permits type="usage">ai-train search</permits>`}[kind]
		if f := Read(kind, []byte(body), site); f.Statements[0].Text != want {
			t.Errorf("%s: %q, want %q", kind, f.Statements[0].Text, want)
		}
	}
}

// FuzzRead: no file is too much, and its kind and site do not matter.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`[{"location":"/","tdm-reservation":1,"tdm-policy":"https://a.example"}]`, "User-Agent: *\nDisallow: *.jpg\nAllow: /", "# a\n- [a](/a)\n- [b](https://example.com \"t\")",
		rslOpen + `<content url="/" server="a"><license><permits type="usage">ai-all</permits><payment type="free"/></license></content></rsl>`, "<html>", "\xff\xfe", "",
	} {
		f.Add([]byte(seed), site)
	}
	f.Fuzz(func(t *testing.T, body []byte, site string) {
		for _, kind := range []string{TDMRep, AI, LLMs, RSL} {
			of := Read(kind, body, site)
			checkBounds(t, of)
			if text, err := json.Marshal(of); err != nil || strings.Contains(string(text), `\ufffd`) && !strings.Contains(string(body)+site, "\ufffd") {
				t.Errorf("%s: %s, %v", kind, text, err)
			}
		}
	})
}
