package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// withToken sends the token, as assistants do.
type withToken string

func (token withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(r)
}

// TestServeMCP answers over HTTP as over standard output, and only with the token.
func TestServeMCP(t *testing.T) {
	dir, token := demoRun(t), filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := call("serve", "-mcp", dir); code != cli.ExitUsage || !strings.Contains(said, "-mcp needs -token-file") {
		t.Errorf("without a token: exit code %d: %s", code, said)
	}
	base, _ := startServe(t, "-mcp", "-token-file", token, "-base-path", "/tools", dir)
	over := connect(t, &mcp.StreamableClientTransport{Endpoint: base + "/mcp", HTTPClient: &http.Client{Transport: withToken("0123456789abcdef")}, DisableStandaloneSSE: true})
	piped := newAssistantOf(t, dir)
	tools, err := over.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 8 {
		t.Fatalf("%d tools, %v", len(tools.Tools), err)
	}
	for _, question := range []struct {
		tool      string
		arguments object
	}{
		{"site_summary", object{}}, {"site_summary", object{"site": "moved.example"}}, {"explain", object{"url": "http://www.bookshop.example/cartography"}},
		{"simulate", object{"site": "moved.example", "robots": ""}}, {"check", object{"url": "/a", "robots": "User-agent: *\nDisallow: /"}},
	} {
		is, _ := json.Marshal(over.must(question.tool, question.arguments))
		want, _ := json.Marshal(piped.must(question.tool, question.arguments))
		if !bytes.Equal(is, want) {
			t.Errorf("%s: %.500s\nwant\n%.500s", question.tool, is, want)
		}
	}
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, c := range []struct {
		change func(*http.Request)
		body   string
		want   int
	}{
		{func(*http.Request) {}, list, http.StatusOK},
		{func(r *http.Request) { r.Header.Del("Authorization") }, list, http.StatusUnauthorized},
		{func(r *http.Request) { r.Header.Set("Authorization", "Bearer 0123456789abcdeg") }, list, http.StatusUnauthorized},
		{func(r *http.Request) { r.Host = "evil.example" }, list, http.StatusMisdirectedRequest},
		{func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, list, http.StatusForbidden},
		{func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, list, http.StatusForbidden},
		{func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, list, http.StatusUnsupportedMediaType},
		{func(*http.Request) {}, `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("a", 5<<20) + `"}`, http.StatusRequestEntityTooLarge},
		{func(*http.Request) {}, "[" + list + "]", http.StatusBadRequest},
		{func(*http.Request) {}, " \r\n[" + strings.Repeat(list+",", 40_000) + list + "]", http.StatusBadRequest},
		{func(*http.Request) {}, strings.Repeat(" ", 10_000) + "[" + list + "]", http.StatusBadRequest},
		{func(*http.Request) {}, strings.Repeat("[", 100_000), http.StatusBadRequest},
		{func(*http.Request) {}, strings.Repeat(`{"a":`, 100_000), http.StatusBadRequest},
		{func(r *http.Request) { r.Header.Del("Authorization"); r.Header.Set("X-Forwarded-For", "192.0.2.1") }, list, http.StatusUnauthorized},
		{func(r *http.Request) { r.Header.Del("Authorization"); r.URL.Path = "/tools/assets/../mcp" }, list, http.StatusUnauthorized},
		{func(r *http.Request) { r.Method = http.MethodPut }, list, http.StatusMethodNotAllowed},
		{func(r *http.Request) { r.Method = http.MethodOptions }, "", http.StatusMethodNotAllowed},
		{func(r *http.Request) { r.Method = http.MethodGet }, "", http.StatusMethodNotAllowed},
		{func(r *http.Request) { r.Method = http.MethodDelete }, "", http.StatusMethodNotAllowed},
	} {
		r, _ := http.NewRequest(http.MethodPost, base+"/mcp", strings.NewReader(c.body))
		r.Header.Set("Authorization", "Bearer 0123456789abcdef")
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		c.change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.want || answer.Header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%.100s: %s, want %d: %.200s", c.body, answer.Status, c.want, text)
		}
	}
	without, _ := startServe(t, "-token-file", token, dir)
	r, _ := http.NewRequest(http.MethodPost, without+"/mcp", strings.NewReader(list))
	r.Header.Set("Authorization", "Bearer 0123456789abcdef")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Body.Close(); answer.StatusCode != http.StatusMethodNotAllowed && answer.StatusCode != http.StatusNotFound {
		t.Errorf("without -mcp: %s", answer.Status)
	}
}

