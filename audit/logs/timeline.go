package logs

import (
	"bytes"
	"math"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Observation is the robots.txt of an origin as one run saw it.
type Observation struct {
	At     time.Time
	Until  time.Time   // it was seen between At and Until, such as the begin and the end of a run; zero = at At
	File   engine.File // what the run received; each crawler's profile reads it
	SHA256 string      // "" = no file was served

	// Told: the run knows the content. false: no answer, a server error, or an answer that was not
	// confirmed. The content of the run before may then be in force still. An error is never a
	// content: Told is ignored for 5xx, 429, no answer, and one that broke off.
	Told bool
}

// Timeline is what is known of the robots.txt of one origin (scheme, host and port) over time.
//
// At a time, the last content seen until then and the first one seen from then on may be in force.
// Where the runs cannot tell, an unknown content may be in force as well: before the first run,
// after the last one, and between the runs around an answer that was not confirmed. A run that got
// a server error or no answer says nothing, as if it had not been made.
type Timeline struct {
	source   audit.LogSource
	versions []version // by time; neighbours differ

	// In Unix seconds, by time.
	first, last   []int64 // for each version, the seconds in which runs saw it: the first rounded up, the last down
	after, before []int64 // between them an unknown content may be in force, each time
	errors        moments // runs got an error or no answer
}

// version is a content, and when a run saw it first and last.
type version struct {
	file        engine.File
	sha256      string
	first, last time.Time
}

// served reports whether a client that received the file got it with success.
func (v *version) served() bool { return v.file.Status >= 200 && v.file.Status <= 299 }

// NewTimeline makes the timeline of the observations in list, in any order. From
// [audit.LogFile] the last observation of the list is in force always.
func NewTimeline(source audit.LogSource, list []Observation) *Timeline {
	t := &Timeline{source: source}
	if source == audit.LogFile {
		if len(list) == 0 {
			t.doubt(math.MinInt64, math.MaxInt64)
			return t
		}
		o := list[len(list)-1]
		if o.File.Status == 0 && o.File.Error == "" {
			o.File.Status = 200 // a file of the user has no answer
		}
		t.versions = []version{{file: o.File, sha256: o.SHA256}}
		t.first, t.last = []int64{math.MinInt64}, []int64{math.MaxInt64}
		return t
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Observation) int { return a.At.Compare(b.At) })
	seen, doubt := int64(math.MinInt64), true
	for i := range list {
		o := &list[i]
		if !o.answered() {
			t.errors.add(o.At.Unix())
			continue
		}
		if !o.Told {
			doubt = true
			continue
		}
		first := o.At
		if o.Until.After(first) {
			first = o.Until
		}
		if i+1 < len(list) && first.After(list[i+1].At) { // such as of a run that was resumed: times stay in order
			first = list[i+1].At
		}
		if doubt {
			t.doubt(seen, up(first))
		}
		seen, doubt = o.At.Unix(), false
		if n := len(t.versions); n > 0 && t.versions[n-1].equals(o) {
			t.versions[n-1].last, t.last[n-1] = o.At, seen
			continue
		}
		t.versions = append(t.versions, version{file: o.File, sha256: o.SHA256, first: o.At, last: o.At})
		t.first, t.last = append(t.first, up(first)), append(t.last, seen)
	}
	t.doubt(seen, math.MaxInt64)
	return t
}

// doubt adds a time in which an unknown content may be in force.
func (t *Timeline) doubt(after, before int64) {
	t.after, t.before = append(t.after, after), append(t.before, before)
}

// up rounds a time up to seconds.
func up(at time.Time) int64 {
	if at.Nanosecond() > 0 {
		return at.Unix() + 1
	}
	return at.Unix()
}

// answered reports whether the run got an answer that crawlers may have read as well.
func (o *Observation) answered() bool {
	f := o.File
	if f.Status < 200 || f.Status > 499 || f.Status == 429 {
		return false
	}
	if f.Error == "" {
		return true
	}
	f.Body, f.Cached = nil, nil
	access := (&engine.Profile{}).Read(f).Access // an error may count as an answer, such as too many redirects
	return access == engine.Parsed || access == engine.AllowAll
}

// equals reports whether an observation has the content of the version for every profile.
func (v *version) equals(o *Observation) bool {
	a, b := &v.file, &o.File
	return v.sha256 == o.SHA256 && a.Status == b.Status && a.Error == b.Error && a.Hops == b.Hops && a.HopBlocked == b.HopBlocked &&
		a.Truncated == b.Truncated && (v.sha256 != "" || bytes.Equal(a.Body, b.Body))
}

// Versions returns the contents that were in force, the oldest first. A content that was
// replaced and came back is two versions. Observations that do not know the content are none.
func (t *Timeline) Versions() []audit.LogVersion {
	list := make([]audit.LogVersion, len(t.versions))
	for i := range t.versions {
		v := &t.versions[i]
		list[i] = audit.LogVersion{Name: "robots.txt", SHA256: v.sha256, Status: v.file.Status}
		if t.source == audit.LogFile {
			continue
		}
		list[i].First, list[i].Last = v.first.UTC(), v.last.UTC()
		list[i].Name = list[i].First.Format("2 Jan 2006, 15:04")
		if i > 0 {
			list[i].Before = list[i-1].Last
			if list[i].First.Truncate(time.Minute).Equal(list[i-1].First.Truncate(time.Minute)) {
				list[i].Name = list[i].First.Format("2 Jan 2006, 15:04:05")
			}
		}
	}
	return list
}

// candidates are the contents that may have been in force during some time: the versions from
// one to another, and an unknown one.
type candidates struct {
	from, to int // indexes into Timeline.versions; from > to = none
	unknown  bool
}

// during returns the candidates of the seconds from a to b.
func (t *Timeline) during(a, b int64) candidates {
	i := notBefore(t.before, a+1)
	c := candidates{unknown: i < len(t.after) && t.after[i] < b}
	c.from = max(0, min(t.seenUntil(a), notBefore(t.last, a)))
	c.to = min(len(t.versions)-1, max(t.seenUntil(b), notBefore(t.last, b)))
	return c
}

// seenUntil is the index of the version that a run saw last at or before a time, -1 = none.
func (t *Timeline) seenUntil(at int64) int { return notBefore(t.first, at+1) - 1 }

// notBefore is the index of the first of sorted times that is at or after another,
// len(times) = none.
func notBefore(times []int64, at int64) int {
	i, n := 0, len(times)
	for i < n {
		if middle := (i + n) / 2; times[middle] < at {
			i = middle + 1
		} else {
			n = middle
		}
	}
	return i
}
