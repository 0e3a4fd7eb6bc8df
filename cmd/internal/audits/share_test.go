package audits

import (
	"fmt"
	"testing"

	"robots-audit/audit"
)

// TestShare reads shares, and writes them in one form.
func TestShare(t *testing.T) {
	for text, want := range map[string]string{"50%": "50%", "0.5": "50%", " 12.5 % ": "12.5%", "1": "100%", "100%": "100%", "0.1%": "0.1%", "": "", "0": "", "-1%": "", "1.01": "", "NaN": "", "five": ""} {
		var s share
		if err := s.Set(text); s.String() != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q (%v), want %q", text, s.String(), err, want)
		}
	}
	s := Settings{FailOnBlocked: "5%"}
	crawlers, err := audit.ParseCrawlers("GPTBot,Googlebot@google-2019,Bingbot,Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	if on, err := s.readFailOn(crawlers); err != nil || fmt.Sprint(on.Crawlers) != "[2 3]" {
		t.Errorf("%v, %v", on, err)
	}
}
