package health

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.uber.org/goleak"

	"robots-audit/audit"
)

var start = time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)

// noError ends the test if there is an error.
func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// served serves a Health, and returns its address and a function that ends it.
func served(t *testing.T, h *Health, hosts ...string) (address string, end func()) {
	t.Helper()
	l, err := Listen(":0")
	noError(t, err)
	if host, _, _ := net.SplitHostPort(l.Addr().String()); host != "127.0.0.1" {
		t.Fatalf("it listens on %s", host)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- h.Serve(ctx, l, hosts) }()
	return l.Addr().String(), func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// ask returns status and body of a response. header is the name of a further header; "" = none.
func ask(t *testing.T, method, url, host, header string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	noError(t, err)
	if r.Host = host; header != "" {
		r.Header.Set(header, "192.0.2.1")
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	noError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	noError(t, err)
	return answer.StatusCode, string(body)
}

// TestHealthz checks /healthz during the events of a schedule.
func TestHealthz(t *testing.T) {
	now := start
	h := New(func() time.Time { return now }, time.Hour, "test")
	check := func(status bool, want string) {
		t.Helper()
		if text, ok := h.Check(); ok != status || text != want {
			t.Errorf("%v %q, want %v %q", ok, text, status, want)
		}
	}
	check(false, "no schedule has started yet\n")
	h.Planned("shops", start)
	now = start.Add(time.Hour)
	check(true, "shops: next run at 2027-01-04 06:00:00 UTC\n")
	now = now.Add(time.Second)
	check(false, "shops: overdue: a run was due at 2027-01-04 06:00:00 UTC, 1h0m1s ago\n")
	h.Began("shops", now)
	check(true, "shops: a run is in progress since 2027-01-04 07:00:01 UTC\n")
	h.Ended("shops", Run{Outcome: Failed, Ended: now, Problem: "disk\n\x1b[31mfull"})
	h.Planned("shops", start.AddDate(0, 0, 1))
	if text, ok := h.Check(); ok || !strings.HasPrefix(text, "shops: last run failed at 2027-01-04 07:00:01 UTC: disk") || strings.Count(text, "\n") != 1 || strings.Contains(text, "\x1b") {
		t.Errorf("%v %q", ok, text)
	}
	h.Ended("shops", Run{Outcome: Stopped, Ended: now})
	h.Doubt("shops", "the last run is in the future")
	check(false, "shops: last run stopped at 2027-01-04 07:00:01 UTC; the last run is in the future; next run at 2027-01-05 06:00:00 UTC\n")
	h.Doubt("shops", "")
	h.Planned("leap", time.Time{})
	check(true, "leap: never due\nshops: last run stopped at 2027-01-04 07:00:01 UTC; next run at 2027-01-05 06:00:00 UTC\n")
}

// TestServer requests from a real server, and reads its metrics as Prometheus does.
func TestServer(t *testing.T) {
	h := New(func() time.Time { return start }, time.Hour, "1.2.3")
	h.Planned("shops", start.Add(time.Hour))
	h.Stored("shops", Stored{Finished: start.Add(-time.Hour), Sites: map[string]int{"ok": 3, "critical": 1}, Severe: []Site{{"gone.example", "critical", 9, 9}}})
	h.Began("shops", start)
	h.Ended("shops", Run{Outcome: Complete, Ended: start, Duration: 45 * time.Second})
	h.Ended("shops", Run{Outcome: Complete, Ended: start, Duration: 2 * time.Hour})
	h.Ended("shops", Run{Outcome: Stopped, Ended: start})
	h.Stored("shops", Stored{Finished: start.Add(-time.Minute), Sites: map[string]int{"ok": 4, "warn": 1}, URLs: 20, Blocked: 3,
		Severe: []Site{{"http://a.example:8080", "warn", 7, 3}, {"b\"\n.example", "ok", 5, 0}, {"\xff.example", "ok", 1, 0}, {strings.Repeat("c", 301), "ok", 1, 0}}})
	h.Planned("new", start)
	h.Stored("new", Stored{Finished: start, Sites: map[string]int{}})
	h.Alerts(map[Alerts]int{{"gone.example", "critical", "AL03"}: 7})
	h.Alerts(map[Alerts]int{{"http://a.example:8080", "critical", "AL03"}: 1, {"http://a.example:8080", "critical", "AL05"}: 1, {"gone.example", "critical", "AL03"}: 1, {"gone.example", "medium", "AL11"}: 1})
	h.Deliveries(map[Deliveries]int{{`mail "1"`, "given up"}: 1, {"chat", "waiting"}: 5})
	address, end := served(t, h, "Audit.internal")

	status, text := ask(t, "GET", "http://"+address+"/metrics", "", "")
	if status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	noError(t, err)
	got := map[string]float64{}
	for name, family := range families {
		if !strings.HasPrefix(name, "robots_audit_") || family.GetHelp() == "" {
			t.Errorf("%s: help %q", name, family.GetHelp())
		}
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			value := m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetHistogram().GetSampleSum()
			got[strings.TrimPrefix(name, "robots_audit_")+" "+strings.Join(labels, " ")] = value
		}
	}
	for what, want := range map[string]float64{
		"runs_total complete shops": 2, "runs_total stopped shops": 1, "run_duration_seconds shops": 7245, "run_under_way shops": 0,
		"next_run_timestamp_seconds shops": float64(start.Unix() + 3600), "last_run_timestamp_seconds complete shops": float64(start.Unix()), "last_run_timestamp_seconds stopped shops": float64(start.Unix()),
		"runs_total failed shops": 0, "runs_total complete new": 0, "runs_total stopped new": 0, "runs_total failed new": 0, "run_duration_seconds new": 0, "run_under_way new": 0,
		"next_run_timestamp_seconds new": float64(start.Unix()), "last_run_timestamp_seconds complete new": float64(start.Unix()), // from the history
		"sites new ok": 0, "sites new warn": 0, "sites new unknown": 0, "sites new critical": 0, "urls new": 0, "urls_blocked new": 0, "sites_not_shown new": 0,
		"sites shops ok": 4, "sites shops warn": 1, "sites shops unknown": 0, "sites shops critical": 0, "urls shops": 20, "urls_blocked shops": 3, "sites_not_shown shops": 3,
		"site_state shops http://a.example:8080": 2, "site_urls shops http://a.example:8080": 7, "site_urls_blocked shops http://a.example:8080": 3,
		"site_state shops b\"\n.example": 0, "site_urls shops b\"\n.example": 5, "site_urls_blocked shops b\"\n.example": 0,
		"site_alerts_open critical http://a.example:8080": 2, "alerts_open AL03 critical": 2, "alerts_open AL05 critical": 1, "alerts_open AL11 medium": 1, `deliveries mail "1" given up`: 1, "deliveries chat waiting": 5, "build_info 1.2.3": 1,
	} {
		if value, ok := got[what]; !ok || value != want {
			t.Errorf("%s is %v, want %v", what, value, want)
		}
		delete(got, what)
	}
	if len(got) > 0 {
		t.Errorf("beside what was told: %v", got)
	}

	for _, c := range []struct {
		method, path, host string
		want               int
	}{
		{"GET", "/healthz", "", 200}, {"HEAD", "/healthz", "localhost:1", 200}, {"GET", "/healthz", "[::1]:80", 200}, {"GET", "/healthz", "audit.INTERNAL.", 200},
		{"GET", "/healthz", "evil.example", 421}, {"GET", "/metrics", "127.0.0.1.evil.example:80", 421}, {"GET", "/metrics", "localhost.evil.example", 421},
		{"POST", "/healthz", "", 405}, {"DELETE", "/metrics", "", 405}, {"GET", "/", "", 404}, {"GET", "/debug/pprof/", "", 404},
	} {
		if got, body := ask(t, c.method, "http://"+address+c.path, c.host, ""); got != c.want {
			t.Errorf("%s %s of %s: %d %s, want %d", c.method, c.path, c.host, got, body, c.want)
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	end()
	if _, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		t.Error("it still listens")
	}
	goleak.VerifyNone(t)
}

// TestBound: of a schedule with more sites than the bound, the most severe have metrics of their own,
// the others are counted, and no site keeps metrics that it had before. A thousand runs of other sites
// need no more memory than one.
func TestBound(t *testing.T) {
	h := New(func() time.Time { return start }, time.Hour, "test")
	memory := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first uint64
	for run := range 1001 {
		severe := make([]Site, MaxSites+5)
		for i := range severe {
			severe[i] = Site{Name: fmt.Sprintf("%d-%d.example", run, i), State: "warn"}
		}
		h.Stored("shops", Stored{Sites: map[string]int{"warn": MaxSites + 5, "ok": 20}, Severe: severe})
		if run%100 > 0 {
			continue
		}
		families, err := h.metrics.registry.Gather()
		noError(t, err)
		for _, f := range families {
			switch metrics := f.GetMetric(); f.GetName() {
			case "robots_audit_site_state", "robots_audit_site_urls", "robots_audit_site_urls_blocked":
				has := map[string]bool{}
				for _, m := range metrics {
					has[m.GetLabel()[1].GetValue()] = true
				}
				if len(metrics) != MaxSites || len(has) != MaxSites || !has[severe[0].Name] || !has[severe[MaxSites-1].Name] {
					t.Fatalf("%s: %d series of %d sites", f.GetName(), len(metrics), len(has))
				}
			case "robots_audit_sites_not_shown":
				if n := metrics[0].GetGauge().GetValue(); n != 25 {
					t.Fatalf("%v sites are not shown, want 25", n)
				}
			}
		}
		switch now := memory(); run {
		case 0:
			first = now
		case 1000:
			t.Logf("%d kB after the first run, %d kB after 1,001", first>>10, now>>10)
			if now > first+1<<20 {
				t.Error("the memory grows with the runs")
			}
		}
	}
}

// TestSiteStates: a more severe state has a higher number, in the order of all lists of sites.
func TestSiteStates(t *testing.T) {
	states := []audit.State{audit.OK, audit.Undetermined, audit.Warn, audit.Critical}
	for i, state := range states {
		if siteStates[i] != string(state) || int(state.Rank()) != len(states)-1-i {
			t.Errorf("%d is %s, and %s has rank %d", i, siteStates[i], state, state.Rank())
		}
	}
}

// TestUnhealthyAnswer checks that a problem is a 503 with the reason, and that a silent client does
// not delay the end.
func TestUnhealthyAnswer(t *testing.T) {
	h := New(func() time.Time { return start }, time.Hour, "test")
	h.Planned("shops", start.Add(-2*time.Hour))
	address, end := served(t, h)
	defer end()
	status, body := ask(t, "GET", "http://"+address+"/healthz", "", "")
	if want := "shops: overdue: a run was due at 2027-01-04 04:00:00 UTC, 2h0m0s ago\n"; status != 503 || body != want {
		t.Errorf("%d %q, want 503 %q", status, body, want)
	}
	c, err := net.Dial("tcp", address)
	noError(t, err)
	defer c.Close()
	fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "503") {
		t.Errorf("%q, %v", line, err)
	}
}

func TestListen(t *testing.T) {
	for _, address := range []string{"7071", "127.0.0.1", "127.0.0.1:99999", "no.such.host.invalid:1"} {
		if l, err := Listen(address); err == nil {
			l.Close()
			t.Errorf("%s: no error", address)
		}
	}
	l, err := Listen("0.0.0.0:0")
	noError(t, err)
	defer l.Close()
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsUnspecified() {
		t.Errorf("0.0.0.0 listens on %v", ip)
	}
}
