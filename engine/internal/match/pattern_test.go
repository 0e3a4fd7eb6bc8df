package match

import "testing"

func TestPatternMatch(t *testing.T) {
	tests := []struct {
		p    Pattern
		path string
		want bool
	}{
		{Pattern{}, "", true},
		{Pattern{}, "/a", true},
		{Pattern{End: true}, "/", false},
		{Pattern{Text: "/"}, "/a", true},
		{Pattern{Text: "/a"}, "/", false},
		{Pattern{Text: "/a", End: true}, "/a", true},
		{Pattern{Text: "/a", End: true}, "/ab", false},
		{Pattern{Text: "/*.php"}, "/x.php5", true},
		{Pattern{Text: "/*.php", End: true}, "/x.php5", false},
		{Pattern{Text: "/*.php", End: true}, "/x.php/y.php", true},
		{Pattern{Text: "/a*b*c"}, "/a-c-b-c", true},
		{Pattern{Text: "/a*b*c"}, "/a-c-b", false},
		{Pattern{Text: "/a*ab", End: true}, "/ab", false}, // pieces must not overlap
		{Pattern{Text: "/a*ab", End: true}, "/aab", true},
		{Pattern{Text: "*a"}, "a", true},
		{Pattern{Text: "*"}, "", true},
		{Pattern{Text: "/*x", Literal: true}, "/ax", false},
		{Pattern{Text: "/*x", Literal: true}, "/*xy", true},
		{Pattern{Text: "/*x", Literal: true, End: true}, "/*xy", false},
	}
	for _, tt := range tests {
		if got := tt.p.Match(tt.path); got != tt.want {
			t.Errorf("%+v.Match(%q) = %v, want %v", tt.p, tt.path, got, tt.want)
		}
	}
}
