package sitemap

import (
	"bytes"
	"encoding/xml"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"robots-audit/crawl/internal/wellformed"
)

// FuzzScanner checks three things. The chunks in which the bytes arrive make no difference. For a
// file that is well-formed for encoding/xml, both find the same URLs. A file that is not
// well-formed gets a note at the place where a strict reader of all its bytes stops. FuzzChecker
// compares that reader with encoding/xml.
func FuzzScanner(f *testing.F) {
	for _, c := range scannerCases {
		if len(c.file) < 10_000 {
			f.Add([]byte(c.file))
		}
	}
	for _, link := range links {
		f.Add([]byte("<urlset xmlns:xhtml='u'><url>" + link + link + "</url></urlset>"))
	}
	f.Fuzz(func(t *testing.T, file []byte) { compare(t, file) })
}

// compare scans a file in different ways, and reports whether encoding/xml accepted
// it.
func compare(t *testing.T, file []byte) bool {
	t.Helper()
	got := scanAll(bytes.NewReader(file))
	for _, chunk := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader, iotest.DataErrReader} {
		other := scanAll(chunk(bytes.NewReader(file)))
		if !slices.Equal(got.URLs, other.URLs) || !slices.Equal(got.Dates, other.Dates) || !slices.Equal(got.Langs, other.Langs) || !maps.Equal(got.Notes, other.Notes) || got.Fault != other.Fault || got.Format != other.Format || got.Broken != other.Broken {
			t.Fatalf("%q\nwhole:    %+v\nin parts: %+v", file, got, other)
		}
	}
	strict := strictly(file)
	if fault, ok := strict.Fault(); ok && !got.Alien && got.Format != "" && got.Format != "text" {
		if got.Notes[NoteNotWellFormed] != 1 || got.Fault != fault {
			t.Fatalf("%q\nscanner: %+v\nstrict:  %+v", file, got.Fault, fault)
		}
	} else if got.Notes[NoteNotWellFormed] > 0 {
		t.Fatalf("%q: noted as not well-formed: %+v", file, got.Fault)
	}
	if len(file) > maxText || got.Notes[NoteMisplacedLoc] > 0 || bytes.Contains(file, []byte("guid")) || got.Alien || got.Format == "text" || !bytes.HasPrefix(trimLead(file), []byte("<")) {
		return false
	}
	want, ok := byXML(file)
	if !ok {
		return false
	}
	urls := slices.Clone(got.URLs)
	slices.Sort(want)
	slices.Sort(urls)
	if !slices.Equal(urls, want) || got.Broken || got.Notes[NoteMalformedXML] > 0 {
		t.Fatalf("%q\nscanner:      %q (broken %v, %v)\nencoding/xml: %q", file, urls, got.Broken, got.Notes, want)
	}
	return true
}

// strictly reads a file as a strict parser does, without the scanner.
func strictly(file []byte) *wellformed.Checker {
	var c wellformed.Checker
	c.Read(file)
	c.End()
	return &c
}

// trimLead removes text that is allowed before the first tag.
func trimLead(file []byte) []byte {
	return bytes.TrimLeft(file, space+byteOrderMark)
}

// byXML returns the URLs of a file as encoding/xml reads it, by the rules of
// the scanner. It returns false if the file is not well-formed, or goes beyond
// the scanner's limits.
func byXML(file []byte) (urls []string, ok bool) {
	for d := xml.NewDecoder(bytes.NewReader(file)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			return nil, false
		}
	}
	wanted := map[string]string{
		"url/loc": "loc", "sitemap/loc": "sitemap", "item/link": "loc", "image/loc": "image",
		"url/content_loc": "video", "url/player_loc": "video", "video/content_loc": "video", "video/player_loc": "video",
		"url/thumbnail_loc": "image", "video/thumbnail_loc": "image",
		"url/content_segment_loc": "video", "video/content_segment_loc": "video", "url/gallery_loc": "video", "video/gallery_loc": "video",
	}
	groups := []string{"url", "sitemap", "item", "entry", "image", "video", "news"}
	var stack []string
	var kind, text string // of the open field
	level, nested := 0, 0
	finish := func() {
		if loc := strings.TrimFunc(text, isInvisible); loc != "" && kind != "" {
			urls = append(urls, kind+" "+loc)
		}
		kind, text = "", ""
	}
	for d := xml.NewDecoder(bytes.NewReader(file)); ; {
		token, err := d.RawToken()
		if err == io.EOF {
			return urls, true
		}
		switch token := token.(type) {
		case xml.StartElement:
			parent := ""
			if len(stack) > 0 {
				parent = stack[len(stack)-1]
			}
			local := token.Name.Local
			if slices.Contains(groups, local) {
				finish()
			}
			if parent == local {
				nested++
			}
			stack = append(stack, local)
			if len(stack) > maxNested || nested >= maxNested/2 {
				return nil, false
			}
			what := wanted[parent+"/"+local]
			switch {
			case what != "" && local == "loc" && token.Name.Space == "image":
				what = "image"
			case what != "" && local == "loc" && token.Name.Space == "video" && parent != "image":
				what = ""
			case local == "link" && parent == "item" && slices.ContainsFunc(token.Attr, func(a xml.Attr) bool { return a.Name == xml.Name{Local: "href"} }):
				what = "" // Atom's
			case local == "link" && (parent == "url" || parent == "entry"):
				if loc := byLink(token.Attr, parent); loc != "" {
					urls = append(urls, loc)
				}
			}
			for _, a := range token.Attr {
				if strings.Contains(a.Value, "sitemap-image") || strings.Contains(a.Value, "sitemap-video") {
					return nil, false // a prefix bound by the file: not supported here
				}
			}
			if what != "" {
				kind, text, level = what, "", len(stack)
			}
		case xml.EndElement:
			if kind != "" && len(stack) == level {
				finish()
			}
			stack = stack[:len(stack)-1]
		case xml.Directive:
			if !nameStart(token[0]) {
				return nil, false // encoding/xml does not check a directive's first byte
			}
		case xml.CharData:
			if kind != "" && len(stack) == level {
				text += string(token)
			}
		}
	}
}

// byLink returns the URL of a link element.
func byLink(attrs []xml.Attr, parent string) string {
	rel, href, given, lang := "", "", false, false
	for _, a := range attrs {
		switch {
		case a.Name.Space != "":
		case a.Name.Local == "rel":
			rel, given = a.Value, true
		case a.Name.Local == "hreflang":
			lang = true
		case a.Name.Local == "href":
			href = strings.TrimFunc(a.Value, isInvisible)
		}
	}
	alternate := slices.ContainsFunc(strings.Fields(rel), func(s string) bool { return strings.EqualFold(s, "alternate") })
	switch {
	case href == "" || !alternate && (parent == "url" || given) || parent == "url" && !lang && strings.HasPrefix(href, "android-app:"):
		return ""
	case parent == "url":
		return "hreflang " + href
	}
	return "loc " + href
}
