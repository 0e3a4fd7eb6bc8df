package alert

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// began is the start of the first run that could not fetch robots.txt.
func (in *Input) began() time.Time {
	if !in.UnreachableSince.IsZero() {
		return in.UnreachableSince
	}
	for _, o := range in.open(Unreachable) {
		if slices.Contains(o.Subjects, in.Compared.Own().Name) {
			return o.Since
		}
	}
	return in.Started
}

// unreachableSince says that robots.txt cannot be fetched, and what that means to the most
// important crawlers.
func unreachableSince(in *Input, f *found) string {
	own := in.Compared.Own()
	if !own.New.Unreachable() { // it is that of another origin
		ch := &f.changes[0]
		return strings.TrimPrefix(ch.What, "https://") + " could not be fetched: " + ch.Short
	}
	text := fmt.Sprintf("robots.txt has been unavailable since %s: %s", in.clock(in.began()), own.New.Words())
	if len(in.Compared.Ahead) > 0 {
		text += ". " + in.now(&in.Compared.Ahead[0])
	}
	return text
}

// outage lists what each crawler does if robots.txt cannot be fetched, over time.
func outage(in *Input, f *found) (list []string) {
	for i := range f.changes {
		if ch := &f.changes[i]; len(ch.Subjects) != 1 || ch.Subjects[0] != in.Compared.Own().Name {
			list = append(list, f.changeWords(ch))
		}
	}
	if !in.unreachable() {
		return list
	}
	for i := range in.Compared.Ahead {
		a := &in.Compared.Ahead[i]
		if i > 0 { // the first is the lead
			list = append(list, in.now(a))
		}
		for _, later := range stages(a.Steps)[in.stage(a)+1:] {
			list = append(list, in.later(a, later))
		}
	}
	if f.urls > 0 {
		list = append(list, wording.URLs(f.urls)+wording.Verb(f.urls, " is", " are")+" newly blocked because of this")
	}
	if old := in.Compared.Old; old != nil {
		list = append(list, fmt.Sprintf("The last run that fetched robots.txt was %s. Times are counted from %s, so they may be shorter", in.at(old.Started), in.clock(in.began())))
	} else {
		list = append(list, "No run has fetched robots.txt yet. This may have started earlier, so the times may be shorter")
	}
	return list
}

// stages groups the steps of a schedule by time.
func stages(steps []engine.Prediction) (list [][]engine.Prediction) {
	for _, p := range steps {
		if n := len(list); n > 0 && list[n-1][0].Hours == p.Hours {
			list[n-1] = append(list[n-1], p)
		} else {
			list = append(list, []engine.Prediction{p})
		}
	}
	return list
}

// start is the start of a stage.
func (in *Input) start(stage []engine.Prediction) time.Time {
	return in.began().Add(time.Duration(stage[0].Hours * float64(time.Hour)))
}

// stage is the index of the current stage of a schedule.
func (in *Input) stage(a *compare.Ahead) (at int) {
	for i, s := range stages(a.Steps) {
		if !in.start(s).After(in.Started) {
			at = i
		}
	}
	return at
}

// now says what an outage means to some crawlers now, and until when.
func (in *Input) now(a *compare.Ahead) string {
	list, at := stages(a.Steps), in.stage(a)
	text, until := few(a.Crawlers)+": "+stageWords(list[at]), ". This holds until "
	if len(list[at]) == 1 && list[at][0].If == "" {
		text, until = upper(stageWords(list[at]))+" for "+few(a.Crawlers), " until "
	}
	if at+1 < len(list) {
		text += until + in.clock(in.start(list[at+1])) + " at the latest"
	}
	return text
}

// later says what a stage will mean to some crawlers.
func (in *Input) later(a *compare.Ahead, stage []engine.Prediction) string {
	return fmt.Sprintf("From %s (in %s), for %s: %s", in.clock(in.start(stage)), in.left(stage), few(a.Crawlers), stageWords(stage))
}

// left is the time until a stage begins: in hours up to two days, else in days.
func (in *Input) left(stage []engine.Prediction) string {
	d := in.start(stage).Sub(in.Started)
	if d > 48*time.Hour {
		return wording.Plural(int(d/(24*time.Hour)), "day")
	}
	return length(d)
}

// stageWords describe a reader's behaviour, under each condition.
func stageWords(stage []engine.Prediction) string {
	var list []string
	for _, p := range stage {
		words := accessWords[p.Access]
		if p.If != "" {
			words = "if " + p.If + ", " + words
		}
		list = append(list, words)
	}
	for i := 1; i < len(list); i++ {
		list[i] = upper(list[i])
	}
	return strings.Join(list, ". ")
}

// accessWords describe a reader's behaviour. Parsed means the last good copy if no answer is
// available.
var accessWords = map[engine.Access]string{
	engine.Parsed:        "its rules apply",
	engine.AllowAll:      "everything is allowed",
	engine.DisallowAll:   "everything is blocked",
	engine.AccessUnknown: "the effect is unknown",
}

// few lists some crawlers.
func few(list []string) string {
	if len(list) > 5 {
		return strings.Join(list[:4], ", ") + " and " + wording.Thousands(len(list)-4) + " more"
	}
	return wording.And(list)
}
