package site

import (
	"slices"

	"robots-audit/engine/wording"
)

// Drawn returns the runs to draw in a line of the i-th crawler, if there is space for about room of
// them. It returns all, or from each stretch of runs the first, the last, those with the lowest and
// the highest figure, and one without a figure. It keeps every run in which robots.txt changed,
// with the run before. Indices of Runs, ascending.
func (t *Timeline) Drawn(crawler, room int) []int {
	n := len(t.Runs)
	keep := make([]bool, n)
	const each = 4 // approximate number of runs for a stretch
	stretch := max(1, (n*each+room-1)/max(room, 1))
	if n <= room {
		stretch = 1
	}
	for from := 0; from < n; from += stretch {
		to := min(from+stretch, n)
		least, most := -1, -1
		keep[from], keep[to-1] = true, true
		gap := false
		for r := from; r < to; r++ {
			switch count := t.Runs[r].ByFile(crawler); {
			case count == NoCount:
				keep[r] = keep[r] || !gap
				gap = true
			default:
				if least < 0 || count < t.Runs[least].ByFile(crawler) {
					least = r
				}
				if most < 0 || count > t.Runs[most].ByFile(crawler) {
					most = r
				}
			}
		}
		if least >= 0 {
			keep[least], keep[most] = true, true
		}
	}
	for _, r := range t.Changes {
		keep[r], keep[r-1] = true, true
	}
	var list []int
	for r, kept := range keep {
		if kept {
			list = append(list, r)
		}
	}
	return list
}

// Stretch is a sequence of runs with the same response, or several of them so close together that
// they are drawn as one.
type Stretch struct {
	From, To int // indices of Runs; To is the last of them
	Runs     int // number of runs with that response
	Words    string
}

// Lane is the part of a strip for one class of responses.
type Lane struct {
	Answer    string // "200": see history.Answer
	Runs      int
	Stretches []Stretch // in their order
}

// answerOrder is the order of a strip's lanes: the better ones on top.
var answerOrder = []string{"200", "empty", "html", "binary", "3xx", "4xx", "429", "5xx", "unreachable", "not asked"}

// Strip returns the responses of all runs: a lane for each class that occurs, if there is space for
// about room stretches in a lane.
func (t *Timeline) Strip(room int) []Lane {
	near := len(t.Runs) / max(room, 1)
	byAnswer := map[string]*Lane{}
	for r := range t.Runs {
		answer := t.Runs[r].Answer
		lane := byAnswer[answer]
		if lane == nil {
			lane = &Lane{Answer: answer}
			byAnswer[answer] = lane
		}
		lane.Runs++
		if last := len(lane.Stretches) - 1; last >= 0 && r-lane.Stretches[last].To-1 <= near-min(near, 1) {
			lane.Stretches[last].To = r
			lane.Stretches[last].Runs++
			continue
		}
		lane.Stretches = append(lane.Stretches, Stretch{From: r, To: r, Runs: 1})
	}
	var lanes []Lane
	for _, answer := range answerOrder {
		if lane := byAnswer[answer]; lane != nil {
			lanes = append(lanes, *lane)
			delete(byAnswer, answer)
		}
	}
	var others []string // of a later version of the history
	for answer := range byAnswer {
		others = append(others, answer)
	}
	slices.Sort(others)
	for _, answer := range others {
		lanes = append(lanes, *byAnswer[answer])
	}
	for l := range lanes {
		for s := range lanes[l].Stretches {
			lanes[l].Stretches[s].Words = t.stretchWords(lanes[l].Answer, lanes[l].Stretches[s])
		}
	}
	return lanes
}

func (t *Timeline) stretchWords(answer string, s Stretch) string {
	words := answer + ": " + t.Day(t.Runs[s.From].Started)
	if s.To > s.From {
		words += " to " + t.Day(t.Runs[s.To].Started) + ", " + wording.Plural(s.Runs, "run")
		if all := s.To - s.From + 1; all > s.Runs {
			words += " of " + wording.Thousands(all)
		}
	}
	return words
}
