package site

import "testing"

func TestNamesCleanParam(t *testing.T) {
	for body, want := range map[string]bool{
		"": false, "-": false, "clean-param": true, "a\nCLEAN-Param: x /": true, "clean-para": false, "user-agent: *\ndisallow: /a-b\n": false,
		"lean-param": false, "-clean-param": true, "clean--param": false, "clean-clean-param": true,
	} {
		if got := namesCleanParam([]byte(body)); got != want {
			t.Errorf("%q: %t, want %t", body, got, want)
		}
	}
}
