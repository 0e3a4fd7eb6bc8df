package main

import (
	"flag"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/suppression"
)

// loadLintConfig reads a configuration file: the section [lint], and the settings of an audit that
// say how a server is reached. Flags on the command line win over it. Other settings of an audit
// are checked, but not used by lint.
func loadLintConfig(f *flag.FlagSet, name, text string) (suppression.Config, error) {
	reached := flag.NewFlagSet("", flag.ContinueOnError)
	new(audits.Network).Flags(reached)
	var s audits.Settings
	all := flag.NewFlagSet("", flag.ContinueOnError)
	s.Flags("audit").VisitAll(func(fl *flag.Flag) {
		value := fl.Value
		if reached.Lookup(fl.Name) != nil {
			value = f.Lookup(fl.Name).Value
		}
		all.Var(value, fl.Name, fl.Usage)
	})
	given := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	if err := s.LoadTOML(all, name, text, given); err != nil {
		return suppression.Config{}, err
	}
	return suppression.ReadConfig(name, text)
}
