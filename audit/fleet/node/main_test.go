package node

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets tests run beside each other, unless -parallel says how many: they wait more than they work.
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
