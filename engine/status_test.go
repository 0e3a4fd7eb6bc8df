package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestNoStatus checks that an invalid final status counts as a server error
// (RFC 9110 15), for every profile, by verdict and by lint.
func TestNoStatus(t *testing.T) {
	for _, p := range Profiles() {
		for _, trouble := range []string{"", "http_status"} {
			want := p.Read(File{Status: 500, Error: trouble, Missing5xx: true}).Access
			for _, status := range []int{1, 99, 100, 101, 199, 600, 777, 999, 1000, 20000} {
				f := File{Status: status, Error: trouble, Missing5xx: true}
				if got := p.Read(f).Access; got != want {
					t.Errorf("%s: HTTP %d is %v, want %v", p.Name, status, got, want)
				}
				said := false
				for _, found := range Lint(nil, LintOptions{Profiles: []*Profile{p}, File: &f}) {
					said = said || found.ID == "FET001"
				}
				for _, found := range Lint(nil, LintOptions{Profiles: []*Profile{p}, File: &File{Status: 500, Error: trouble}}) {
					if found.ID == "FET001" && !said {
						t.Errorf("%s: nothing is said of HTTP %d", p.Name, status)
					}
				}
			}
		}
	}
}

// TestCutFile checks a truncated file with one long line, of which only a short
// part was kept.
func TestCutFile(t *testing.T) {
	body := []byte("User-agent: *\nDisallow: /a\nSitemap: https://example.com/s.xml\n")
	var profiles []*Profile
	for _, name := range []string{"google", "yandex", "rfc9309", "yandex-2016"} {
		p, _ := ProfileByName(name)
		profiles = append(profiles, p)
	}
	for cut, want := range map[bool]map[string]string{
		false: {},
		true:  {"FMT004": "[google rfc9309]", "FMT005": "[yandex-2016]", "FMT006": "[yandex]"},
	} {
		got := map[string]string{}
		for _, f := range Lint(body, LintOptions{Profiles: profiles, File: &File{Status: 200, Body: body, Truncated: cut}}) {
			got[f.ID] = fmt.Sprint(f.Profiles)
		}
		for _, f := range Lint(body[:27], LintOptions{File: &File{Status: 200, Body: body[:27], Truncated: cut}}) {
			if f.ID == "SM006" && strings.Contains(f.What, "that could be read") != cut {
				t.Errorf("cut %v: %s", cut, f.What)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("cut %v: %v, want %v", cut, got, want)
		}
	}
}

// TestTrouble: the error that kept the file from being read is reported in words, not by
// its code.
func TestTrouble(t *testing.T) {
	p, _ := ProfileByName("rfc9309")
	for _, c := range []struct {
		file File
		want string
	}{
		{File{Error: "tls_expired"}, "tls expired: "},
		{File{Error: "tls_expired", Trouble: "the certificate has expired"}, "the certificate has expired: "},
		{File{Error: "bad_url", Trouble: "not an absolute http or https URL"}, "not asked for: not an absolute http or https URL"},
		{File{Status: 503, Error: "http_status", Trouble: "HTTP error"}, "HTTP 503: "},
	} {
		if why := p.Read(c.file).Why; !strings.HasPrefix(why, c.want) {
			t.Errorf("%+v: %q", c.file, why)
		}
	}
}

// TestFetchFix: the advice for a file that could not be fetched fits the reason.
func TestFetchFix(t *testing.T) {
	for _, c := range []struct {
		host string
		file File
		fix  string
	}{
		{"a.example", File{Error: "tls_expired"}, "On the web server, renew the certificate."},
		{"192.0.2.1", File{Error: "tls_wrong_host"}, "This is an IP address. Audit the host name of the site instead."},
		{"[2001:db8::1]:8443", File{Error: "tls_wrong_host"}, "This is an IP address. Audit the host name of the site instead."},
		{"a.example", File{Error: "connect_refused"}, "Start the web server on this port, or open the port in the firewall."},
		{"a.example", File{Status: 503, Error: "http_status"}, findingIndex["FET001"].Fix},
		{"a.example", File{Error: "a_new_error"}, findingIndex["FET001"].Fix},
	} {
		found := Lint(nil, LintOptions{File: &c.file, URL: "https://" + c.host + "/robots.txt"})
		if i := slices.IndexFunc(found, func(f Finding) bool { return f.ID == "FET001" }); i < 0 || found[i].Fix != c.fix {
			t.Errorf("%+v: %+v", c.file, found)
		}
	}
}
