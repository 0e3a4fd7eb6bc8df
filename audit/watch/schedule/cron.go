package schedule

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // see the package comment

	"github.com/robfig/cron/v3"

	"robots-audit/engine/wording"
)

// Cron is a cron expression in a time zone. The zero value has no activations; ParseCron makes
// others.
type Cron struct {
	text     string
	spec     *cron.SpecSchedule // in UTC: its times are wall times
	zone     *time.Location
	interval bool // every hour: follows real time, see the package comment
}

// String returns the expression as it was written.
func (c Cron) String() string { return c.text }

// IsZero reports whether it is the zero value.
func (c Cron) IsZero() bool { return c.spec == nil }

// Zone returns the time zone; UTC for the zero value.
func (c Cron) Zone() *time.Location {
	if c.zone == nil {
		return time.UTC
	}
	return c.zone
}

// cronField is one of the five fields of an expression.
type cronField struct {
	name   string
	option cron.ParseOption
	span   int // longest useful step
}

var cronFields = []cronField{
	{"minute", cron.Minute, 59}, {"hour", cron.Hour, 23}, {"day of month", cron.Dom, 30}, {"month", cron.Month, 11}, {"day of week", cron.Dow, 6},
}

// fieldForm is the valid form of a part of a field. robfig/cron ignores parts that it does not need
// ("*-5" is "*" to it), so the form is checked first.
var fieldForm = regexp.MustCompile(`^(?:[*?]|[0-9A-Za-z]+(?:-[0-9A-Za-z]+)?)(?:/([0-9]+))?$`)

// ParseCron reads an expression of five fields, or one of @hourly, @daily, @weekly, @monthly and
// @yearly. zone is the name of a time zone in the IANA database ("Europe/Berlin"); "" is UTC,
// "Local" the machine's own. An error names the field. An expression without activations (31
// February) is also an error.
func ParseCron(expression, zone string) (Cron, error) {
	c := Cron{text: strings.TrimSpace(expression)}
	var err error
	if c.zone, err = time.LoadLocation(zone); err != nil {
		return Cron{}, fmt.Errorf("%q is not a time zone. Write a name such as Europe/Berlin, America/New_York or UTC", zone)
	}
	if c.spec, err = parseSpec(c.text); err != nil {
		return Cron{}, fmt.Errorf("cron expression %q: %w", expression, err)
	}
	c.spec.Location = time.UTC
	const hours = 1<<24 - 1
	c.interval = c.spec.Hour&hours == hours
	if c.spec.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Cron{}, fmt.Errorf("cron expression %q: this day does not exist", expression)
	}
	return c, nil
}

// parseSpec lets robfig/cron read an expression, after rejecting those that it would misread or
// panic on.
func parseSpec(text string) (*cron.SpecSchedule, error) {
	switch {
	case text == "":
		return nil, errors.New(`it is empty. Write minute, hour, day of month, month and day of week, such as "0 6 * * MON-FRI"`)
	case strings.HasPrefix(text, "TZ="), strings.HasPrefix(text, "CRON_TZ="):
		return nil, errors.New("write the time zone in the key timezone")
	case strings.HasPrefix(text, "@every"):
		return nil, errors.New(`@every is not supported, since it depends on the start of the program. Write "0 * * * *" for each full hour`)
	case text == "@reboot":
		return nil, errors.New("@reboot is not a time")
	case strings.HasPrefix(text, "@"):
		schedule, err := cron.ParseStandard(text)
		if err != nil {
			return nil, errors.New("write @hourly, @daily, @weekly, @monthly, @yearly, or five fields")
		}
		return schedule.(*cron.SpecSchedule), nil
	}
	fields := strings.Fields(text)
	if len(fields) != len(cronFields) {
		return nil, fmt.Errorf("it has %s. Write five: minute, hour, day of month, month and day of week, without seconds", wording.Plural(len(fields), "field"))
	}
	for i, field := range fields {
		if err := cronFields[i].check(field); err != nil {
			return nil, fmt.Errorf("%s %q: %w", cronFields[i].name, field, err)
		}
	}
	schedule, err := cron.ParseStandard(text)
	if err != nil {
		return nil, err
	}
	return schedule.(*cron.SpecSchedule), nil
}

// check returns an error for an invalid field.
func (f cronField) check(field string) error {
	for part := range strings.SplitSeq(field, ",") {
		form := fieldForm.FindStringSubmatch(part)
		if form == nil {
			return fmt.Errorf(`%q is not valid. Write *, 5, 1-5, */15, or a list of these with commas`, part)
		}
		if step, err := strconv.Atoi(form[1]); form[1] != "" && (err != nil || step < 1 || step > f.span) {
			return fmt.Errorf("a step of %s is not between 1 and %d", form[1], f.span)
		}
		if _, err := cron.NewParser(f.option).Parse(part); err != nil {
			if f.option == cron.Dow && strings.Contains(part, "7") {
				return errors.New("write 0 or SUN for Sunday")
			}
			return errors.New(strings.TrimSuffix(err.Error(), ": "+part))
		}
	}
	return nil
}
