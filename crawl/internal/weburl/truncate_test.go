package weburl

import "testing"

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"", 0, ""}, {"abc", 0, ""},
		{"aä", 3, "aä"}, {"aä", 2, "a"}, {"€", 2, ""}, {"€uro", 3, "€"},
		{"\xff\xffa", 2, "\xff\xff"}, {"\x80\x80\x80", 2, ""},
	} {
		if got := Truncate(c.text, c.n); got != c.want {
			t.Errorf("%q to %d bytes: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
