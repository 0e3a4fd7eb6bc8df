package engine

import "testing"

func TestPatternMatch(t *testing.T) {
	tests := []struct {
		p    pattern
		path string
		want bool
	}{
		{pattern{}, "", true},
		{pattern{}, "/a", true},
		{pattern{end: true}, "/", false},
		{pattern{text: "/"}, "/a", true},
		{pattern{text: "/a"}, "/", false},
		{pattern{text: "/a", end: true}, "/a", true},
		{pattern{text: "/a", end: true}, "/ab", false},
		{pattern{text: "/*.php"}, "/x.php5", true},
		{pattern{text: "/*.php", end: true}, "/x.php5", false},
		{pattern{text: "/*.php", end: true}, "/x.php/y.php", true},
		{pattern{text: "/a*b*c"}, "/a-c-b-c", true},
		{pattern{text: "/a*b*c"}, "/a-c-b", false},
		{pattern{text: "/a*ab", end: true}, "/ab", false}, // pieces must not overlap
		{pattern{text: "/a*ab", end: true}, "/aab", true},
		{pattern{text: "*a"}, "a", true},
		{pattern{text: "*"}, "", true},
		{pattern{text: "/*x", literal: true}, "/ax", false},
		{pattern{text: "/*x", literal: true}, "/*xy", true},
		{pattern{text: "/*x", literal: true, end: true}, "/*xy", false},
	}
	for _, tt := range tests {
		if got := tt.p.match(tt.path); got != tt.want {
			t.Errorf("%+v.match(%q) = %v, want %v", tt.p, tt.path, got, tt.want)
		}
	}
}

// TestPatternExhaustive tries every small pattern on every small path.
func TestPatternExhaustive(t *testing.T) {
	paths := words(7, "a", "b")
	for _, text := range words(5, "a", "b", "*") {
		for _, end := range []bool{false, true} {
			p := pattern{text: text, end: end}
			for _, path := range paths {
				if got, want := p.match(path), matches(text, path, end); got != want {
					t.Fatalf("%+v on %q: %v, want %v", p, path, got, want)
				}
			}
		}
	}
}