const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// TestMCPEnds ends the server in every way: standard output has only messages, and the temporary folder goes.
func TestMCPEnds(t *testing.T) {
	dir := demoRun(t)
	for _, c := range []struct {
		name, in string
		do       func(p *exec.Cmd, in io.Closer, out io.Closer)
		answers  int
		code     int
		said     string
	}{
		{"the input ends", greeting + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"simulate","arguments":{"site":"www.bookshop.example","robots":""}}}` + "\n", func(_ *exec.Cmd, in, _ io.Closer) { in.Close() }, 2, cli.ExitDone, ""},
		{"no input", "", func(_ *exec.Cmd, in, _ io.Closer) { in.Close() }, 0, cli.ExitDone, ""},
		{"no JSON", "\x1bhello `x`\nmore\n", func(_ *exec.Cmd, in, _ io.Closer) {}, 0, cli.ExitUsage, "the input is not the Model Context Protocol: it begins with `\\x1Bhello \\x60x\\x60`. An assistant"},
		{"no message", "{}\n", func(_ *exec.Cmd, in, _ io.Closer) {}, 0, cli.ExitUsage, "the input is not the Model Context Protocol: it begins with `{}`. An assistant"},
		{"a cut message", `{"jsonrpc":`, func(_ *exec.Cmd, in, _ io.Closer) { in.Close() }, 0, cli.ExitUsage, "it begins with `{\"jsonrpc\":`. An assistant"},
		{"a later message", greeting + "[5]\n", func(_ *exec.Cmd, in, _ io.Closer) {}, 1, cli.ExitUsage, "the input is not the Model Context Protocol: message 3 is something else, or has more than 16 MB. An assistant"},
		{"a signal", greeting, func(p *exec.Cmd, _, _ io.Closer) { p.Process.Signal(os.Interrupt) }, 1, cli.ExitSignal, ""},
		{"nobody reads", greeting, func(p *exec.Cmd, in, out io.Closer) {
			out.Close()
			io.WriteString(in.(io.Writer), `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
		}, 1, cli.ExitDone, ""},
	} {
		temp := t.TempDir()
		p := exec.Command("robots-audit", "mcp", dir)
		p.Env = append(os.Environ(), "TMPDIR="+temp)
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		if p.Stderr = &said; p.Start() != nil {
			t.Fatal("it does not start")
		}
		late := time.AfterFunc(time.Minute, func() { p.Process.Signal(syscall.SIGKILL) })
		io.WriteString(in, c.in)
		answers := json.NewDecoder(out)
		if c.code == cli.ExitSignal || c.name == "nobody reads" { // the first answer shows that it has started
			var v object
			if err := answers.Decode(&v); err != nil {
				t.Error(c.name, err)
			}
			c.answers--
		}
		c.do(p, in, out)
		for range c.answers {
			var v struct {
				ID     int
				Result object
			}
			if err := answers.Decode(&v); err != nil || v.Result == nil {
				t.Errorf("%s: %v, %+v", c.name, err, v)
			}
		}
		rest, _ := io.ReadAll(io.MultiReader(answers.Buffered(), out))
		p.Wait()
		late.Stop()
		left, _ := filepath.Glob(filepath.Join(temp, "robots-audit*"))
		if code := p.ProcessState.ExitCode(); code != c.code || strings.TrimSpace(string(rest)) != "" || !strings.Contains(said.String(), c.said) || c.said == "" && said.Len() > 0 || left != nil {
			t.Errorf("%s: exit code %d, want %d, %q, left %q: %s", c.name, code, c.code, rest, left, &said)
		}
	}
}

// TestMCPSizes asks for all of a large run with long and hostile texts, part by part. ask checks each size.
func TestMCPSizes(t *testing.T) {
	hosts := map[string]string{}
	var names []string
	for i := range 40 {
		name := fmt.Sprintf("a-host-with-a-long-name-to-fill-answers-%03d.example.com", i)
		names = append(names, name)
		hosts[name] = "User-agent: *\nDisallow: /shop/\n"
		for n := range 40 {
			hosts[name] += fmt.Sprintf("Disalow: /%d/\u202e\u00e4&<%s\nDisallow: /*%d*/%s\n", n, strings.Repeat("\"", 50), n, strings.Repeat("<", 200))
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		switch file, known := hosts[r.Host]; {
		case r.URL.Path == "/robots.txt" && known:
			fmt.Fprint(w, file, "Sitemap: http://", r.Host, "/sitemap.txt\n")
		case r.URL.Path == "/sitemap.txt":
			for n := range 300 {
				fmt.Fprintf(w, "http://%s/shop/%s/%d\"&<>%s\n", r.Host, strings.Repeat("\u00e4", 20), n, strings.Repeat("%22", 100))
			}
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	list, out := filepath.Join(dir, "list"), filepath.Join(dir, "run")
	clitest.WriteFile(t, list, strings.Join(names, "\n"))
	if code, said := call("-domains", list, "-out", out, "-quiet", "-no-cache", "-reports", "none", "-crawlers", "Googlebot,Bingbot,YandexBot,purpose:ai-training", "-connect-to", ":80:"+server.Listener.Addr().String(), "-connect-to", ":443:127.0.0.1:1", "-retries", "0"); code != cli.ExitDone && code != cli.ExitUnknown {
		t.Fatalf("exit code %d: %s", code, said)
	}
	a := newAssistantOf(t, out)
	calls := 0
	parts := func(tool, list string, arguments object, most int) {
		t.Helper()
		seen := 0
		for range most {
			is := a.must(tool, arguments)
			calls++
			seen += len(is[list].([]any))
			if len(is[list].([]any)) == 0 {
				t.Fatalf("%s %v: an empty part: %.500v", tool, arguments, is)
			}
			if is["next"] == nil {
				if seen != int(is["total"].(float64)) {
					t.Errorf("%s: %d of %v in all parts", tool, seen, is["total"])
				}
				return
			}
			arguments["from"] = is["next"]
		}
	}
	parts("site_summary", "sites", object{}, 20)
	parts("search_urls", "urls", object{"query": "/shop/"}, 10)
	parts("search_urls", "urls", object{"site": names[0]}, 100)
	parts("lint", "findings", object{"robots": hosts[names[0]]}, 100)
	for _, name := range names[:15] {
		a.must("site_summary", object{"site": name})
		a.must("explain", object{"url": "http://" + name + "/shop/x"})
		a.must("simulate", object{"site": name, "robots": "User-agent: *\nDisallow: /*%22\n" + hosts[name]})
		a.must("smallest_change", object{"site": name, "urls": []string{"/shop/a"}, "want": "allow"})
		calls += 4
	}
	if t.Logf("%d answers", calls); calls < 60 {
		t.Errorf("%d answers", calls)
	}
}
