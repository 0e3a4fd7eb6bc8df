package audit

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"robots-audit/crawl"
)

// guarded turns a panic of ours into a problem of the site. One of the loop that
// takes the records is none.
func (s *site) guarded(work func()) {
	defer func() {
		if s.inLoop != nil && *s.inLoop {
			return // on to the loop's own
		}
		if fault := recover(); fault != nil {
			s.addLimit(LimitFault, "an error in this program", 0)
			s.problem(StageAudit, crawl.CodeInternal, "", placed(fault))
		}
	}()
	work()
}

// apart does some work in a goroutine of its own, and waits for it; a panic is passed on. A
// goroutine keeps the stack that it has grown to while more than a quarter of it is in use, and
// so a site that has read its robots.txt itself waits for its sitemap with twice the stack.
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

// placedFault is what a panic said, and where.
type placedFault string

// placed says what a panic was, and where; it is called while that goes on.
func placed(fault any) string {
	if known, ok := fault.(placedFault); ok {
		return string(known)
	}
	return fmt.Sprintf("%v at %s", fault, caller(debug.Stack()))
}

// caller picks the first place of a stack trace that is ours and not the runtime's, as
// audit/site.go:12. It follows the names of functions, which are the same in whichever folder the
// program was built.
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
