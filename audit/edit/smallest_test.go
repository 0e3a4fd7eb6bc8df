package edit

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine"
)

// posts are the paths of a small site.
func posts() (urls []string) {
	for i := range 200 {
		urls = append(urls, fmt.Sprintf("https://shop.example/post/%d", i+100), fmt.Sprintf("https://shop.example/shop/%d.html", i))
	}
	return append(urls, "https://shop.example/", "https://shop.example/post/new/1")
}

// TestSmallest has a case for each kind of change, and of answer.
func TestSmallest(t *testing.T) {
	for _, c := range []struct {
		name     string
		body     string
		crawlers string // the chosen ones, and others behind a "|"
		want     engine.Verdict
		set      string
		says     string
	}{
		{"one URL", "User-agent: *\nDisallow: /post/\n", "Googlebot", engine.Allow, "/post/123",
			"Insert after line 1: Allow: /post/123\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"an end", "User-agent: *\nDisallow: /post/\n", "Googlebot", engine.Allow, "/post/",
			"Insert after line 1: Allow: /post/$\nThis unblocks the URL for the crawler. It changes no other verdict on 402 URLs."},
		{"a directory", "User-agent: *\nDisallow: /post/\n", "Googlebot", engine.Allow, "/post/new/1",
			"Insert after line 1: Allow: /post/new/\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"a line for the set alone", "User-agent: *\nDisallow: /p*/new\nDisallow: /x\n", "Googlebot", engine.Allow, "/post/new/1",
			"Insert after line 1: Allow: /post/new/\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"a short line for the set alone", "User-agent: *\nDisallow: /s\nDisallow: */*w\n", "Googlebot", engine.Allow, "/post/new/1",
			"Insert after line 1: Allow: /post/\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"a line deleted", "User-agent: *\nDisallow: /s\nDisallow: *w/\n", "Googlebot", engine.Allow, "/post/new/1 /post/new/2 /w/",
			"Delete line 3: Disallow: *w/\nThis gives all 3 verdicts asked for. It changes no other verdict on 401 URLs."},
		{"longer than the path", "User-agent: *\nDisallow: /*****************new/1\n", "Googlebot", engine.Allow, "/post/new/1",
			"Delete line 2: Disallow: /*****************new/1\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"longer than the path by one octet", "User-agent: *\nAllow: /shop/*.html$\nDisallow: /x\n", "Googlebot", engine.Disallow, "/shop/7.html",
			"Insert after line 1: Disallow: /*shop/7.html$\nThis blocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"two lines", "User-agent: *\nDisallow: /\n", "Googlebot", engine.Allow, "/post/123 /shop/7.html",
			"Insert after line 1: Allow: /post/123\nInsert after line 1: Allow: /shop/7.html\nThis gives both verdicts asked for. It changes no other verdict on 400 URLs."},
		{"no URL but the set known", "User-agent: *\nDisallow: /a\n", "Googlebot", engine.Allow, "/a",
			"Insert after line 1: Allow: /a$\nThis unblocks the URL for the crawler. It changes no other verdict on 402 URLs."},
		{"blocks", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Disallow, "/post/123",
			"Insert after line 1: Disallow: /post/123\nThis blocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"blocks by a wildcard", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Disallow, "/post/177 /shop/177.html",
			"Insert after line 1: Disallow: /*177\nThis gives both verdicts asked for. It changes no other verdict on 400 URLs."},
		{"blocks without a group", "# nothing\n", "Googlebot", engine.Disallow, "/post/123",
			"Insert after line 1: (an empty line)\nInsert after line 1: User-agent: *\nInsert after line 1: Disallow: /post/123\nThis blocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"a narrower line", "User-agent: old\nDisallow: /post\nDisallow: /x\n", "token:old@rep-1994", engine.Allow, "/poster",
			"Replace line 2 (Disallow: /post) with: Disallow: /post/\nThis unblocks the URL for the crawler. It changes no other verdict on 402 URLs."},
		{"nothing without flips", "User-agent: old\nDisallow: /post/1\nDisallow: /x\n", "token:old@rep-1994", engine.Allow, "/post/123",
			"Delete line 2: Disallow: /post/1\nThis unblocks the URL for the crawler. It also changes 99 of 401 URLs (token:old@rep-1994 99), such as https://shop.example/post/100."},
		{"a line in the way", "User-agent: *\nAllow: /\n", "Googlebot,YandexBot", engine.Disallow, "/ /post/123",
			"Insert after line 1: Disallow: /post/123\nReplace line 2 (Allow: /) with: Disallow: /$\nThis gives all 4 verdicts asked for. It changes no other verdict on 400 URLs."},
		{"a line that is no rule is left", "User-agent: *\nDisallow: /post/new/1$\nDisallow: /shop/7.\n", "Googlebot", engine.Allow, "/shop/7.html /post/new/1",
			"Insert after line 1: Allow: /shop/7.html\nDelete line 2: Disallow: /post/new/1$\nThis gives both verdicts asked for. It changes no other verdict on 400 URLs."},
		{"not against a rule of its path", "User-agent: *\nDisallow: /post/new/\nDisallow: /x\n", "Googlebot", engine.Allow, "/post/new/1 /post/new/2",
			"Delete line 2: Disallow: /post/new/\nThis gives both verdicts asked for. It changes no other verdict on 401 URLs."},
		{"whole directories", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Disallow, "/jekyll/a/1 /jekyll/a/2",
			"Insert after line 1: Disallow: /jekyll/\nThis gives both verdicts asked for. It changes no other verdict on 402 URLs."},
		{"whole words", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Disallow, "/post/new-year/1 /post/new-day/2",
			"Insert after line 1: Disallow: /post/new-\nThis gives both verdicts asked for. It changes no other verdict on 402 URLs."},
		{"whole letters", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Disallow, "/%D0%B4%D0%B5/1 /%D0%B4%D0%B6/2",
			"Insert after line 1: Disallow: /%D0%B4\nThis gives both verdicts asked for. It changes no other verdict on 402 URLs."},
		{"a line that is no rule goes", "User-agent: old\nUser-agent: other\nDisallow: /post/new/\n", "token:old@rep-1994|token:other@rep-1994", engine.Allow, "/post/new/1",
			"Delete line 1: User-agent: old\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs.\nThis deletes a line that is not a rule. Crawlers you did not ask about may then follow other rules."},
		{"not for others", "User-agent: *\nDisallow: /post/\n", "Googlebot|Bingbot", engine.Allow, "/post/123",
			"Insert after line 2: (an empty line)\nInsert after line 2: User-agent: Googlebot\nInsert after line 2: Allow: /post/123\nInsert after line 2: Disallow: /post/\nThis unblocks the URL for the crawler. It changes no other verdict on 401 URLs."},
		{"two groups", "User-agent: Googlebot\nDisallow: /post/\n\nUser-agent: *\nDisallow: /po\n", "Googlebot,Bingbot", engine.Allow, "/post/123",
			"Insert after line 1: Allow: /post/123\nInsert after line 4: Allow: /post/123\nThis gives both verdicts asked for. It changes no other verdict on 401 URLs."},
		{"allowed already", "User-agent: *\nDisallow: /x\n", "Googlebot", engine.Allow, "/post/123", "Nothing to change: everything is allowed already."},
		{"never blocked", "User-agent: *\nDisallow: /x\n", "token:a", engine.Disallow, "/robots.txt",
			"None of the edits tried makes /robots.txt blocked for token:a.\nNo edit was found."},
	} {
		chosen, others, _ := strings.Cut(c.crawlers, "|")
		req := request{File: parsed(c.body), Crawlers: crawlersNamed(t, strings.Split(chosen, ",")...),
			Set: strings.Fields(c.set), Want: c.want, Known: all(posts())}
		if others != "" {
			req.Others = crawlersNamed(t, strings.Split(others, ",")...)
		}
		res := smallest(t, req)
		if said := Describe(res); said != c.says {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, said, c.says)
		}
	}
}

// TestBruteForce compares changes of files with all kinds of lines, for every profile, with a
// search that judges each file on each URL alone.
func TestBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	pieces := []string{
		"User-agent: *", "User-agent: Googlebot", "User-agent: bingbot", "User-agent: Yandex", "User-agent: GPTBot", "",
		"Disallow: /", "Disallow:", "Disallow: /shop/", "Disallow: /*?", "Disallow: /blog/2026", "Disallow: /*.pdf$", "Disallow: /a*b",
		"Allow: /shop/1", "Allow: /$", "Allow: /*page", "Allow: /blog/", "Disallow: /index.html", "Allow: /a/index.html",
		"Sitemap: https://a.example/s.xml", "Crawl-delay: 3", "# note", "Noindex: /x",
	}
	var names []string
	for _, p := range engine.Profiles() {
		names = append(names, "Googlebot@"+p.Name, "Bingbot@"+p.Name)
	}
	asked := 0
	for n := 0; asked < 110; n++ {
		var text strings.Builder
		end := []string{"\n", "\r\n", "\r"}[random.IntN(3)]
		for range 3 + random.IntN(14) {
			text.WriteString(pieces[random.IntN(len(pieces))] + end)
		}
		body := strings.TrimSuffix(text.String(), end) // the last line has no end
		urls := urlsFor(random, []byte(body), 60)
		random.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		crawlers := crawlersNamed(t, names[:4]...)
		chosen := 1 + random.IntN(2)
		req := request{File: parsed(body), Crawlers: crawlers[:chosen], Others: crawlers[chosen:][:random.IntN(3)],
			Want: []engine.Verdict{engine.Allow, engine.Disallow}[random.IntN(2)], Known: all(urls)}
		if req.Set = setOf(random, &req, urls, []int{1, 2, 5}[random.IntN(3)]); len(req.Set) > 0 {
			asked++
			hold(t, fmt.Sprintf("%d: %v of %q for %v, others %v", n, req.Want, body, names[:chosen], names[chosen:chosen+len(req.Others)]), &req, smallest(t, req))
		}
	}
}

// TestApply has edits meet lines of every end.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		body, want string
		edits      []Edit
	}{
		{"a\nb\n", "a\nx\nb\n", []Edit{{Op: Insert, Line: 1, Text: "x"}}},
		{"a\r\nb", "a\r\nb\r\nx\r\n", []Edit{{Op: Insert, Line: 2, Text: "x"}}},
		{"\xEF\xBB\xBFa\rb\r", "\xEF\xBB\xBFx\ry\ra\r", []Edit{{Op: Insert, Text: "x"}, {Op: Insert, Text: "y"}, {Op: Delete, Line: 2, Was: "b"}}},
		{"a\nb\nc", "a\nz\nc", []Edit{{Op: Replace, Line: 2, Text: "z", Was: "b"}}},
		{"", "x\n", []Edit{{Op: Insert, Text: "x"}}},
	} {
		if got := string(split([]byte(c.body)).apply(c.edits)); got != c.want {
			t.Errorf("%q with %v: %q, want %q", c.body, c.edits, got, c.want)
		}
	}
}

// TestNoLine: where the answer decides, no line does.
func TestNoLine(t *testing.T) {
	res := smallest(t, request{File: engine.File{Status: 503}, Crawlers: crawlersNamed(t, "Googlebot"), Set: []string{"/a"}, Want: engine.Allow})
	if said := Describe(res); !strings.HasPrefix(said, "No line of robots.txt can change this for Googlebot: HTTP 503") || res.Edits != nil {
		t.Error(said)
	}
}

// TestRefused: a request that cannot be answered is an error, and so is one that is given up.
func TestRefused(t *testing.T) {
	good := request{File: parsed("User-agent: *\nDisallow: /\n"), Crawlers: crawlersNamed(t, "Googlebot"), Set: []string{"/a"}, Want: engine.Allow}
	for want, change := range map[string]func(*request){
		"at least one URL":     func(r *request) { r.Set = nil },
		"at least one crawler": func(r *request) { r.Crawlers = nil },
		"is neither":           func(r *request) { r.Want = engine.Undefined },
		"at most 1000":         func(r *request) { r.Set = make([]string, 1001) },
		"at most 64":           func(r *request) { r.Others = make([]Crawler, 64) },
		"context cancel":       func(r *request) {},
	} {
		req := good
		change(&req)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := smallestChange(ctx, req); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestBeyondLimit: an edit moves the end of the part of a long file that is read.
func TestBeyondLimit(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nDisallow: /post/\n")
	for i := 0; body.Len() < 500<<10; i++ {
		fmt.Fprintf(&body, "Disallow: /%d/%s\n", i, strings.Repeat("x", 4000))
	}
	res := smallest(t, request{File: parsed(body.String()), Crawlers: crawlersNamed(t, "Googlebot"), Set: []string{"/post/123"}, Want: engine.Allow, Known: all(posts())})
	if said := Describe(res); !strings.HasPrefix(said, "Insert after line 1: Allow: /post/123\n") {
		t.Error(said)
	}
}

// TestBounded: what a bound cuts is said, where it may matter.
func TestBounded(t *testing.T) {
	var body strings.Builder
	body.WriteString("User-agent: *\nDisallow: /post/\n")
	for i := range maxRepeated {
		fmt.Fprintf(&body, "Disallow: /x/%d/\n", i)
	}
	req := request{File: parsed(body.String()), Crawlers: crawlersNamed(t, "Googlebot"), Others: crawlersNamed(t, "Bingbot"),
		Set: []string{"/post/123"}, Want: engine.Allow, Known: all(posts())}
	res := smallest(t, req)
	if said := Describe(res); !strings.Contains(said, "It also changes 1 of 401 URLs (Bingbot 1)") ||
		!strings.Contains(said, fmt.Sprintf("\nA smaller change may exist. The search stopped after %d tries: a new group would have to repeat too many rules.", res.Tried)) {
		t.Error(said)
	}
}

// TestMany: known URLs are read one by one, and not held.
func TestMany(t *testing.T) {
	read := 0
	many := func() iter.Seq[string] {
		return func(yield func(string) bool) {
			for i := range 50_000 {
				read++
				if !yield(fmt.Sprintf("/post/%d", i)) {
					return
				}
			}
		}
	}
	res := smallest(t, request{File: parsed("User-agent: *\nDisallow: /post/\n"), Crawlers: crawlersNamed(t, "Googlebot"),
		Set: []string{"/post/4711"}, Want: engine.Allow, Known: many})
	if res.Known != 49_999 || !slices.Equal(res.Edits, []Edit{{Op: Insert, Line: 1, Text: "Allow: /post/4711$"}}) || !res.Proved {
		t.Errorf("%+v", res)
	}
	if read > 4*50_000 {
		t.Errorf("%d URLs read", read)
	}
}

// TestRawPath tests the part of a URL that distinguishes it.
func TestRawPath(t *testing.T) {
	for url, want := range map[string]string{
		"/a?b#c": "/a?b", "https://a.example/a%3A": "/a%3A", "https://a.example": "/", "https://a.example?q=/": "/?q=/",
		"//a.example/x": "//a.example/x", "a/b": "/a/b", "": "/", "#x": "/", "/a://b": "/a://b",
	} {
		if got := rawPath(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}
