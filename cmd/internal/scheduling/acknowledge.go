package scheduling

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Answer is a person's answer to alerts. They know of them and want no more messages until a day,
// they accept the reported state as correct, or they only say who works on them.
type Answer struct {
	Alerts []string // their IDs
	All    bool     // and those that are open with them: to accept, of the same change, otherwise of the same site
	Accept bool     // the reported state is correct; Until is not used then
	Until  string   // a day such as 2026-12-31, up to its end, or an RFC 3339 time
	Note   string
	Assign bool   // only set Owner
	Owner  string // who works on them; "" = as before, with Assign nobody
}

// maxOwner is the longest name of an owner, in characters.
const maxOwner = 100

// Refusal says why an answer is rejected.
type Refusal struct {
	flag string // of "robots-audit schedule", with the value that is wrong
	Why  string
}

func (r *Refusal) Error() string { return r.flag + ": " + r.Why }

// Enter stores the answer in the history of a folder, even while a schedule runs, and returns a
// sentence about it. It answers all of the alerts that can be answered, or none. A day of Until is
// in the time zone of now. The error is a *Refusal if the answer is wrong, otherwise the history
// cannot be used.
func (a Answer) Enter(ctx context.Context, dir string, now time.Time) (sentence string, err error) {
	var until time.Time
	if !a.Accept && !a.Assign {
		if until, err = endOf(a.Until, now); err != nil {
			return "", err
		}
	}
	if a.Owner = strings.TrimSpace(a.Owner); utf8.RuneCountInString(a.Owner) > maxOwner || a.Owner == "-" || strings.ContainsFunc(a.Owner, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return "", &Refusal{"-owner", "write a name of at most " + strconv.Itoa(maxOwner) + " characters, on one line"}
	}
	db, err := history.OpenBeside(ctx, dir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", a.refuse("no history in " + dir + " yet. It begins with the first run")
	} else if err != nil {
		return "", err
	}
	defer db.Close()
	list, err := a.find(ctx, db)
	if err != nil {
		return "", err
	}
	list, skipped, err := a.choose(list)
	if err != nil {
		return "", err
	}
	var ids []string
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	err = db.Decide(ctx, ids, now, history.Decision{Assign: a.Assign, Accept: a.Accept, Until: until, Note: a.Note, Owner: a.Owner})
	return a.sentence(list, until) + skipped, err
}

// sentence says what was done with alerts.
func (a Answer) sentence(list []history.Alert, until time.Time) string {
	assigned := "assigned to " + escape.Printable(a.Owner)
	if a.Owner == "" {
		assigned = "without an owner"
	}
	done := "acknowledged until " + until.Format("2006-01-02 15:04 MST")
	switch {
	case a.Assign:
		return about(list, assigned)
	case a.Accept:
		done = "accepted as intended"
	}
	if a.Owner != "" {
		done += ", and " + assigned
	}
	said := about(list, done)
	if a.Accept {
		said += ". The next run resolves " + wording.Verb(len(list), "the alert", "them")
	}
	return said
}

// find returns the alerts that the answer names.
func (a Answer) find(ctx context.Context, db *history.DB) (list []history.Alert, err error) {
	add := func(of history.Alert) {
		if !slices.ContainsFunc(list, func(other history.Alert) bool { return other.ID == of.ID }) {
			list = append(list, of)
		}
	}
	for _, id := range a.Alerts {
		of, err := db.Alert(ctx, id)
		if errors.Is(err, history.ErrNoAlert) {
			err = a.refuse("no such alert. Its ID is in each message")
		}
		if err != nil {
			return nil, err
		}
		if !a.All {
			add(of)
			continue
		}
		filter := history.AlertFilter{Site: of.Site, Open: true, Limit: math.MaxInt}
		if a.Accept {
			filter.Raised = of.Raised
		}
		open, err := db.Alerts(ctx, filter)
		if err != nil {
			return nil, err
		}
		if len(open) == 0 {
			add(of) // it is resolved, as are the others
		}
		for _, of := range open {
			add(of)
		}
	}
	return list, nil
}

// choose returns the alerts that can be answered, and sentences about the others. It refuses an
// answer to none. Among several alerts, those that were accepted stay accepted.
func (a Answer) choose(list []history.Alert) (chosen []history.Alert, skipped string, err error) {
	var resolved, accepted int
	var never []string
	why := ""
	for _, of := range list {
		switch {
		case of.EndedRun != "":
			resolved++
			why = "this alert is already resolved"
		case a.Accept && !alert.Acceptable(of.Condition):
			never = append(never, of.Condition+" of "+escape.Printable(of.Site))
			why = "robots.txt of " + escape.Printable(of.Site) + " could not be fetched, and this is never accepted. Acknowledge the alert to pause it until a day"
		case len(list) > 1 && !of.Accepted.IsZero() && !a.Assign:
			accepted++
		default:
			chosen = append(chosen, of)
		}
	}
	if len(never) > 0 {
		skipped += ". " + wording.And(never) + wording.Verb(len(never), " stays", " stay") + " open: a robots.txt that could not be fetched is never accepted"
	}
	if accepted > 0 {
		skipped += ". " + wording.Plural(accepted, "alert") + wording.Verb(accepted, " was", " were") + " accepted before"
	}
	if resolved > 0 {
		skipped += ". " + wording.Plural(resolved, "alert") + wording.Verb(resolved, " is", " are") + " already resolved"
	}
	if len(chosen) == 0 {
		if len(list) > 1 {
			why = "there is nothing to answer" + skipped
		}
		return nil, "", a.refuse(why)
	}
	return chosen, skipped, nil
}

// about says what was done with alerts.
func about(list []history.Alert, done string) string {
	if len(list) == 1 {
		return list[0].Condition + " of " + escape.Printable(list[0].Site) + " is " + done
	}
	var sites, conditions []string
	for _, of := range list {
		sites, conditions = append(sites, of.Site), append(conditions, of.Condition)
	}
	slices.Sort(sites)
	slices.Sort(conditions)
	sites, conditions = slices.Compact(sites), slices.Compact(conditions)
	of := escape.Printable(sites[0])
	if len(sites) > 1 {
		of = wording.Plural(len(sites), "site")
	}
	return wording.Plural(len(list), "alert") + " of " + of + " are " + done + ": " + strings.Join(conditions, ", ")
}

// refuse rejects the answer.
func (a Answer) refuse(why string) error {
	flag := "-ack "
	switch {
	case a.Assign:
		flag = "-assign "
	case a.Accept:
		flag = "-accept "
	}
	return &Refusal{flag + strings.Join(a.Alerts, ","), why}
}

// endOf is the end of a day, or a given time, after now.
func endOf(text string, now time.Time) (until time.Time, err error) {
	if until, err = time.ParseInLocation(time.DateOnly, text, now.Location()); err == nil {
		until = until.AddDate(0, 0, 1)
	} else if until, err = time.Parse(time.RFC3339, text); err != nil {
		return until, &Refusal{fmt.Sprintf("-until %q", text), "write a day such as 2026-12-31, or a time such as 2026-12-31T18:00:00Z"}
	}
	if !until.After(now) {
		return until, &Refusal{"-until " + text, "this is in the past. Choose a later day"}
	}
	return until, nil
}
