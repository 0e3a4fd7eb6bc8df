package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/term"

	"robots-audit/audit"
	"robots-audit/crawl/errno"
	"robots-audit/engine/escape"
)

// This file makes output safe for a terminal: file names, URLs and fetched text pass through it.

// OnOneLine is escape.Printable for the columns of a table.
func OnOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }

// Named is OnOneLine for a file name or URL as given, without the name and password that it may
// contain.
func Named(s string) string { return OnOneLine(audit.HideCredentials(s)) }

// Complain prints an error message, which begins with the program's name. System errors among args
// are put in plain words.
func Complain(w io.Writer, form string, args ...any) {
	for i := range args {
		if err, ok := args[i].(error); ok {
			args[i] = Plain(err)
		}
	}
	for line := range strings.SplitSeq(audit.HideCredentials(Current.Name+": "+fmt.Sprintf(form, args...)), "\n") {
		fmt.Fprintf(w, "%s\n", escape.Printable(line))
	}
}

// Plain is the text of an error without words of Go's library or the system. For a file it gives
// the name, the problem, and what to do.
func Plain(err error) string {
	text := err.Error()
	var replace func(error)
	replace = func(err error) {
		var name string
		var cause error
		switch of := err.(type) {
		case *fs.PathError:
			name, cause = of.Path, of.Err
		case *os.LinkError:
			name, cause = of.New, of.Err
		case *os.SyscallError:
			cause = of.Err
		case syscall.Errno:
			cause = of
		case interface{ Unwrap() []error }:
			for _, err := range of.Unwrap() {
				replace(err)
			}
			return
		default:
			if err = errors.Unwrap(err); err != nil {
				replace(err)
			}
			return
		}
		words := systemWords(cause)
		if name != "" && !strings.Contains(strings.ReplaceAll(text, err.Error(), ""), name+":") {
			words = name + ": " + words
		}
		text = strings.Replace(text, err.Error(), words, 1)
	}
	replace(err)
	return text
}

// systemWords explains a system error and what to do.
func systemWords(err error) string {
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return "this is a file. Name a folder"
	case errors.Is(err, fs.ErrNotExist), errno.NoName(err):
		return "no such file or folder. Check the name"
	case errors.Is(err, fs.ErrPermission):
		return "no permission. Allow this user to use it, or choose another place"
	case errors.Is(err, fs.ErrExist):
		return "the name is in use. Choose another name"
	case errors.Is(err, syscall.EISDIR):
		return "this is a folder. Name a file"
	case errno.Protected(err):
		return "nothing can be written here. Choose another place"
	case errno.DiskFull(err):
		return "the disk is full. Free some space and try again"
	case errno.AddressInUse(err):
		return "another program uses this port. Choose another port"
	}
	return err.Error()
}

// Escaped writes JSON in a form that is safe for a terminal. Each Write must contain whole
// characters.
type Escaped struct{ W io.Writer }

func (e Escaped) Write(p []byte) (int, error) {
	if _, err := e.W.Write(escape.TerminalJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Width is the number of columns of the terminal w; 0 = w is none.
func Width(w io.Writer) int {
	if s, ok := w.(*Screen); ok {
		w = s.W
	}
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// Terminal reports whether w is an interactive terminal, on which a bar can be drawn.
func Terminal(w io.Writer) bool { return os.Getenv("TERM") != "dumb" && Width(w) > 0 }

// TakesSequences reports whether output goes to a terminal that interprets escape sequences.
func TakesSequences(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) && obeys(f)
}
