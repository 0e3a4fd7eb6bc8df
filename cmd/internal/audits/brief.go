package audits

import (
	"flag"
	"fmt"

	"robots-audit/cmd/internal/cli"
	"robots-audit/reports"
)

// briefTable is the configuration table with the flags brief-name and brief-logo as name and logo.
const briefTable = "brief"

// Brief is the sender of briefs.
type Brief struct{ Name, Logo string }

// Flags declares the flags.
func (b *Brief) Flags(f *flag.FlagSet) {
	f.StringVar(&b.Name, "brief-name", "", "with -reports brief: `name` of the sender. In a configuration file: name in [brief]")
	f.StringVar(&b.Logo, "brief-logo", "", "with -reports brief: `file` of the sender's logo, PNG, JPEG or SVG. In a configuration file: logo in [brief]")
}

// Sender reads the logo.
func (b *Brief) Sender() (reports.Sender, error) {
	s := reports.Sender{Name: b.Name}
	if b.Logo != "" {
		file, err := cli.ReadBounded(b.Logo, reports.MaxLogo)
		if err == nil {
			s.Logo, err = reports.Logo(file)
		}
		if err != nil {
			return s, fmt.Errorf("-brief-logo %s: %w", b.Logo, err)
		}
	}
	return s, s.Check()
}
