// Package schedule computes when runs are due: cron expressions in a time zone, missed runs,
// maintenance windows, and the effects of clock changes. It starts nothing and has no clock: the
// time is an argument. So "which runs are due, given when each last ran" has one answer, and tests
// need not wait.
//
// That is why there is no scheduler in it. gocron v2 brings one (goroutines, timers, singleton
// modes) and asks robfig/cron for the times; it does not know runs before its start, so missed runs
// would have to be computed here anyway. So robfig/cron's parser reads the expressions, and this
// package does the rest. Five fields: minute, hour, day of month, month, day of week; lists,
// ranges, steps, names of months and days, and @hourly, @daily, @weekly, @monthly, @yearly. Where
// both days are restricted, either is enough, as everywhere ("0 6 1 * MON" is the first of the
// month, and each Monday). @every is refused: it counts from the start of the program, so that each
// start would move it.
//
// # When clocks change
//
// robfig/cron's own Next skips a time that a change of clocks leaves out (02:30 daily does not run
// on the last Sunday of March) and runs one that comes twice twice. Here its bit sets are only used
// for wall clock times. Each becomes a moment by rules that [Cron.Changes] announces:
//
//   - An entry at certain hours ("30 2 * * *", "0 */2 * * *") runs once for each time: at the
//     first moment at which the clock shows that time or a later one. A time that is left
//     out runs at the moment of the change (03:00 instead of 02:30), as in Vixie's cron;
//     several of them run once, together with one that is due then. A time that comes
//     twice runs the first time.
//   - An entry of every hour ("0 * * * *", "*/15 * * * *") is an interval, and follows real
//     time: skipped times are skipped, and repeated times run twice, so that the
//     distance stays.
//
// # When the machine sleeps
//
// A timer does not count the time that a machine is suspended, nor does Go's monotonic clock.
// [Wait] looks at the wall clock at least every minute. After three days of sleep [Plan.Due]
// returns each entry once, however many of its runs were missed.
//
// The IANA time zones are built in (time/tzdata, 0.4 MB), for machines and containers that have
// none of their own; where there are some, they are used.
package schedule
