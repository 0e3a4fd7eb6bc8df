package crawl

// Error is a trouble of fetching: one of the codes of this package and what
// lies behind it.
type Error struct {
	Code string // stable, for scripts
	Err  error  // the cause, for people; may be nil
}

// Error returns the cause in words, after the code.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Code
	}
	return e.Code + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
