package gate

import "robots-audit/audit/expect"

// Output is all that is written of one call of the command.
type Output struct {
	Printers []Printer
	Files    Files // that they write to
	Summary  Summary
}

// Add counts and writes the results of a site; nil = there are none.
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

// Close writes what stands at the end, and puts the files into their places.
func (o *Output) Close() error {
	for _, p := range o.Printers {
		if err := p.End(&o.Summary); err != nil {
			return err
		}
	}
	return o.Files.Commit()
}
