package gate

import "robots-audit/audit/expect"

// Output is everything that one call of the command writes.
type Output struct {
	Printers []Printer
	Files    Files // to which the printers write
	Summary  Summary
}

// Add counts and writes the results of a site; nil = it has none.
func (o *Output) Add(s *expect.Suite) error {
	if s == nil {
		return nil
	}
	o.Summary.Add(s)
	for _, p := range o.Printers {
		if err := p.Suite(s); err != nil {
			return err
		}
	}
	return nil
}

// Close writes the end of each format and moves the files to their names.
func (o *Output) Close() error {
	for _, p := range o.Printers {
		if err := p.End(&o.Summary); err != nil {
			return err
		}
	}
	return o.Files.Commit()
}
