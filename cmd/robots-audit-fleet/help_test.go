package main

import (
	"bytes"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestHelpPages is the test of robots-audit, for this program.
func TestHelpPages(t *testing.T) {
	clitest.HelpPages(t, func(args ...string) (int, string) {
		var out bytes.Buffer
		code := run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
		return code, out.String()
	})
}
