package migrate

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// trouble is something planted in a map: a pair, what answers, and the class it is to have.
type trouble struct {
	class string
	plant func(w *world, n int) (old, target string) // paths or URLs
}

// redirectTo is a pair whose old URL is redirected by 301.
func redirectTo(w *world, old, target string) (string, string) {
	w.set(oldOrigin+old, "redirect 301 "+absolute(target))
	return old, target
}

func absolute(url string) string {
	if strings.HasPrefix(url, "/") {
		return newOrigin + url
	}
	return url
}

var troubles = []trouble{
	{ClassOK, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/page/%d", newOrigin, n), "a page")
		return redirectTo(w, fmt.Sprintf("/fine/%d?a=b", n), fmt.Sprintf("/page/%d", n))
	}},
	{ClassSourceBlocked, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/sb/%d", newOrigin, n), "a page")
		return redirectTo(w, fmt.Sprintf("/closed/%d", n), fmt.Sprintf("/sb/%d", n))
	}},
	{ClassHopBlocked, func(w *world, n int) (string, string) {
		mid := fmt.Sprintf("http://mid.example.com/closed/%d", n)
		target := fmt.Sprintf("/hb/%d", n)
		w.set(newOrigin+target, "a page")
		w.set(mid, "redirect 301 "+newOrigin+target)
		w.set(fmt.Sprintf("%s/hop/%d", oldOrigin, n), "redirect 301 "+mid)
		return fmt.Sprintf("/hop/%d", n), target
	}},
	{ClassTargetBlocked, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/private/%d", newOrigin, n), "a page")
		return redirectTo(w, fmt.Sprintf("/tb/%d", n), fmt.Sprintf("/private/%d", n))
	}},
	{ClassTargetError, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/gone/%d", newOrigin, n), []string{"status 404", "status 410", "status 500"}[n%3])
		return redirectTo(w, fmt.Sprintf("/te/%d", n), fmt.Sprintf("/gone/%d", n))
	}},
	{ClassLongChain, func(w *world, n int) (string, string) {
		target := fmt.Sprintf("/lc/%d", n)
		w.set(newOrigin+target, "a page")
		at := fmt.Sprintf("%s/chain/%d", oldOrigin, n)
		for i := range 6 {
			next := fmt.Sprintf("%s/chain/%d-%d", newOrigin, n, i)
			if i == 5 {
				next = newOrigin + target
			}
			w.set(at, "redirect 308 "+next)
			at = next
		}
		return fmt.Sprintf("/chain/%d", n), target
	}},
	{ClassLoop, func(w *world, n int) (string, string) {
		old, between := fmt.Sprintf("/loop/%d", n), fmt.Sprintf("%s/loop/%d-b", newOrigin, n)
		w.set(oldOrigin+old, "redirect 301 "+between)
		w.set(between, "redirect 301 "+oldOrigin+old)
		w.set(fmt.Sprintf("%s/after-loop/%d", newOrigin, n), "a page")
		return old, fmt.Sprintf("/after-loop/%d", n)
	}},
	{ClassTemporary, func(w *world, n int) (string, string) {
		target := fmt.Sprintf("/tmp/%d", n)
		w.set(newOrigin+target, "a page")
		w.set(fmt.Sprintf("%s/t/%d", oldOrigin, n), fmt.Sprintf("redirect %d %s%s", []int{302, 307, 303}[n%3], newOrigin, target))
		return fmt.Sprintf("/t/%d", n), target
	}},
	{ClassManyToOne, func(w *world, n int) (string, string) {
		w.set(newOrigin+"/many", "a page")
		return redirectTo(w, fmt.Sprintf("/mto/%d", n), "/many")
	}},
	{ClassHomePage, func(w *world, n int) (string, string) {
		w.set(newOrigin+"/", "home")
		return redirectTo(w, fmt.Sprintf("/home/%d", n), "/")
	}},
	{ClassWrongTarget, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/planned/%d", newOrigin, n), "a page")
		w.set(newOrigin+"/elsewhere", "a page")
		w.set(fmt.Sprintf("%s/wt/%d", oldOrigin, n), "redirect 301 "+newOrigin+"/elsewhere")
		return fmt.Sprintf("/wt/%d", n), fmt.Sprintf("/planned/%d", n)
	}},
	{ClassNoRobots, func(w *world, n int) (string, string) {
		target := fmt.Sprintf("https://bare.example.com/%d", n)
		w.set(target, "a page")
		return redirectTo(w, fmt.Sprintf("/nr/%d", n), target)
	}},
	{ClassNotInSitemap, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/unlisted/%d", newOrigin, n), "a page")
		return redirectTo(w, fmt.Sprintf("/nis/%d", n), fmt.Sprintf("/unlisted/%d", n))
	}},
	{ClassHTTP, func(w *world, n int) (string, string) {
		target := fmt.Sprintf("/secure/%d", n)
		w.set(newOrigin+target, "a page")
		between := "http://new.example.com" + target
		w.set(between, "redirect 301 "+newOrigin+target)
		w.set(fmt.Sprintf("%s/plain/%d", oldOrigin, n), "redirect 301 "+between)
		return fmt.Sprintf("/plain/%d", n), target
	}},
	{ClassNotRedirected, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/nrd/%d", oldOrigin, n), "an old page")
		w.set(fmt.Sprintf("%s/nrd/%d", newOrigin, n), "a page")
		return fmt.Sprintf("/nrd/%d", n), fmt.Sprintf("/nrd/%d", n)
	}},
	{ClassSourceError, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/se/%d", newOrigin, n), "a page")
		return fmt.Sprintf("/se/%d", n), fmt.Sprintf("/se/%d", n)
	}},
	{ClassBadRedirect, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/br/%d", oldOrigin, n), "redirect 301 mailto:a@b.example")
		w.set(fmt.Sprintf("%s/br/%d", newOrigin, n), "a page")
		return fmt.Sprintf("/br/%d", n), fmt.Sprintf("/br/%d", n)
	}},
	{ClassUnknown, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/busy/%d", oldOrigin, n), []string{"status 429", "hang up"}[n%2])
		w.set(fmt.Sprintf("%s/busy/%d", newOrigin, n), "a page")
		return fmt.Sprintf("/busy/%d", n), fmt.Sprintf("/busy/%d", n)
	}},
	{ClassOthersBlocked, func(w *world, n int) (string, string) {
		w.set(fmt.Sprintf("%s/no-ai/%d", newOrigin, n), "a page")
		return redirectTo(w, fmt.Sprintf("/ob/%d", n), fmt.Sprintf("/no-ai/%d", n))
	}},
	{ClassHostUnknown, func(w *world, n int) (string, string) {
		return redirectTo(w, fmt.Sprintf("/hu/%d", n), fmt.Sprintf("https://unknown.example/%d", n)) // its certificate is of other names
	}},
}

// plantAll plants each kind of trouble several times, and returns the map and the
// class that each of its lines is to have.
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

// TestAnswersToGET holds that a target counts as crawlers get it, and not as HEAD has it.
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

// TestPlainPlan holds that http is no remark where the plan is http.
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

// TestBlockedRemark names the rule, the file and the crawlers.
func TestBlockedRemark(t *testing.T) {
	w, g := newWorld(t)
	text, want := plantAll(w, 1)
	got, _ := results(t, g, openMap(t, text))
	for line, class := range want {
		if class != ClassTargetBlocked {
			continue
		}
		m := got[line].Main()
		if m.Rule != "disallow: /private/" || m.Line != 2 || m.File != newOrigin+"/robots.txt" || m.Text != "blocked for Googlebot, Bingbot and GPTBot: by line 2" {
			t.Errorf("got %+v", m)
		}
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
