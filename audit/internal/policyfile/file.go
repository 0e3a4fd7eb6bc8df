// Package policyfile reads what a site says to AI outside of robots.txt: tdmrep.json, ai.txt, llms.txt, RSL
// licences, and the directives of a page. It takes bytes and returns data, without requests.
//
// Nobody has to obey these statements, and crawlers differ in what they read. So each reader takes only
// what its specification says, and reports the first fault.
package policyfile

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// Sources of statements.
const (
	TDMRep = "tdmrep.json"
	AI     = "ai.txt"
	LLMs   = "llms.txt"
	RSL    = "RSL"
	Meta   = "meta"   // an element of a page
	Header = "header" // of a page
)

// What a statement says.
const (
	Yes = "yes"
	No  = "no"
	Pay = "pay" // only with a licence or payment
)

// Purposes of a use.
const (
	Training = "training"
	Images   = "images" // training on images
	Input    = "input"  // answers of AI
	Search   = "search"
	Mining   = "mining" // text and data mining
	All      = "all"
)

// Limits of what is read.
const (
	MaxBytes = 250_000 // of a file, or of the beginning of a page
	most     = 50      // statements, and links
	longest  = 200     // bytes of a text
	longURL  = 2000    // bytes of a link
)

// Statement is one statement of a site to AI, in robots.txt, a page or a file.
type Statement struct {
	Source  string `json:"source"`          // one of the sources above
	Text    string `json:"text"`            // as written, cut
	Line    int    `json:"line,omitempty"`  // in its file; 0 = unknown
	Purpose string `json:"purpose"`         // "training", "images" (training on images), "input" (answers), "search", "mining" (text and data mining), "all"
	Token   string `json:"token,omitempty"` // product token that it names; "" = every crawler
	Path    string `json:"path,omitempty"`  // pattern of paths; "" = the whole site, or the page
	Says    string `json:"says"`            // "yes", "no", "pay" (only with a licence or payment)
}

// File is the content of a policy file.
type File struct {
	Found      bool        // it is such a file, though perhaps with a fault; false = the server sent an HTML page
	Fault      string      // the first reason why it is not well-formed, a sentence
	Statements []Statement // at most 50. Those about the whole site come before others, if there are more
	Links      []string    // of llms.txt: absolute URLs on the site, at most 50
	More       int         // statements and links beyond these
}

// Read reads a file of a kind: TDMRep, AI, LLMs or RSL. site is a URL of the site: the file names paths and
// links of it.
func Read(kind string, body []byte, site string) *File {
	f := &File{Found: true}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	switch {
	case len(body) > MaxBytes:
		f.fault("The file is longer than 250,000 bytes, so it was not read.")
	case len(bytes.TrimSpace(body)) == 0:
		f.fault("The file is empty.")
	case isHTML(body):
		f.Found = false
		f.fault("The server sent an HTML page instead of the file.")
	default:
		map[string]func(*File, []byte, string){TDMRep: readTDMRep, AI: readAI, LLMs: readLLMs, RSL: readRSL}[kind](f, body, site)
	}
	return f
}

// isHTML reports whether a body is an HTML page, as servers send for files that they do not have.
func isHTML(body []byte) bool {
	head := bytes.ToLower(bytes.TrimSpace(body[:min(len(body), 1024)]))
	return bytes.HasPrefix(head, []byte("<")) && slices.ContainsFunc([]string{"<!doctype html", "<html", "<head", "<body"}, func(tag string) bool {
		return bytes.Contains(head, []byte(tag))
	})
}

// fault notes why the file is not well-formed; the first reason counts.
func (f *File) fault(sentence string) {
	if f.Fault == "" {
		f.Fault = sentence
	}
}

// add adds a statement, and cuts its texts. When there is no room, one about the whole site takes the place of
// the last one about a part: the list of file types in ai.txt is long, and "Disallow: /" comes last.
func (f *File) add(s Statement) {
	if len(f.Statements) == most {
		f.More++
		last := most - 1
		for last >= 0 && f.Statements[last].Path == "" {
			last--
		}
		if s.Path != "" || last < 0 {
			return
		}
		f.Statements = slices.Delete(f.Statements, last, last+1)
	}
	s.Text, s.Token, s.Path = clean(s.Text), clean(s.Token), clean(s.Path)
	f.Statements = append(f.Statements, s)
}

// clean returns a copy of a text on one line, as UTF-8 and cut.
func clean(s string) string {
	s = s[:min(len(s), longest+utf8.UTFMax)]
	return escape.Cut(escape.ShowInvalid(strings.Join(strings.Fields(s), " ")), longest)
}

// whole turns patterns that match every path into "".
func whole(pattern string) string {
	if strings.Trim(pattern, "*") == "" || pattern[0] == '/' && strings.Trim(pattern[1:], "*") == "" {
		return ""
	}
	return pattern
}
