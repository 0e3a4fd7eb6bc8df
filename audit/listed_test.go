package audit

import "testing"

func TestDifference(t *testing.T) {
	for _, c := range []struct{ url, other, want string }{
		{"http://a.test", "HTTP://A.test:80/#top", ""},
		{"https://a.test/p?x=1", "https://a.test/p?x=1#y", ""},
		{"http://a.test/p", "https://a.test/p", "https"},
		{"https://a.test/p", "https://www.a.test/p/", "the host with www"},
		{"http://www.a.test/p", "https://a.test/p", "the host without www"},
		{"https://a.test/p", "https://a.test/p/", "the URL with a slash at its end"},
		{"https://a.test/p/", "https://a.test/p", "the URL without a slash at its end"},
		{"https://a.test/P", "https://a.test/p", "the URL in another case"},
		{"https://a.test/%D0%BF/", "https://a.test/%d0%bf/", ""},
		{"https://a.test/%4", "https://a.test/%4", ""},
		{"https://a.test/p?x=1", "https://a.test/p", "the URL with another query"},
		{"https://a.test/p", "https://a.test/q", "another page"},
		{"https://a.test/p", "https://a.test/", "another page"},
		{"https://a.test/p", "https://b.test/p", "another host"},
		{"https://a.test/p", "mailto:a", "another page"},
	} {
		if got := difference(c.url, c.other); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.url, c.other, got, c.want)
		}
	}
}
