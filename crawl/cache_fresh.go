package crawl

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// day is the longest time that a robots.txt is used without asking again, as
// RFC 9309 2.4 and Google's page say.
const day = 24 * time.Hour

// mayStore reports whether Cache-Control has no no-store (RFC 9111 5.2.2.5).
func mayStore(h http.Header) bool {
	for name := range directives(h) {
		if name == "no-store" {
			return false
		}
	}
	return true
}

// lifetime returns how long an answer is used without asking again. Cache-Control's no-cache
// and max-age (less the Age) decide, but a day is the maximum, and the default. An invalid
// max-age counts as expired (RFC 9111 4.2.1).
func lifetime(h http.Header) time.Duration {
	life := day
	for name, value := range directives(h) {
		switch name {
		case "no-cache":
			return 0
		case "max-age":
			seconds, _ := strconv.ParseUint(value, 10, 31)
			age, _ := strconv.ParseUint(strings.TrimSpace(h.Get("Age")), 10, 31)
			life = min(life, time.Duration(int64(seconds)-int64(age))*time.Second)
		}
	}
	return max(0, life)
}

// directives yields the directives of Cache-Control: names in lower case, values without quotes.
func directives(h http.Header) func(yield func(name, value string) bool) {
	return func(yield func(name, value string) bool) {
		for _, field := range h.Values("Cache-Control") {
			for d := range strings.SplitSeq(field, ",") {
				name, value, _ := strings.Cut(d, "=")
				if !yield(strings.ToLower(strings.TrimSpace(name)), strings.Trim(strings.TrimSpace(value), `"`)) {
					return
				}
			}
		}
	}
}

// validator makes a request conditional: the server answers only if its answer changed.
// It applies only to the URL that gave the answer, not to redirects that lead there.
type validator struct {
	url, etag, modified string
}

// validatorOf returns the validator of an answer, nil if its server sent none.
func validatorOf(out Outcome) *validator {
	if out.Status/100 != 2 || len(out.Hops) == 0 {
		return nil
	}
	last := out.Hops[len(out.Hops)-1]
	v := &validator{url: last.URL, etag: last.Header.Get("Etag"), modified: last.Header.Get("Last-Modified")}
	if len(v.etag) >= maxHeaderValue { // cut
		v.etag = ""
	}
	if _, err := http.ParseTime(v.modified); err != nil {
		v.modified = ""
	}
	if v.etag == "" && v.modified == "" {
		return nil
	}
	return v
}

// setConditions makes a request for the URL conditional (RFC 9110 13.1).
func (v *validator) setConditions(url string, h http.Header) {
	if v == nil || v.url != url {
		return
	}
	if v.etag != "" {
		h.Set("If-None-Match", v.etag)
	}
	if v.modified != "" {
		h.Set("If-Modified-Since", v.modified)
	}
}

// confirmed reports whether an outcome says that our copy is still valid.
func (v *validator) confirmed(out Outcome) bool {
	return v != nil && out.Status == http.StatusNotModified && out.Hops[len(out.Hops)-1].URL == v.url
}
