package audit

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// TestAskAgain: what the run concludes about a name, a request some minutes later concludes, too. Once the
// server lets the name in, it does not.
func TestAskAgain(t *testing.T) {
	for _, c := range treatments {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			withTimeouts(t, c.name, func(timeout time.Duration) (wrong string) {
				s := &shop{answer: c.answer}
				asked := askShop(t, s, "GPTBot,Googlebot", timeout)
				if asked == nil {
					return "nothing was asked"
				}
				again := func(s *shop, timeout time.Duration, crawler, url string) Reply {
					a := served(t, "Googlebot", s.ServeHTTP)
					a.Client.Timeout = timeout
					fetch := a.Client.Site()
					defer fetch.Close()
					return AskAgain(t.Context(), fetch, asked, crawler, url)
				}
				for _, crawler := range asked.Crawlers {
					done := map[Treatment]bool{}
					for i, r := range crawler.Replies {
						if r.Treatment == LetIn || r.Treatment == Unclear || done[r.Treatment] {
							continue
						}
						done[r.Treatment] = true
						if got := again(s, timeout, crawler.Name, asked.URLs[i].URL); got.Treatment != r.Treatment || got.Asked != 1 {
							wrong += fmt.Sprintf("%s %s: %+v, before %+v\n", crawler.Name, asked.URLs[i].URL, got, r)
						}
					}
				}
				for _, crawler := range asked.Crawlers {
					if got := again(&shop{by: map[string]int{}}, patience, crawler.Name, "http://a.example/"); got.Treatment != LetIn {
						wrong += fmt.Sprintf("%s is let in now: %+v\n", crawler.Name, got)
					}
				}
				return wrong
			})
		})
	}
}

// TestAskAgainNotAsked: no request is sent where none may be.
func TestAskAgainNotAsked(t *testing.T) {
	s := &shop{}
	asked := askShop(t, s, "GPTBot", patience)
	a := served(t, "Googlebot", s.ServeHTTP)
	fetch := a.Client.Site()
	defer fetch.Close()
	asked.URLs = append(asked.URLs, AskedURL{URL: "http://a.example/private/1", Kind: AskedPage})
	asked.Crawlers[0].Replies = append(asked.Crawlers[0].Replies, Reply{})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	before := s.count("GPTBot")
	for _, q := range []struct {
		ctx          context.Context
		crawler, url string
	}{
		{t.Context(), "GPTBot", "http://a.example/private/1"}, // robots.txt blocks it
		{t.Context(), "GPTBot", "http://a.example/other"},
		{t.Context(), "Googlebot", "http://a.example/"},
		{cancelled, "GPTBot", "http://a.example/"},
	} {
		if got := AskAgain(q.ctx, fetch, asked, q.crawler, q.url); got.Treatment != Unclear || got.Why != WhyNotAsked || s.count("GPTBot") != before {
			t.Errorf("%s %s: %+v, %d requests", q.crawler, q.url, got, s.count("GPTBot")-before)
		}
	}
}
