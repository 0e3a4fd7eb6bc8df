package migrate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// trouble is a problem planted in a map, a pair and its answers, with its expected class. # in URLs
// and answers is replaced by its number; values separated by | are used in turn.
type trouble struct {
	class       string
	old, target string   // paths or URLs; the target is a page
	moved       bool     // the old URL is redirected to the target by 301
	answers     []string // URL and answer in turn
}

// redirectTo is a pair whose old URL is redirected by 301.
func redirectTo(w *world, old, target string) {
	w.set(oldOrigin+old, "redirect 301 "+absolute(target))
}

func absolute(url string) string {
	if strings.HasPrefix(url, "/") {
		return newOrigin + url
	}
	return url
}

const to, midOrigin = "redirect 301 ", "http://mid.example.com"

var troubles = []trouble{
	{ClassOK, "/fine/#?a=b", "/page/#", true, nil},
	{ClassSourceBlocked, "/closed/#", "/sb/#", true, nil},
	{ClassHopBlocked, "/hop/#", "/hb/#", false, []string{oldOrigin + "/hop/#", to + midOrigin + "/closed/#", midOrigin + "/closed/#", to + newOrigin + "/hb/#"}},
	{ClassTargetBlocked, "/tb/#", "/private/#", true, nil},
	{ClassTargetError, "/te/#", "/gone/#", true, []string{newOrigin + "/gone/#", "status 404|status 410|status 500"}},
	{ClassLongChain, "/chain/#", "/lc/#", false, []string{
		oldOrigin + "/chain/#", "redirect 308 " + newOrigin + "/chain/#-0", newOrigin + "/chain/#-0", "redirect 308 " + newOrigin + "/chain/#-1",
		newOrigin + "/chain/#-1", "redirect 308 " + newOrigin + "/chain/#-2", newOrigin + "/chain/#-2", "redirect 308 " + newOrigin + "/chain/#-3",
		newOrigin + "/chain/#-3", "redirect 308 " + newOrigin + "/chain/#-4", newOrigin + "/chain/#-4", "redirect 308 " + newOrigin + "/lc/#",
	}},
	{ClassLoop, "/loop/#", "/after-loop/#", false, []string{oldOrigin + "/loop/#", to + newOrigin + "/loop/#-b", newOrigin + "/loop/#-b", to + oldOrigin + "/loop/#"}},
	{ClassTemporary, "/t/#", "/tmp/#", false, []string{oldOrigin + "/t/#", "redirect 302 " + newOrigin + "/tmp/#|redirect 307 " + newOrigin + "/tmp/#|redirect 303 " + newOrigin + "/tmp/#"}},
	{ClassManyToOne, "/mto/#", "/many", true, nil},
	{ClassHomePage, "/home/#", "/", true, nil},
	{ClassWrongTarget, "/wt/#", "/planned/#", false, []string{newOrigin + "/elsewhere", "a page", oldOrigin + "/wt/#", to + newOrigin + "/elsewhere"}},
	{ClassNoRobots, "/nr/#", "https://bare.example.com/#", true, nil},
	{ClassNotInSitemap, "/nis/#", "/unlisted/#", true, nil},
	{ClassHTTP, "/plain/#", "/secure/#", false, []string{oldOrigin + "/plain/#", to + "http://new.example.com/secure/#", "http://new.example.com/secure/#", to + newOrigin + "/secure/#"}},
	{ClassNotRedirected, "/nrd/#", "/nrd/#", false, []string{oldOrigin + "/nrd/#", "an old page"}},
	{ClassSourceError, "/se/#", "/se/#", false, nil},
	{ClassBadRedirect, "/br/#", "/br/#", false, []string{oldOrigin + "/br/#", to + "mailto:a@b.example"}},
	{ClassUnknown, "/busy/#", "/busy/#", false, []string{oldOrigin + "/busy/#", "status 429|hang up"}},
	{ClassOthersBlocked, "/ob/#", "/no-ai/#", true, nil},
	{ClassHostUnknown, "/hu/#", "https://unknown.example/#", true, nil}, // its certificate is of other names
}

