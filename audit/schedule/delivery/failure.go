package delivery

import "time"

// failure is why a try came to nothing.
type failure struct {
	what     string        // in plain words
	lasting  bool          // the receiver means it for good
	wait     time.Duration // before the next try, as the receiver asks; 0 = it does not
	oversize bool          // of this message, and no fault of the channel: the next message may be tried at once
}

func (f *failure) Error() string { return f.what }
