package fleet

import "testing"

func TestFits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"0.1.0", "0.1.0-next", true}, {"1.4.2", "1.4.9", true}, {"1.4.2", "1.5.0", false}, {"1.4.2", "2.4.2", false}} {
		if Fits(c.a, c.b) != c.want {
			t.Errorf("%s and %s", c.a, c.b)
		}
	}
}