// plant plants one of a kind.
func (k *trouble) plant(w *world, n int) (old, target string) {
	is := func(text string) string {
		list := strings.Split(text, "|")
		return strings.ReplaceAll(list[n%len(list)], "#", strconv.Itoa(n))
	}
	old, target = is(k.old), is(k.target)
	w.set(absolute(target), "a page")
	if k.moved {
		redirectTo(w, old, target)
	}
	for pair := range slices.Chunk(k.answers, 2) {
		w.set(is(pair[0]), is(pair[1]))
	}
	return old, target
}

// plantAll plants each kind of trouble several times. It returns the map and the expected class of
// each line.
func plantAll(w *world, each int) (text string, want map[int]string) {
	want = map[int]string{}
	var b, listed strings.Builder
	b.WriteString("old,new,clicks\n")
	line := 1
	for n := range each {
		for _, k := range troubles {
			old, target := k.plant(w, n)
			fmt.Fprintf(&b, "%s,%s,%d\n", old, target, n)
			line++
			want[line] = k.class
			if k.class != ClassNotInSitemap {
				fmt.Fprintf(&listed, "%s\n", absolute(target))
			}
		}
	}
	w.set(oldOrigin+"/robots.txt", "User-agent: *\nDisallow: /closed/\n")
	w.set("http://mid.example.com/robots.txt", "User-agent: *\nDisallow: /closed/\n")
	w.set("http://new.example.com/robots.txt", "User-agent: *\nDisallow:\n")
	w.set(newOrigin+"/robots.txt", "User-agent: *\nDisallow: /private/\n\nUser-agent: GPTBot\nDisallow: /private/\nDisallow: /no-ai/\n\nSitemap: "+newOrigin+"/sitemap.txt\n")
	w.set(newOrigin+"/sitemap.txt", listed.String())
	return b.String(), want
}

// TestClasses plants every kind of trouble in a map: each is found, and none invented.
func TestClasses(t *testing.T) {
	w, g := newWorld(t)
	text, want := plantAll(w, 6)
	m := openMap(t, text)
	got, leaks := results(t, g, m)
	if len(got) != len(want) || int(m.Len) != len(want) {
		t.Fatalf("%d results of %d pairs", len(got), len(want))
	}
	for line, class := range want {
		r := got[line]
		if r.Class != class {
			t.Errorf("%s: got %s, want %s: %+v", r.Old, r.Class, class, r.Remarks)
		}
		if class == ClassOK && len(r.Remarks) > 0 {
			t.Errorf("%s: %+v", r.Old, r.Remarks)
		}
		if m := r.Main(); class == ClassTargetBlocked && (m.Rule != "disallow: /private/" || m.Line != 2 || m.File != newOrigin+"/robots.txt" || m.Text != "blocked for Googlebot, Bingbot and GPTBot: by line 2") {
			t.Errorf("got %+v", m)
		}
		if passing := class == ClassUnknown || r.Target.Status == 500; r.Passing != passing {
			t.Errorf("%s: worth asking again is %v: %+v", r.Old, r.Passing, r.Remarks)
		}
	}
	if len(leaks) > 0 {
		t.Errorf("leaks %+v", leaks)
	}
	for _, url := range []string{oldOrigin + "/closed/0", "http://mid.example.com/closed/0", newOrigin + "/private/0"} {
		if w.count(url) > 0 {
			t.Errorf("%s was asked, which robots.txt keeps this program from", url)
		}
	}
	if n := w.count(oldOrigin + "/robots.txt"); n != 1 && n != 0 {
		t.Errorf("robots.txt was asked for %d times", n)
	}
}

// TestAnswersToGET checks that the answer to GET counts, as crawlers see it, and not that to HEAD.
func TestAnswersToGET(t *testing.T) {
	w, g := newWorld(t)
	w.set(oldOrigin+"/robots.txt", "")
	w.set(newOrigin+"/robots.txt", "")
	w.set(newOrigin+"/a", "to HEAD alone")
	redirectTo(w, "/a", "/a")
	w.set(oldOrigin+"/b", "redirect 301 "+newOrigin+"/c")
	w.set(newOrigin+"/b", "to HEAD alone") // the target that no redirect leads to
	w.set(newOrigin+"/c", "a page")
	got, _ := results(t, g, openMap(t, "/a,/a\n/b,/b\n"))
	for line, r := range got {
		if r.Class != ClassTargetError || r.Target.Status != 404 {
			t.Errorf("line %d: %s %+v", line, r.Class, r.Remarks)
		}
	}
}

