package reports

import (
	"encoding/json"
	"os"
	"path/filepath"

	"robots-audit/audit"
)

// keep puts a robots.txt and the headers of its hops among the evidence.
func (s *siteRun) keep(r *audit.Robots) {
	number := ""
	if r.Index > 0 {
		number = "-" + itoa(r.Index+1)
	}
	d := s.run.disk
	if s.err = d.Mkdir(s.tempEvidence()); s.err != nil {
		return
	}
	headers, err := json.MarshalIndent(r.File.Outcome, "", "  ")
	if err != nil {
		headers = []byte(err.Error()) // a time that is none; the body is evidence all the same
	}
	s.err = d.Append(filepath.Join(s.tempEvidence(), "headers"+number+".json"), append(headers, '\n'))
	if len(r.File.Body) > 0 && s.err == nil {
		name := "robots" + number + ".txt"
		s.err = d.Append(filepath.Join(s.tempEvidence(), name), r.File.Body)
		s.kept[r.Index] = "evidence/" + s.base + "/" + name
		if r.Index == 0 && len(r.File.Body) <= keptBody {
			s.own = r.File.Body
		}
	}
}

// keptBody bounds the body of the site's own robots.txt that stays in memory
// until the site is done; a longer one is read back from the evidence.
const keptBody = 8 << 10

// body reads a robots.txt back from the evidence.
func (s *siteRun) body(index int) []byte {
	name := s.kept[index]
	if name == "" {
		return nil
	}
	if index == 0 && s.own != nil {
		return s.own
	}
	if body := s.book.answers.Held(index); body != nil {
		return body
	}
	body, err := os.ReadFile(filepath.Join(s.tempEvidence(), filepath.Base(name)))
	if err != nil && s.err == nil {
		s.err = err
	}
	return body
}
