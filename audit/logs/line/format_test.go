package line

import (
	"strings"
	"testing"
)

// TestParseFormatErrors says what is wrong with a format.
func TestParseFormatErrors(t *testing.T) {
	for _, c := range []struct{ format, want string }{
		{"combine", `no log format has the name "combine". Is "combined" intended? Expected a format of Apache, nginx or JSON, or one of: nginx proxy manager, Envoy, AWS ALB, `},
		{"%h %u %r", "the log format has no time. "},
		{"%h %t %>s", "the log format has no path. "},
		{"$time_local$request_uri", "the log format has no text between $time_local and $request_uri, so that they cannot be told apart"},
		{"time=ts", "the log format has no path. "},
		{"time=ts,pfad=x", `log format: "pfad=x" is not field=name. Fields are: addr, agent, `},
		{"time=ts,path", `log format: "path" is not field=name. `},
		{"time=,path=x", `log format: "time=" is not field=name. `},
		{"#Fields: date time", "the log format has no path. "},
		{"#Fields: cs-uri-stem", "the log format has no time. "},
		{`log_format a '{"t":"$time_iso8601"}';`, "the log format has no path. "},
		{"", "no log format has the name \"\". "},
		{"%", "the log format has no time. "},
		{"$", "the log format has no time. "},
		{"${", "the log format has no time. "},
		{"=", `log format: "=" is not field=name. `},
		{"LogFormat", `no log format has the name "LogFormat". `},
	} {
		if _, err := ParseFormat(c.format); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, not %s", c.format, err, c.want)
		}
	}
}

// TestParseFormat reads a line by formats of users, in each of the forms in which they have them.
func TestParseFormat(t *testing.T) {
	for _, c := range []struct{ format, line, want string }{
		{`%h %l %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i"`, `203.0.113.5 - - [10/Oct/2024:13:55:36 +0000] "GET /a HTTP/1.1" 200 1 "-" "A/1"`, "GET /a 200 A/1 203.0.113.5"},
		{`%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\"`, `203.0.113.5 - - [10/Oct/2024:13:55:36 +0000] "GET /a HTTP/1.1" 200 1 "-" "A/1"`, "GET /a 200 A/1 203.0.113.5"},
		{`CustomLog logs/access_log "%t %h %!400,501{Referer}i 100%% \"%m %U%q %H\" %<s"`, `[10/Oct/2024:13:55:36 +0000] 203.0.113.5 - 100% "GET /a?b HTTP/1.1" 302`, "GET /a?b 302  203.0.113.5"},
		{`%{X-Forwarded-For}i %h %{sec}t "%r" %s %{User-Agent}i`, `198.51.100.7, 203.0.113.5 10.0.0.1 1728568536 "GET /a HTTP/1.1" 200 A 1 (x)`, "fields"},
		{`"%{X-Forwarded-For}i" %h %{sec}t "%r" %s %{User-Agent}i`, `"198.51.100.7, 203.0.113.5" 10.0.0.1 1728568536 "GET /a HTTP/1.1" 200 A 1 (x)`, "GET /a 200 A 1 (x) 203.0.113.5"},
		{`%{msec}t %a:%{remote}p "%r" %s`, `1728568536123 [2001:db8::1]:99 "GET /a HTTP/1.1" 200`, "GET /a 200  2001:db8::1"},
		{`$time_local|$myVar|${remote_addr}:$remote_port|$request_method $uri`, `10/Oct/2024:13:55:36 +0000|x|203.0.113.5:99|GET /a`, "GET /a 0  203.0.113.5"},
		{`%{msec}t %a:%{remote}p "%r" %s`, `1728568536123 203.0.113.5:99 "GET /a HTTP/1.1" 200`, "GET /a 200  203.0.113.5"},
		{`log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '` + "\n" + `'$status $body_bytes_sent "$http_referer" ' '"$http_user_agent" "$http_x_forwarded_for"';`,
			`203.0.113.5 - - [10/Oct/2024:13:55:36 +0000] "GET /a HTTP/1.1" 200 1 "-" "A/1" "-"`, "GET /a 200 A/1 203.0.113.5"},
		{`'$remote_addr $time_iso8601 ' '"$request" $status'`, `203.0.113.5 2024-10-10T13:55:36Z "GET /a HTTP/1.1" 200`, "GET /a 200  203.0.113.5"},
		{`$msec ${remote_addr} $host$request_uri $status`, `1728568536.123 203.0.113.5 example.com/a?b=1 200`, " /a?b=1 200  203.0.113.5"},
		{`$time_local $remote_addr "$request" $status`, `10/Oct/2024:13:55:36 +0000 203.0.113.5 "GET /a HTTP/1.1" 200`, "GET /a 200  203.0.113.5"},
		{`$server_name $http_host [$time_local] "$request" $status`, `_ example.com [10/Oct/2024:13:55:36 +0000] "GET /a HTTP/1.1" 200`, "GET /a 200  "},
		{`time=t,path=p,agent=h.ua,status=s`, `{"t":1728568536,"p":"/a","h":{"ua":["A/1","B"]},"s":200}`, " /a 200 A/1 "},
		{`time=t,decoded=p,query=q`, `{"t":1728568536,"p":"/a","q":"b=1"}`, " /a?b=1 0  "},
		{`line=m`, `{"m":"203.0.113.5 - - [10/Oct/2024:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 1"}`, "GET /a 200  203.0.113.5"},
		{"Caddy json", `{"ts":1728568536,"request":{"uri":"/a"}}`, " /a 0  "},
	} {
		f, err := ParseFormat(c.format)
		if err != nil {
			t.Errorf("%s: %v", c.format, err)
			continue
		}
		var p parser
		got := string(p.parse(f, true, []byte(c.line)))
		if got == "" {
			r := p.req
			if r.Time != 1728568536 {
				t.Errorf("%s: time %d", c.format, r.Time)
			}
			got = string(r.Method) + " " + string(r.Target) + " " + string('0'+rune(r.Status/100)) + string('0'+rune(r.Status/10%10)) + string('0'+rune(r.Status%10)) + " " + string(r.Agent) + " " + string(r.Addr)
			got = strings.Replace(got, " 000 ", " 0 ", 1)
		}
		if got != c.want {
			t.Errorf("%s\n%s\ngives %q, not %q", c.format, c.line, got, c.want)
		}
	}
}

