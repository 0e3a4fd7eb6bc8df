package engine

// Reader reads one robots.txt after the other into the same memory. For large files that
// takes less time: half a megabyte of rules is neither made nor collected, and stays in
// the processor's near cache. The zero Reader is ready for use, by one goroutine at a time.
type Reader struct {
	rules  []Rule
	agents []agentLine
	runs   []run
}

// keptRules is how many rules a Reader keeps the memory of: 2 MB. It keeps that of fewer
// user-agent lines and groups.
const (
	keptRules  = 1 << 16
	keptAgents = 1 << 14
)

// Read is p.Read. What it gives, and all groups of it, may be used until the next call.
func (r *Reader) Read(p *Profile, f File) *Robots {
	robots := p.access(f)
	if robots.Access != Parsed {
		return robots
	}
	robots.rules, robots.agents, robots.runs = r.rules[:0], r.agents[:0], r.runs[:0]
	robots.parse()
	if r.rules = robots.rules; cap(r.rules) > keptRules {
		r.rules = nil
	}
	if r.agents = robots.agents; cap(r.agents) > keptAgents {
		r.agents = nil
	}
	if r.runs = robots.runs; cap(r.runs) > keptAgents {
		r.runs = nil
	}
	return robots
}
