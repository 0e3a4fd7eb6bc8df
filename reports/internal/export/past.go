package export

import (
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// setPast fills in the history of the row's URL, for the i-th crawler; all of it is null if the
// site has none.
func (s *Site) setPast(row *Row, u *site.URL, i int) {
	if s.site.Past == nil {
		return
	}
	row.FirstBlocked = nil
	if u.Verdicts[i] == engine.Disallow {
		row.FirstBlocked = dateOrNull(s.site.BlockedSince(u, row.URLID, i))
	}
	line := 0
	if i < len(u.Lines) {
		line = int(u.Lines[i])
	}
	row.LastChanged = dateOrNull(s.site.LineSince(u.Origin, line, i))
	row.OwnerNote = textOrNull(s.site.Note(site.NoteURL, row.URLID))
	row.HistoryBegins = dateOrNull(site.Since{At: s.site.HistoryBegins()})
}

// dateOrNull is a date, or null if there is none. If it equals the beginning of the history, the
// state may be older.
func dateOrNull(since site.Since) *utcMillis {
	if since.At.IsZero() {
		return nil
	}
	millis := utcMillis(since.At.UnixMilli())
	return &millis
}
