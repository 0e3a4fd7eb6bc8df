package engine

import (
	"slices"
	"strconv"
	"strings"
)

// maxDelay is the longest Crawl-delay that Yandex's parser accepts, in seconds.
const maxDelay = 1024

// Values of Crawler.CrawlDelay: the delay a crawler obeys whatever its profile
// says.
const (
	delayOwn     = "own"
	delayInherit = "inherit" // Bing: its own group replaces the "*" group except for Crawl-delay
)

// delay returns the Crawl-delay that a crawler obeys, in seconds: the first
// valid one of its group. 0 = none.
func (r *Robots) delay(c *Crawler, runs, global []int) float64 {
	crawlers := c.CrawlDelay
	if c.Profile != r.Profile.Name {
		crawlers = "" // another profile than its own reads the file
	}
	if !r.Profile.CrawlDelay && crawlers == "" {
		return 0
	}
	seconds, found := r.delayOf(runs)
	if !found && crawlers == delayInherit {
		seconds, _ = r.delayOf(global)
	}
	return seconds
}

func (r *Robots) delayOf(runs []int) (seconds float64, found bool) {
	for _, delay := range r.delays {
		if _, in := slices.BinarySearch(runs, delay.run); !in {
			continue
		}
		if seconds, ok := parseDelay(delay.Value); ok {
			return seconds, true
		}
	}
	return 0, false
}

// parseDelay reads the value of a crawl-delay line: digits, and a fraction
// after a point. No sign, no exponent, no unit.
func parseDelay(value string) (seconds float64, ok bool) {
	whole, fraction, _ := strings.Cut(value, ".")
	if strings.Trim(whole, "0123456789") != "" || strings.Trim(fraction, "0123456789") != "" {
		return 0, false
	}
	if whole == "" && fraction == "" {
		return 0, true
	}
	seconds, err := strconv.ParseFloat(value, 64)
	return seconds, err == nil && seconds < maxDelay+1
}