// FuzzParse parses any text by any format: nothing panics, and each line is counted once.
func FuzzParse(f *testing.F) {
	for _, seed := range []struct{ format, text string }{
		{"", lines(0, 3)},
		{"", "#Fields: date time cs-uri-stem\n2024-03-12 15:22:28 /a\n"},
		{"", `{"ts":1,"request":{"uri":"/a","headers":{"User-Agent":["A"]}}}` + "\n" + `{"log":"{\"ts\":1}"}`},
		{`$host$request_uri [$time_local]`, "example.com/a [10/Oct/2024:13:55:36 +0000]"},
		{`%{%d/%b/%Y %T}t %U%q "%r"`, `10/Oct/2024 13:55:36 /a "GET \`},
		{`log_format x '{"a":{"b":"$request_uri","t":"$msec"}}'`, `{"a":{"b":"\ud83d\u","t":1e9}}`},
		{"time=a|b.c,path=b", `{"a":[`},
		{"", `{"log":\n}`},
		{"", `{"log":"","message":{}}`},
		{"", `2024-03-12	15:22:28	C	703	203.0.113.5	GET	d	/%	400	-	%25%2`},
	} {
		f.Add(seed.format, []byte(seed.text))
	}
	f.Fuzz(func(t *testing.T, format string, text []byte) {
		b := Block{Data: text, First: 1, longest: 1000}
		if chosen, err := ParseFormat(format); err == nil {
			b.format, b.fixed = chosen, true
		} else {
			b.format = recognise(text)
		}
		b.after()
		var c Counts
		var requests int64
		b.Parse(&c, func(r *Request) {
			requests++
			if r.Time <= 0 || r.Time >= lastTime || len(r.Target) == 0 || r.Status < 0 || r.Status > 999 || !(r.Sample > 0) || r.Sample > 1 ||
				len(r.Target)+len(r.Agent)+len(r.Host)+len(r.Addr) > 4*len(text) {
				t.Errorf("%+v", r)
			}
		})
		sum := c.Requests + c.Empty
		for kind, e := range c.Errors {
			sum += e.Lines
			if len(e.First) > examples || len(e.First) == 0 || e.First[0].Kind != kind {
				t.Error(kind, e)
			}
		}
		if sum != c.Lines || requests != c.Requests {
			t.Errorf("%d lines, %d requests, %d yielded, %d empty, %v", c.Lines, c.Requests, requests, c.Empty, c.Errors)
		}
	})
}
