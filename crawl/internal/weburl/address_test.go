package weburl

import "testing"

func TestLiteralAddr(t *testing.T) {
	tests := []struct{ host, addr string }{
		{"127.0.0.1", "127.0.0.1"},
		{"127.0.0.1.", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"0x7f000001", "127.0.0.1"},
		{"0X7F.1", "127.0.0.1"},
		{"017700000001", "127.0.0.1"},
		{"0177.0.0.01", "127.0.0.1"},
		{"127.1", "127.0.0.1"},
		{"127.0.1", "127.0.0.1"},
		{"0", "0.0.0.0"},
		{"0x", "0.0.0.0"},
		{"①②⑦.⓪.⓪.①", "127.0.0.1"},
		{"127。0。0。1", "127.0.0.1"},
		{"169.254.169.254", "169.254.169.254"},
		{"0xa9fea9fe", "169.254.169.254"},
		{"169.0xfe.0251.254", "169.254.169.254"},
		{"::1", "::1"},
		{"[::1]", "::1"},
		{"fe80::1%eth0", "fe80::1"},
		{"fe80::1%eth0.", "fe80::1"},
		{"::%.", "::"},
		{"::%", "::"},
		{"::%1%2]", "::"},
		{"::ffff:127.0.0.1%.", "127.0.0.1"},
		{"1.2.3.4%1", ""},
		{"%", ""},
		{"::ffff:127.0.0.1", "127.0.0.1"},
		{"::ffff:7f00:1", "127.0.0.1"},
		{"8.8.8.8", "8.8.8.8"},
		{"example.com", ""},
		{"1.2.3.4.5", ""},
		{"256.1.1.1", ""},
		{"1.2.3.256", ""},
		{"4294967296", ""},
		{"1.2.3.", "1.2.0.3"},
		{"08", ""},
		{"a.1", ""},
		{"", ""},
		{"..", ""},
	}
	for _, tt := range tests {
		got := ""
		if a, ok := LiteralAddr(tt.host); ok {
			got = a.String()
		}
		if got != tt.addr {
			t.Errorf("LiteralAddr(%q) = %q, want %q", tt.host, got, tt.addr)
		}
	}
}

// TestZone: an address keeps a zone of unreserved characters, and reads the same
// again.
func TestZone(t *testing.T) {
	for raw, want := range map[string]string{
		"http://[FE80::1%25Eth0]/": "http://[fe80::1%25eth0]/",
		"http://[fe80::1%25.]:81/": "http://[fe80::1%25.]:81/",
		"http://[::%25a-b_c~1]/":   "http://[::%25a-b_c~1]/",
		"http://[::%25]/":          "",
		"http://[::%25\x9d]/":      "",
		"http://[::%25%9D]/":       "",
		"http://[::%25\u212A]/":    "", // the Kelvin sign, whose lower case is a letter
		"http://[::%25a%25b]/":     "",
		"http://[::%25[]/":         "",
		"http://[::%eth0]/":        "",
	} {
		got := ""
		if u, err := Read(raw); err == nil {
			got = u.String()
			if again, err := Read(got); err != nil || again.String() != got {
				t.Errorf("%q reads as %q, which reads as %v, %v", raw, got, again, err)
			}
		}
		if got != want {
			t.Errorf("%q reads as %q, want %q", raw, got, want)
		}
	}
}
