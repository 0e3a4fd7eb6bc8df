package node

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs tests in parallel, unless -parallel sets the number, because they mostly wait.
func TestMain(m *testing.M) {
	flag.Parse()
	parallel := "8"
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "test.parallel" {
			parallel = f.Value.String()
		}
	})
	flag.Set("test.parallel", parallel)
	os.Exit(m.Run())
}