// TestPlainPlan checks that http causes no remark if the plan uses http.
func TestPlainPlan(t *testing.T) {
	w, g := newWorld(t)
	for _, origin := range []string{oldOrigin, newOrigin, "http://new.example.com"} {
		w.set(origin+"/robots.txt", "")
	}
	w.set(oldOrigin+"/a", "redirect 301 "+newOrigin+"/a")
	w.set(newOrigin+"/a", "redirect 301 http://new.example.com/a")
	w.set("http://new.example.com/a", "a page")
	got, _ := results(t, g, openMap(t, "/a,http://new.example.com/a\n"))
	if r := got[1]; r.Class != ClassOK {
		t.Errorf("%s %+v", r.Class, r.Remarks)
	}
}

// TestGivesUp leaves a host alone that fails again and again, and says so of each pair.
func TestGivesUp(t *testing.T) {
	w, g := newWorld(t)
	g.MaxFails, g.Workers = 3, 1
	w.set(oldOrigin+"/robots.txt", "")
	w.set(newOrigin+"/robots.txt", "")
	var text strings.Builder
	for n := range 30 {
		w.set(fmt.Sprintf("%s/%d", oldOrigin, n), "status 429")
		w.set(fmt.Sprintf("%s/%d", newOrigin, n), "a page")
		fmt.Fprintf(&text, "/%d,/%d\n", n, n)
	}
	got, _ := results(t, g, openMap(t, text.String()))
	asked, gaveUp := 0, 0
	for n := range 30 {
		asked += w.count(fmt.Sprintf("%s/%d", oldOrigin, n))
		r := got[n+1]
		if r.Class != ClassUnknown || !r.Passing || r.Target.Status != 200 {
			t.Errorf("got %+v", r)
		}
		if r.Hops[0].Code == CodeGaveUp {
			gaveUp++
		}
	}
	if asked != 3 || gaveUp != 27 {
		t.Errorf("asked %d times, gave up %d times", asked, gaveUp)
	}
}

// TestHang has an old server that hangs in the middle: its pair is not judged, and the others are.
func TestHang(t *testing.T) {
	w, g := newWorld(t)
	g.Client.Timeout = 300 * time.Millisecond
	w.set(oldOrigin+"/robots.txt", "")
	w.set(newOrigin+"/robots.txt", "")
	var text strings.Builder
	for n := range 4 {
		redirectTo(w, fmt.Sprintf("/%d", n), fmt.Sprintf("/%d", n))
		w.set(fmt.Sprintf("%s/%d", newOrigin, n), "a page")
		fmt.Fprintf(&text, "/%d,/%d\n", n, n)
	}
	w.set(oldOrigin+"/2", "hang")
	got, _ := results(t, g, openMap(t, text.String()))
	for n := range 4 {
		want := ClassOK
		if n == 2 {
			want = ClassUnknown
		}
		if r := got[n+1]; r.Class != want || r.Passing != (n == 2) {
			t.Errorf("%d: got %s %+v", n, r.Class, r.Remarks)
		}
	}
}

// TestCancel ends in the middle: what was yielded is whole, and nothing hangs.
func TestCancel(t *testing.T) {
	w, g := newWorld(t)
	text, want := plantAll(w, 5)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err := g.Begin(ctx, openMap(t, text))
	noError(t, err)
	defer c.Close()
	n := 0
	for r, err := range c.All(ctx) {
		noError(t, err)
		if n++; n == 20 {
			cancel()
		}
		if r.Class != want[r.Line] {
			t.Errorf("line %d: got %s, want %s", r.Line, r.Class, want[r.Line])
		}
	}
	if n < 20 || n > 20+g.Workers {
		t.Errorf("%d results after the end", n)
	}
}
