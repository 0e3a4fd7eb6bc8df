package reports

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
)

// tempEvidenceDir is the folder of the site's evidence before it is renamed.
func (s *siteRun) tempEvidenceDir() string { return s.run.temp(s.base + ".evidence") }

// evidenceNumber is the part of a file name that says which robots.txt the file belongs to.
func evidenceNumber(index int) string {
	if index == 0 {
		return ""
	}
	return "-" + strconv.Itoa(index+1)
}

// saveRobots writes a robots.txt and the headers of its hops into the evidence folder.
func (s *siteRun) saveRobots(r *audit.Robots) error {
	if r.Index == 0 && len(r.File.Body) <= maxOwnBody {
		s.ownBody = r.File.Body
	}
	if s.leftOut && (len(r.File.Body) == 0 || r.Index == 0 && s.ownBody != nil) { // the saved files would not be read again
		if len(r.File.Body) > 0 {
			s.bodies = append(s.bodies, r.Index)
		}
		return nil
	}
	number := evidenceNumber(r.Index)
	d := s.run.folder.FS
	if err := d.Mkdir(s.tempEvidenceDir()); err != nil {
		return err
	}
	headers, err := json.Marshal(r.File.Outcome)
	if err != nil {
		headers = []byte(err.Error()) // a time that cannot be encoded; the body is evidence all the same
	}
	if err := d.Append(filepath.Join(s.tempEvidenceDir(), "headers"+number+".json"), append(headers, '\n')); err != nil || len(r.File.Body) == 0 {
		return err
	}
	name := "robots" + number + ".txt"
	s.bodies = append(s.bodies, r.Index)
	if s.run.writes(kindEvidence) {
		s.data.Evidence[r.Index] = "evidence/" + s.base + "/" + name
	}
	return d.Append(filepath.Join(s.tempEvidenceDir(), name), r.File.Body)
}

// commitEvidence renames the evidence folder to its final name.
func (s *siteRun) commitEvidence() error {
	if len(s.bodies) == 0 && s.robots == nil {
		return nil
	}
	if s.leftOut || !s.run.writes(kindEvidence) {
		return s.run.folder.FS.Remove(s.tempEvidenceDir())
	}
	d, evidence := s.run.folder.FS, s.run.path("evidence", s.base)
	if d.Rename(s.tempEvidenceDir(), evidence) == nil {
		return nil
	}
	if err := d.Remove(evidence); err != nil { // evidence of an earlier audit
		return err
	}
	return d.Rename(s.tempEvidenceDir(), evidence)
}

// maxOwnBody bounds the body of the site's own robots.txt that stays in memory until the site is
// done. A longer body is read back from the evidence.
const maxOwnBody = 8 << 10

// maxBody bounds a robots.txt that is read back: saved bodies are far shorter.
const maxBody = 64 << 20

// body reads a robots.txt back from the evidence.
func (s *siteRun) body(index int) []byte {
	if !slices.Contains(s.bodies, index) {
		return nil
	}
	if index == 0 && s.ownBody != nil {
		return s.ownBody
	}
	body, err := disk.ReadFile(s.run.folder.FS, filepath.Join(s.tempEvidenceDir(), "robots"+evidenceNumber(index)+".txt"), maxBody)
	if err != nil && s.err == nil {
		s.err = err
	}
	return body
}
