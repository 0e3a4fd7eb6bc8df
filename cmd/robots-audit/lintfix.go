package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// checkFix reports what does not go together with -fix and the flags that belong to it. readable says
// that the output is not for programs.
func (run *lintRun) checkFix(names []string, readable bool) error {
	stdin := slices.Contains(names, "-")
	switch {
	case run.stdinName != "" && !stdin:
		return errors.New("-stdin-filename needs - as a FILE. Add -")
	case run.dryRun && !run.fix:
		return errors.New("-dry-run needs -fix. Add -fix, or remove -dry-run")
	case !run.fix:
		return nil
	case run.dryRun && run.writeBaseline != "":
		return errors.New("-dry-run writes no file. Remove -write-baseline")
	case !readable && run.dryRun:
		return errors.New("-dry-run prints a diff. Remove -json, -sarif or -code-quality")
	case !readable && stdin:
		return errors.New("-fix prints the text of -. Remove -json, -sarif or -code-quality")
	}
	for _, name := range names {
		if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
			return fmt.Errorf("%s: -fix cannot edit a site. Save its robots.txt as a file, and name that", cli.Named(name))
		}
	}
	for _, i := range run.ignores {
		if i.Line > 0 {
			return fmt.Errorf("%s: it names a line, and -fix moves lines. Ignore the finding with a comment in robots.txt", i.By)
		}
	}
	return nil
}

// fixFile makes the edits that change no verdict, and lints the result.
func (run *lintRun) fixFile(f *lintedFile, alone bool, std cli.Streams) error {
	body := f.answers.Held(0)
	if len(body) >= maxAtHand {
		return fmt.Errorf("%s: too large to fix. Crawlers read 500 KiB at most", f.name)
	}
	known := run.baseline.Of(f.name, alone)
	fixed := engine.Fix(body, run.options.Own, func(body []byte) []engine.Finding { return run.fixable(f, body, known) })
	f.edits = fixed.Edits
	var err error
	switch {
	case run.dryRun:
		err = writeDiff(std.Out, cli.Named(f.name), body, fixed)
	case f.path == "-":
		_, err = std.Out.Write(fixed.Body)
	case f.edits > 0:
		if err := replaceFile(f.path, fixed.Body); err != nil {
			return unreadableError{fmt.Errorf("%s: %w", f.name, err)}
		}
	}
	if err == nil {
		f.answers, _, err = atHand("", bytes.NewReader(fixed.Body))
	}
	f.found = f.answers.Lint(0, f.options.Crawlers, f.options)
	return err
}

// fixable are the findings of a text of the file that -fix may fix: those that are shown. A line
// with a finding that is ignored or known stays as it is, so that the decision still applies to it. So
// does the line behind a comment that ignores something: without it, the comment would be for the next one.
func (run *lintRun) fixable(f *lintedFile, body []byte, known *suppression.Known) (list []engine.Finding) {
	answers, _, err := atHand("", bytes.NewReader(body))
	if err != nil {
		return nil
	}
	o := f.options
	o.MaxPerID = -1
	comments, _ := suppression.Comments(f.name, body)
	ignores := append(comments, suppression.For(run.ignores, f.name)...)
	trial := lintRun{config: run.config, baseline: run.baseline}
	decided := map[int]bool{}
	for _, i := range comments {
		decided[i.End()] = true
	}
	for _, of := range trial.sortOut(f.name, answers.Lint(0, o.Crawlers, o), suppression.Copies(ignores), known.Copy()) {
		if !of.isNew() {
			decided[of.Line] = true
		} else if of.Severity >= run.minSeverity {
			list = append(list, of.Finding)
		}
	}
	return slices.DeleteFunc(list, func(f engine.Finding) bool {
		return f.Replacement != "" && decided[f.Line] || slices.ContainsFunc(f.Delete, func(n int) bool { return decided[n] })
	})
}

// saysFixed is the line about a fixed file. left are the findings that still count.
func (run *lintRun) saysFixed(f *lintedFile, left int) string {
	edits := wording.Plural(f.edits, "edit")
	if run.dryRun {
		return fmt.Sprintf("%s: %s not written; %s would be left", cli.Named(f.name), edits, wording.Plural(left, "finding"))
	}
	return fmt.Sprintf("%s: %s; %s %s left", cli.Named(f.name), edits, wording.Plural(left, "finding"), wording.Verb(left, "is", "are"))
}

// replaceFile gives a file another content, in one step: no reader sees a part of it. Its mode and,
// where possible, its owner stay. A link stays, and the file that it names is replaced.
func replaceFile(name string, body []byte) (err error) {
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return err
	}
	old, err := os.OpenFile(name, os.O_WRONLY, 0) // fails if the file may not be written
	if err != nil {
		return err
	}
	info, err := old.Stat()
	if end := old.Close(); err == nil {
		err = end
	}
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("this is not an ordinary file. Use - for standard input")
	}
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // fails if it was moved to its name
	_, err = temp.Write(body)
	keepOwner(temp, info)
	if err == nil {
		err = temp.Chmod(info.Mode())
	}
	if err == nil {
		err = temp.Sync()
	}
	if end := temp.Close(); err == nil {
		err = end
	}
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	return err
}
