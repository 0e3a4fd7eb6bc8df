package crawl

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails the package when anything is left running: a site that was
// closed has no goroutine and no connection.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
