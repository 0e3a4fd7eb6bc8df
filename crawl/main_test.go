package crawl

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain fails the package if anything is left running: a closed site has no
// goroutine and no connection. It waits for goroutines that are ending, on a
// busy machine longer than goleak's default.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		err := goleak.Find()
		for end := time.Now().Add(20 * time.Second); err != nil && time.Now().Before(end); {
			err = goleak.Find()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}
