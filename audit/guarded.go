package audit

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"robots-audit/crawl"
)

// guarded turns a panic of our code into a problem of the site. A panic in the loop that takes the
// records is passed on.
func (s *site) guarded(work func()) {
	defer func() {
		if s.inLoop != nil && *s.inLoop {
			return // passed on to the loop
		}
		if fault := recover(); fault != nil {
			s.addLimit(LimitFault, "an error in this program", 0)
			s.problem(StageAudit, crawl.CodeInternal, "", placed(fault))
		}
	}()
	work()
}

// apart runs work in its own goroutine and waits for it; a panic is passed on. A goroutine keeps
// its grown stack while more than a quarter of it is in use. Without this, a site that has read its
// robots.txt would wait for its sitemap with twice the stack.
func apart(work func()) {
	over := make(chan any, 1)
	go func() {
		defer func() {
			fault := recover()
			if fault != nil {
				fault = placedFault(placed(fault))
			}
			over <- fault
		}()
		work()
	}()
	if fault := <-over; fault != nil {
		panic(fault)
	}
}

// placedFault is a panic's message and place.
type placedFault string

// placed returns a panic's message and place; call it during the panic.
func placed(fault any) string {
	if known, ok := fault.(placedFault); ok {
		return string(known)
	}
	return fmt.Sprintf("%v at %s", fault, caller(debug.Stack()))
}

// caller returns the first line of a stack trace that is in our code, as audit/site.go:12. It uses
// function names, which do not depend on the build folder.
func caller(stack []byte) string {
	ours := ""
	for line := range strings.Lines(string(stack)) {
		file, indented := strings.CutPrefix(line, "\t")
		if !indented {
			ours = ""
			if name, ok := strings.CutPrefix(line, "robots-audit/"); ok {
				ours = name
			}
			continue
		}
		file, _, _ = strings.Cut(path.Base(filepath.ToSlash(file)), " ")
		if ours != "" && !strings.HasPrefix(file, "guarded.go:") {
			dir, name := path.Split(ours)
			name, _, _ = strings.Cut(name, ".")
			return dir + name + "/" + strings.TrimSpace(file)
		}
	}
	return "an unknown place"
}
