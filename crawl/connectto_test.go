package crawl

import (
	"errors"
	"testing"
)

func TestParseConnectTo(t *testing.T) {
	tests := []struct {
		entry string
		want  ConnectTo
		bad   bool
	}{
		{entry: "example.com:443:new.example.com:8443", want: ConnectTo{"example.com", "443", "new.example.com", "8443"}},
		{entry: ":80:127.0.0.1:8080", want: ConnectTo{"", "80", "127.0.0.1", "8080"}},
		{entry: "::127.0.0.1:8080", want: ConnectTo{"", "", "127.0.0.1", "8080"}},
		{entry: "example.com:::8080", want: ConnectTo{"example.com", "", "", "8080"}},
		{entry: ":::", want: ConnectTo{}},
		{entry: "example.com:80:127.0.0.1", want: ConnectTo{"example.com", "80", "127.0.0.1", ""}},
		{entry: "example.com:80:127.0.0.1:", want: ConnectTo{"example.com", "80", "127.0.0.1", ""}},
		{entry: "[2001:db8::1]:443:[::1]:8443", want: ConnectTo{"2001:db8::1", "443", "::1", "8443"}},
		{entry: "::[::1]:", want: ConnectTo{"", "", "::1", ""}},
		{entry: "", bad: true},
		{entry: "example.com", bad: true},
		{entry: "example.com:80", bad: true},
		{entry: "a:1:b:2:c", bad: true},
		{entry: "a:0:b:2", bad: true},
		{entry: "a:65536:b:2", bad: true},
		{entry: "a:x:b:2", bad: true},
		{entry: "a:-1:b:2", bad: true},
		{entry: "[::1:1:b:2", bad: true},
		{entry: "[::1]x:1:b:2", bad: true},
		{entry: "[example.com]:1:b:2", bad: true},
		{entry: "a b:1:c:2", bad: true},
		{entry: "http://a:1:b:2", bad: true},
	}
	for _, tt := range tests {
		got, err := ParseConnectTo(tt.entry)
		var typed *ConnectToError
		if tt.bad != (err != nil) || tt.bad && (!errors.As(err, &typed) || typed.Entry != tt.entry) || got != tt.want {
			t.Errorf("ParseConnectTo(%q) = %+v, %v", tt.entry, got, err)
		}
	}
}

func TestRoute(t *testing.T) {
	routes := parseRoutes([]string{
		"Example.com:443:10.0.0.1:8443", "example.com::10.0.0.2:", "[2001:db8::1]::[::1]:", "unchanged.test:::", ":8080::80", ":443:10.0.0.3:",
	})
	tests := []struct {
		host, port string
		want       destination
	}{
		{"example.com", "443", destination{"10.0.0.1", "8443", true, true}},
		{"EXAMPLE.com.", "443", destination{"10.0.0.1", "8443", true, true}},
		{"example.com", "80", destination{"10.0.0.2", "80", true, false}},
		{"2001:db8:0::1", "80", destination{"::1", "80", true, false}},
		{"unchanged.test", "443", destination{"unchanged.test", "443", false, false}}, // the first match decides
		{"other.test", "8080", destination{"other.test", "80", false, true}},
		{"other.test", "443", destination{"10.0.0.3", "443", true, true}},
		{"other.test", "80", destination{"other.test", "80", false, false}},
	}
	for _, tt := range tests {
		if got := routes.destination(tt.host, tt.port); got != tt.want {
			t.Errorf("destination(%s, %s) = %+v, want %+v", tt.host, tt.port, got, tt.want)
		}
	}
}

// An entry that cannot be read must not send the audit to the wrong server.
func TestBadRouteDialsNothing(t *testing.T) {
	address := serve(t, page(200, rules))
	if f := robotsOf(t, &Client{ConnectTo: []string{"nonsense"}}, "http://"+address, address); f.Code != CodeInternal {
		t.Errorf("got code %q (%s)", f.Code, f.Detail)
	}
}
