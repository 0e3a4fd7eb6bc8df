package history

import (
	"path/filepath"
	"sync"
	"testing"
)

// TestPastSideBySide has more readers at a time than the file has connections: none of them
// may wait for what another one has.
func TestPastSideBySide(t *testing.T) {
	db := mustOpen(t, filepath.Join(t.TempDir(), "history"))
	site := Site{Name: "example.com", State: "ok", Answer: AnswerOK, Status: 200, SHA256: "s1", Known: 10, Crawlers: []Crawler{{"Googlebot", 2}}}
	enter(t, db, testRun(0, "daily"), Entry{Site: site, Settled: true})
	var readers sync.WaitGroup
	for range 32 {
		readers.Go(func() {
			past, err := db.Past(t.Context(), "example.com", "daily", testRun(1, "daily").ID)
			if err != nil || len(past.Points) != 1 || past.Points[0].Known != 10 {
				t.Errorf("%+v, %v", past, err)
			}
		})
	}
	readers.Wait()
}
