package site

import (
	"reflect"
	"testing"

	"robots-audit/engine"
)

// Every point of a profile that may bear on a verdict is among the differences that causes are looked for in, once.
func TestDifferences(t *testing.T) {
	count := map[string]int{}
	for _, k := range differences {
		for _, field := range k.fields {
			count[field]++
		}
	}
	for _, field := range []string{"Name", "Title", "Dated", "Source", "CrawlDelay", "Host", "CleanParam", "HTTPOnly"} { // bear on none
		count[field]++
	}
	profile := reflect.TypeFor[engine.Profile]()
	for i := range profile.NumField() {
		if name := profile.Field(i).Name; count[name] != 1 {
			t.Errorf("%s stands in %d differences", name, count[name])
		}
	}
	if len(count) != profile.NumField() {
		t.Errorf("%d fields in the differences, %d in a profile", len(count), profile.NumField())
	}
}
