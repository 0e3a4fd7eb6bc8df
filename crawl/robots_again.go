package crawl

import "context"

// RobotsAgain requests a robots.txt whose last answer is known, as Robots does without a Cache. An
// unchanged file costs its server only a 304: then the result is nil. last may be the zero value.
func (s *Site) RobotsAgain(ctx context.Context, origin string, last *Outcome) *RobotsFile {
	v := validatorOf(*last)
	file := s.askRobots(ctx, robotsURL(origin), robotsOptions{refresh: v})
	if v.confirmed(file.Outcome) {
		return nil
	}
	return file
}
